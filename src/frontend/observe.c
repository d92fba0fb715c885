/* observe.c - what the user wants to see: FILE:LINE:EXPRESSION before that line, EXPRESSION where the program
 * ends.
 *
 * An expression is a variable, and members and elements of what it holds or points to: x, p->len, s.v[2], *p.
 * Requires: the user's module, before its locals go into registers. Leaves: a call of __sheaf_observed there,
 * of a variable that so stays in memory. The end is where the entry returns; of variables of the program in a
 * program with a main it is where the exit handlers run. */
#include "frontend/frontend_int.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

typedef struct Observed {
    const char *text; /* all of it: the output's name */
    const char *file; /* NULL: at the end */
    unsigned line;
    const char *expression;
} Observed;

static Observed parse(Front *fr, const char *text)
{
    const char *last = strrchr(text, ':'), *before = last;
    u128 line;
    if (!last)
        return (Observed){.text = text, .expression = text};
    while (before > text && before[-1] != ':')
        before--;
    if (before == text || !last[1] ||
        !text_parse_u128(arena_strndup(fr->arena, before, (size_t)(last - before)), 10, &line) || !line)
        die("%s: expected FILE:LINE:EXPRESSION", text);
    return (Observed){text, arena_strndup(fr->arena, text, (size_t)(before - 1 - text)), (unsigned)line,
                      last + 1};
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The file as the user wrote it, or its end after a slash. */
static bool is_file(LLVMValueRef insn, const char *wanted)
{
    unsigned n;
    const char *file = LLVMGetDebugLocFilename(insn, &n);
    size_t size = strlen(wanted);
    return file && n >= size && !memcmp(file + n - size, wanted, size) &&
           (n == size || file[n - size - 1] == '/');
}

static LLVMValueRef first_of_line(LLVMValueRef fn, const Observed *o)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!LLVMIsAAllocaInst(i) && !LLVMIsAPHINode(i) && LLVMGetDebugLocLine(i) == o->line &&
                is_file(i, o->file))
                return i;
    return NULL;
}

static bool is_named(LLVMValueRef object, const char *name, const char *end)
{
    size_t n, size = strlen(name), more = strlen(end);
    const char *has = LLVMGetValueName2(object, &n);
    return n == size + more && !memcmp(has, name, size) && !memcmp(has + size, end, more);
}

/* A local, or a parameter's copy. */
static LLVMValueRef local_of(LLVMValueRef fn, const char *name)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && (is_named(i, name, "") || is_named(i, name, ".addr")))
                return i;
    return NULL;
}

/* A static local, or a variable of the program. */
static LLVMValueRef global_of(Front *fr, LLVMValueRef fn, const char *name)
{
    LLVMValueRef inside =
        fn ? LLVMGetNamedGlobal(fr->module, arena_printf(fr->arena, "%s.%s", symbol_name(fn), name)) : NULL;
    return inside ? inside : LLVMGetNamedGlobal(fr->module, name);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Where an expression leads: `offset` bytes behind `base`, an object of this type. */
typedef struct Place {
    Front *fr;
    LLVMBuilderRef builder;
    const char *text;  /* the criterion, for messages */
    LLVMValueRef base; /* as an i8 * */
    uint64_t offset, size;
    uint32_t type;
} Place;

static const IrCType *type_at(const Place *p) { return p->type ? &p->fr->p->ctypes.v[p->type] : NULL; }

static LLVMTypeRef pointer_type(Front *fr) { return LLVMPointerType(LLVMInt8TypeInContext(fr->context), 0); }

static LLVMValueRef word(Front *fr, uint64_t value)
{
    return LLVMConstInt(LLVMInt64TypeInContext(fr->context), value, false);
}

static LLVMValueRef call(Place *p, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned n)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef signature = LLVMFunctionType(result, types, n, false);
    LLVMValueRef fn = LLVMGetNamedFunction(p->fr->module, name);
    if (!fn)
        fn = LLVMAddFunction(p->fr->module, name, signature);
    return LLVMBuildCall2(p->builder, signature, fn, arguments, n, "");
}

/* From a pointer to what it leads to; from null to nothing. */
static void follow(Place *p)
{
    const IrCType *t = type_at(p);
    if (!t || t->kind != IR_C_POINTER || !t->of || !p->fr->p->ctypes.v[t->of].size)
        die("--criterion %s: debug information describes no object behind a pointer there", p->text);
    LLVMValueRef arguments[] = {p->base, word(p->fr, p->offset)};
    p->type = t->of;
    p->base = call(p, "__sheaf_observed_step", pointer_type(p->fr), arguments, 2);
    p->offset = 0;
    p->size = p->fr->p->ctypes.v[p->type].size;
}

/* The member of that name, of anonymous structures too; *low: bits from the start. */
static const IrCMember *member(const IrProgram *p, const IrCType *record, const char *name, uint64_t *low)
{
    for (uint32_t i = 0; i < record->n; i++) {
        const IrCMember *m = &p->cmembers.v[record->first + i], *inner = NULL;
        const IrCType *type = &p->ctypes.v[m->type];
        uint64_t within = 0;
        if (!strcmp(ir_text(p, m->name), name))
            inner = m;
        else if (!*ir_text(p, m->name) && type->kind == IR_C_RECORD)
            inner = member(p, type, name, &within), *low += inner ? m->low : 0;
        if (inner) {
            *low += inner == m ? m->low : within;
            return inner;
        }
    }
    return NULL;
}

static void select_member(Place *p, const char *name)
{
    const IrCType *t = type_at(p);
    uint64_t low = 0;
    const IrCMember *m = t && t->kind == IR_C_RECORD ? member(p->fr->p, t, name, &low) : NULL;
    if (!m || low % 8 || m->bits % 8)
        die("--criterion %s: there is no member '%s' that can be shown", p->text, name);
    p->offset += low / 8;
    p->size = m->bits / 8;
    p->type = m->type;
}

static void select_element(Place *p, uint64_t index)
{
    if (type_at(p) && type_at(p)->kind == IR_C_POINTER)
        follow(p);
    else if (type_at(p) && type_at(p)->kind == IR_C_ARRAY)
        p->type = type_at(p)->of;
    else
        die("--criterion %s: what has an index is neither an array nor a pointer", p->text);
    p->size = p->fr->p->ctypes.v[p->type].size;
    p->offset += index * p->size;
}

static const char *take_name(Front *fr, const char **at)
{
    const char *from = *at;
    while (isalnum((unsigned char)**at) || **at == '_')
        ++*at;
    return arena_strndup(fr->arena, from, (size_t)(*at - from));
}

/* What stands behind the variable's name, and the stars before it. */
static void walk(Place *p, const char *at, unsigned stars)
{
    u128 index;
    while (*at) {
        if (!strncmp(at, "->", 2)) {
            follow(p);
            at += 2;
            select_member(p, take_name(p->fr, &at));
        } else if (*at == '.') {
            at++;
            select_member(p, take_name(p->fr, &at));
        } else if (*at == '[' && strchr(at, ']') &&
                   text_parse_u128(arena_strndup(p->fr->arena, at + 1, strcspn(at + 1, "]")), 10, &index) &&
                   index < 1 << 30) {
            select_element(p, (uint64_t)index);
            at = strchr(at, ']') + 1;
        } else {
            die("--criterion %s: expected a variable, its members and elements: x, p->len, s.v[2], *p",
                p->text);
        }
    }
    for (; stars; stars--)
        follow(p);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static void show(Front *fr, LLVMBuilderRef builder, const Observed *o, LLVMValueRef variable,
                 const char *rest, unsigned stars)
{
    bool local = LLVMIsAAllocaInst(variable);
    LLVMTypeRef type = local ? LLVMGetAllocatedType(variable) : LLVMGlobalGetValueType(variable);
    Place p = {.fr = fr,
               .builder = builder,
               .text = o->text,
               .type = local ? ctype_of_local(fr, variable) : ctype_of_global(fr, variable),
               .base = LLVMBuildBitCast(builder, variable, pointer_type(fr), ""),
               .size = LLVMABISizeOfType(LLVMGetModuleDataLayout(fr->module), type)};
    walk(&p, rest, stars);
    LLVMValueRef arguments[] = {p.base, word(fr, p.offset), word(fr, p.size),
                                LLVMBuildGlobalStringPtr(builder, o->text, "observed")};
    call(&p, "__sheaf_observed", LLVMVoidTypeInContext(fr->context), arguments, 4);
    strmap_put(&fr->p->output_ctypes, o->text, p.type);
}

/* The variable that the expression begins with; NULL: there is none. *rest: behind its name. */
static LLVMValueRef root_of(Front *fr, LLVMValueRef fn, const Observed *o, const char **rest, unsigned *stars,
                            bool globals)
{
    const char *at = o->expression;
    for (*stars = 0; *at == '*'; at++)
        ++*stars;
    const char *name = take_name(fr, &at);
    *rest = at;
    LLVMValueRef local = fn ? local_of(fn, name) : NULL;
    return local || !globals ? local : global_of(fr, fn, name);
}

static void observe_place(Front *fr, LLVMBuilderRef builder, const Observed *o)
{
    for (LLVMValueRef fn = LLVMGetFirstFunction(fr->module); fn; fn = LLVMGetNextFunction(fn)) {
        LLVMValueRef at = first_of_line(fn, o);
        const char *rest;
        unsigned stars;
        if (!at)
            continue;
        LLVMValueRef variable = root_of(fr, fn, o, &rest, &stars, true);
        if (!variable)
            die("%s: %s has no variable '%s' there", o->text, symbol_name(fn), o->expression);
        LLVMPositionBuilderBefore(builder, at);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(at));
        show(fr, builder, o, variable, rest, stars);
        return;
    }
    die("%s: no code of the program stands on that line", o->text);
}

static void observe_returns(Front *fr, LLVMBuilderRef builder, LLVMValueRef fn, const Observed *o,
                            LLVMValueRef variable, const char *rest, unsigned stars)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!last || !LLVMIsAReturnInst(last))
            continue;
        LLVMPositionBuilderBefore(builder, last);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(last));
        show(fr, builder, o, variable, rest, stars);
    }
}

/* A function that runs among the exit handlers. */
static void observe_exit(Front *fr, LLVMBuilderRef builder, const Observed *o, LLVMValueRef variable,
                         const char *rest, unsigned stars)
{
    if (!fr->observer) {
        LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(fr->context), NULL, 0, false);
        fr->observer = LLVMAddFunction(fr->module, "__sheaf_observer", type);
        LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(fr->context, fr->observer, "entry"));
        LLVMSetCurrentDebugLocation2(builder, NULL);
        LLVMBuildRetVoid(builder);
    }
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(fr->observer)));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    show(fr, builder, o, variable, rest, stars);
}

static void observe_end(Front *fr, LLVMBuilderRef builder, const Observed *o)
{
    const char *entry = fr->options->entry ? fr->options->entry : "main", *rest;
    LLVMValueRef fn = LLVMGetNamedFunction(fr->module, entry);
    unsigned stars;
    bool handlers = !strcmp(entry, "main");
    if (!fn || LLVMIsDeclaration(fn))
        fn = LLVMGetNamedFunction(fr->module, "LLVMFuzzerTestOneInput"), handlers = false;
    LLVMValueRef local = fn ? root_of(fr, fn, o, &rest, &stars, false) : NULL;
    LLVMValueRef variable = local ? local : root_of(fr, fn, o, &rest, &stars, true);
    if (!fn || !variable)
        die("--criterion %s: no sheaf_output names it, and %s has no such variable", o->text, entry);
    if (!local && handlers)
        observe_exit(fr, builder, o, variable, rest, stars);
    else
        observe_returns(fr, builder, fn, o, variable, rest, stars);
}

void observe_user(Front *fr)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(fr->context);
    for (uint32_t i = 0; i < fr->options->observed.n; i++) {
        Observed o = parse(fr, fr->options->observed.v[i]);
        if (o.file)
            observe_place(fr, builder, &o);
        else
            observe_end(fr, builder, &o);
    }
    LLVMDisposeBuilder(builder);
}
