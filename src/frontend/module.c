/* module.c - the program as a whole: symbols, constructors, and what is reached from where.
 *
 * Everything follows from asking for a symbol: it is queued when it is first asked for, so only what the
 * entry, the start-up and the constructors reach is translated. */
#include "frontend/frontend_int.h"

#include <stdlib.h>

const char *symbol_name(LLVMValueRef value)
{
    size_t n;
    const char *name = LLVMGetValueName2(value, &n);
    return n && name[0] == '\1' ? name + 1 : name;
}

bool symbol_is_local(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* The machine knows functions by name: where a static function of the user has the name, that one gives
 * way. */
LLVMValueRef symbol_declare(Front *fr, const char *name, LLVMTypeRef type)
{
    LLVMValueRef found = LLVMGetNamedFunction(fr->module, name);
    if (found && !symbol_is_local(found))
        return found;
    if (found) {
        const char *other = arena_printf(fr->arena, "%s.static", name);
        LLVMSetValueName2(found, other, strlen(other));
    }
    return LLVMAddFunction(fr->module, name, type);
}

static bool is_runtime(const Front *fr, LLVMValueRef symbol)
{
    return !LLVMIsDeclaration(symbol) && !map_get(&fr->user_symbols, (uintptr_t)symbol, NULL);
}

uint32_t symbol_fn(Front *fr, LLVMValueRef fn)
{
    uint64_t known;
    if (map_get(&fr->symbols, (uintptr_t)fn, &known))
        return (uint32_t)known;
    uint32_t index = ir_fn_get(fr->p, symbol_name(fn));
    map_put(&fr->symbols, (uintptr_t)fn, index);
    IrFn *ir = &fr->p->fns.v[index];
    ir->local = symbol_is_local(fn);
    ir->runtime = is_runtime(fr, fn);
    if (LLVMIsDeclaration(fn))
        fn_declare(fr, index, LLVMGlobalGetValueType(fn));
    else
        vec_push(&fr->fn_queue, fn);
    return index;
}

uint32_t symbol_global(Front *fr, LLVMValueRef global)
{
    uint64_t known;
    if (map_get(&fr->symbols, (uintptr_t)global, &known))
        return (uint32_t)known;
    uint32_t index = ir_global_get(fr->p, symbol_name(global)), site = site_of_global(fr, global);
    map_put(&fr->symbols, (uintptr_t)global, index);
    IrGlobal *g = &fr->p->globals.v[index];
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    g->size = LLVMTypeIsSized(type) ? type_size(fr, type) : 0;
    g->align = LLVMGetAlignment(global);
    if (g->align == 0)
        g->align = LLVMTypeIsSized(type) ? LLVMPreferredAlignmentOfGlobal(fr->layout, global) : 1;
    g->constant = LLVMIsGlobalConstant(global);
    g->local = symbol_is_local(global);
    g->runtime = is_runtime(fr, global);
    g->site = site;
    uint32_t ctype = g->runtime ? 0 : ctype_of_global(fr, global);
    fr->p->globals.v[index].ctype = ctype;
    if (!LLVMIsDeclaration(global)) {
        g->defined = true;
        vec_push(&fr->global_queue, global);
    }
    return index;
}

bool symbol_address(Front *fr, LLVMValueRef symbol, IrConst *out)
{
    *out = (IrConst){.kind = IR_CONST_INT};
    if (LLVMIsAGlobalAlias(symbol))
        return const_address(fr, LLVMAliasGetAliasee(symbol), out);
    if (LLVMIsDeclaration(symbol) && LLVMGetLinkage(symbol) == LLVMExternalWeakLinkage)
        return true; /* it is defined nowhere: its address is null */
    if (LLVMIsAFunction(symbol))
        *out = (IrConst){.kind = IR_CONST_FN, .index = symbol_fn(fr, symbol)};
    else if (LLVMIsAGlobalVariable(symbol))
        *out = (IrConst){.kind = IR_CONST_GLOBAL, .index = symbol_global(fr, symbol)};
    else /* an ifunc: its resolver cannot be run here */
        *out = (IrConst){.kind = IR_CONST_FN, .index = ir_fn_get(fr->p, symbol_name(symbol))};
    return true;
}

/* ---- constructors and destructors ------------------------------------------------------------ */

typedef struct Structor {
    uint64_t priority;
    uint32_t order, fn;
} Structor;
typedef Vec(Structor) StructorVec;

static void collect_structors(Front *fr, const char *list, StructorVec *out)
{
    LLVMValueRef global = LLVMGetNamedGlobal(fr->module, list);
    LLVMValueRef array = global ? LLVMGetInitializer(global) : NULL;
    if (!array || !LLVMIsAConstantArray(array))
        return;
    for (unsigned i = 0; i < const_elements(array); i++) {
        LLVMValueRef entry = const_element(array, i);
        IrConst fn;
        uint64_t priority;
        if (LLVMIsAConstantStruct(entry) && const_is_int(LLVMGetOperand(entry, 0), &priority) &&
            const_address(fr, LLVMGetOperand(entry, 1), &fn) && fn.kind == IR_CONST_FN)
            vec_push(out, (Structor){.priority = priority, .order = out->n, .fn = fn.index});
    }
}

static int by_priority(const void *a, const void *b)
{
    const Structor *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void collect_all_structors(Front *fr)
{
    StructorVec make = {0}, unmake = {0};
    collect_structors(fr, "llvm.global_ctors", &make);
    collect_structors(fr, "llvm.global_dtors", &unmake);
    if (make.n)
        qsort(make.v, make.n, sizeof *make.v, by_priority);
    if (unmake.n)
        qsort(unmake.v, unmake.n, sizeof *unmake.v, by_priority);
    for (uint32_t i = 0; i < make.n; i++)
        vec_push(&fr->p->constructors, make.v[i].fn);
    for (uint32_t i = unmake.n; i-- > 0;) /* as natively: those registered last run first */
        vec_push(&fr->p->destructors, unmake.v[i].fn);
    if (fr->observer)
        vec_push(&fr->p->destructors, symbol_fn(fr, fr->observer));
    vec_free(&make);
    vec_free(&unmake);
}

/* Calls a function of the list with as many of our own parameters as it takes (glibc passes argc, argv,
 * envp). */
static void call_structor(Trans *t, uint32_t fn)
{
    const IrFn *callee = &t->p->fns.v[fn];
    uint32_t args[3], n = callee->nparams < t->ir.nparams ? callee->nparams : t->ir.nparams;
    for (uint32_t i = 0; i < n; i++)
        args[i] = resize(t, i, callee->regs.v[i].width, false);
    call_emit(t, fn, args, n, 0);
}

static void make_runner(Front *fr, const char *name, bool is_start, const U32Vec *list)
{
    Trans t = trans_new(fr, ir_fn_get(fr->p, name), NULL);
    if (is_start) {
        ir_reg_param(fr->p, &t.ir, 32, "argc");
        ir_reg_param(fr->p, &t.ir, 64, "argv");
        ir_reg_param(fr->p, &t.ir, 64, "envp");
    }
    t.block = block_new(&t, "entry");
    for (uint32_t i = 0; i < list->n; i++)
        call_structor(&t, list->v[i]);
    uint32_t none = 0;
    emit_plain(&t, IR_RET, 0, 0, ir_extra_add(&t.ir, &none, 1), 0, 0);
    trans_finish(&t);
}

/* ---- everything ------------------------------------------------------------------------------ */

static void seed(Front *fr)
{
    const FrontendOptions *o = fr->options;
    LLVMValueRef start = LLVMGetNamedFunction(fr->module, "__sheaf_start");
    if (o->entry)
        symbol_fn(fr, LLVMGetNamedFunction(fr->module, o->entry));
    if (start)
        symbol_fn(fr, start);
    collect_all_structors(fr);
    if (o->entry && !o->all_functions)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(fr->module); f; f = LLVMGetNextFunction(f))
        if (map_get(&fr->user_symbols, (uintptr_t)f, NULL))
            symbol_fn(fr, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(fr->module); g; g = LLVMGetNextGlobal(g))
        if (map_get(&fr->user_symbols, (uintptr_t)g, NULL) && !text_starts_with(symbol_name(g), "llvm."))
            symbol_global(fr, g);
}

static void number_label(Front *fr, IrConst *c)
{
    if (c->kind != IR_CONST_BLOCK)
        return;
    uint64_t block = map_get_or(&fr->block_numbers, (uintptr_t)fr->tokens.v[c->block].block, IR_NONE);
    if (block == IR_NONE)
        bug("the address of a block that was not translated");
    c->block = (uint32_t)block;
}

static void number_labels(Front *fr)
{
    for (uint32_t i = 0; fr->tokens.n && i < fr->p->fns.n; i++)
        for (uint32_t k = 0; k < fr->p->fns.v[i].consts.n; k++)
            number_label(fr, &fr->p->fns.v[i].consts.v[k]);
    for (uint32_t i = 0; fr->tokens.n && i < fr->p->globals.n; i++)
        for (uint32_t k = 0; k < fr->p->globals.v[i].relocs.n; k++)
            number_label(fr, &fr->p->globals.v[i].relocs.v[k].value);
}

/* Translates what is queued until nothing new turns up; initialisers that need code end up in one init
 * function. */
static void drain(Front *fr)
{
    Trans init = {0};
    while (fr->fn_queue.n || fr->global_queue.n || fr->init_stores.n) {
        if (fr->fn_queue.n) {
            fn_translate(fr, vec_pop(&fr->fn_queue));
        } else if (fr->global_queue.n) {
            global_translate(fr, vec_pop(&fr->global_queue));
        } else {
            if (!init.fr) {
                fr->p->init = ir_fn_get(fr->p, "__sheaf_init");
                init = trans_new(fr, fr->p->init, NULL);
                init.block = block_new(&init, "entry");
            }
            InitStore store = vec_pop(&fr->init_stores);
            globals_init_code(&init, &store);
        }
    }
    if (init.fr) {
        uint32_t none = 0;
        emit_plain(&init, IR_RET, 0, 0, ir_extra_add(&init.ir, &none, 1), 0, 0);
        trans_finish(&init);
    }
}

void module_translate(Front *fr)
{
    seed(fr);
    drain(fr);
    make_runner(fr, "__sheaf_constructors", true, &fr->p->constructors);
    make_runner(fr, "__sheaf_destructors", false, &fr->p->destructors);
    number_labels(fr);
    ir_program_index(fr->p);
}
