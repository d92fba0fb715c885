/* calls.c - calls: direct, through pointers, variadic, of functions that are no functions (setjmp). */
#include "frontend/frontend_int.h"

typedef enum CalleeKind {
    CALLEE_ORDINARY,
    CALLEE_INTRINSIC,
    CALLEE_UNINIT,
    CALLEE_SETJMP,
    CALLEE_LONGJMP
} CalleeKind;

typedef struct Callee {
    CalleeKind kind;
    const Intrinsic *intrinsic; /* NULL: one that we do not know */
} Callee;

static CalleeKind kind_of(LLVMValueRef fn, const char *name)
{
    static const char *const setjmps[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"};
    static const char *const longjmps[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
    if (!LLVMIsDeclaration(fn))
        return CALLEE_ORDINARY;
    if (text_starts_with(name, "llvm."))
        return CALLEE_INTRINSIC;
    if (text_starts_with(name, UNINIT_PREFIX))
        return CALLEE_UNINIT;
    for (unsigned i = 0; i < COUNT_OF(setjmps); i++) {
        if (strcmp(name, setjmps[i]) == 0)
            return CALLEE_SETJMP;
        if (strcmp(name, longjmps[i]) == 0)
            return CALLEE_LONGJMP;
    }
    return CALLEE_ORDINARY;
}

static const Callee *classify(Front *fr, LLVMValueRef fn)
{
    uint64_t known;
    if (map_get(&fr->callees, (uintptr_t)fn, &known))
        return (const Callee *)(uintptr_t)known;
    Callee *callee = arena_alloc(fr->arena, sizeof *callee);
    callee->kind = kind_of(fn, symbol_name(fn));
    if (callee->kind == CALLEE_INTRINSIC)
        callee->intrinsic = intrinsic_find(symbol_name(fn));
    map_put(&fr->callees, (uintptr_t)fn, (uintptr_t)callee);
    return callee;
}

/* ---- the list of a call ---------------------------------------------------------------------- */

typedef struct CallList {
    Trans *t;
    U32Vec args, vars; /* vars: triples */
} CallList;

static void add_fixed(CallList *list, Regs value)
{
    for (uint32_t i = 0; i < value.n; i++)
        vec_push(&list->args, value.v[i]);
}

/* A variadic argument as it would lie on the stack: each register a slot of its own, a vector in one
 * piece. */
static void add_variadic(CallList *list, LLVMValueRef call, unsigned i, Regs value)
{
    Trans *t = list->t;
    LLVMValueRef arg = LLVMGetArgOperand(call, i);
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, t->fr->attr_byval);
    if (byval && value.n == 1) {
        LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, i + 1, t->fr->attr_align);
        vec_push(&list->vars, value.v[0]);
        vec_push(&list->vars, (uint32_t)type_size(t->fr, LLVMGetTypeAttributeValue(byval)));
        vec_push(&list->vars, align ? (uint32_t)LLVMGetEnumAttributeValue(align) : 8);
        return;
    }
    uint32_t whole;
    if (LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMVectorTypeKind && value.n > 1) {
        if (value.n * reg_width(t, value.v[0]) > 128) {
            problem(t, "a vector of more than 128 bits as a variadic argument");
            return;
        }
        whole = vector_join(t, value.v, value.n);
        value = (Regs){.v = &whole, .n = 1};
    }
    for (uint32_t k = 0; k < value.n; k++) {
        vec_push(&list->vars, value.v[k]);
        vec_push(&list->vars, 0);
        vec_push(&list->vars, reg_width(t, value.v[k]) > 64 ? 16 : 8);
    }
}

static uint32_t add_list(Trans *t, const uint32_t *dst, uint32_t ndst, const CallList *list)
{
    U32Vec all = {0};
    vec_push(&all, ndst);
    for (uint32_t i = 0; i < ndst; i++)
        vec_push(&all, dst[i]);
    vec_push(&all, list->args.n);
    for (uint32_t i = 0; i < list->args.n; i++)
        vec_push(&all, list->args.v[i]);
    vec_push(&all, list->vars.n / 3);
    for (uint32_t i = 0; i < list->vars.n; i++)
        vec_push(&all, list->vars.v[i]);
    uint32_t start = ir_extra_add(&t->ir, all.v, all.n);
    vec_free(&all);
    return start;
}

uint32_t call_emit(Trans *t, uint32_t fn, const uint32_t *args, uint32_t n, uint8_t width)
{
    CallList list = {.t = t};
    uint32_t dst = width ? ir_reg_result(t->p, &t->ir, width, NULL) : IR_NONE;
    add_fixed(&list, (Regs){.v = args, .n = n});
    emit_plain(t, IR_CALL, 0, 0, fn, add_list(t, &dst, width ? 1 : 0, &list), 0);
    vec_free(&list.args);
    return dst;
}

/* ---- ordinary calls -------------------------------------------------------------------------- */

static bool is_noreturn(Trans *t, LLVMValueRef call, LLVMValueRef callee)
{
    return LLVMGetCallSiteEnumAttribute(call, OF_FUNCTION, t->fr->attr_noreturn) ||
           (LLVMIsAFunction(callee) &&
            LLVMGetEnumAttributeAtIndex(callee, OF_FUNCTION, t->fr->attr_noreturn));
}

/* The arguments that the callee has parameters for. A callee that is known says itself, since a call without
 * a prototype in scope (`int printf(); printf("%d", 1);`) knows nothing of an ellipsis; else the call's type
 * says. */
static unsigned fixed_args(LLVMValueRef call, LLVMValueRef callee)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned n = LLVMGetNumArgOperands(call);
    if (LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee)) {
        type = LLVMGlobalGetValueType(callee);
        if (!LLVMIsFunctionVarArg(type))
            return n;
    }
    unsigned params = LLVMCountParamTypes(type);
    return LLVMIsFunctionVarArg(type) && params < n ? params : n;
}

/* ---- how a call passes values natively: the letters of IrFn.native --------------------------- */

static char native_letter(const Front *fr, LLVMTypeRef type, LLVMValueRef call, LLVMAttributeIndex at)
{
    bool is_signed = LLVMGetCallSiteEnumAttribute(call, at, fr->attr_signext) != NULL;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind: return 'v';
    case LLVMFloatTypeKind: return 'f';
    case LLVMDoubleTypeKind: return 'd';
    case LLVMX86_FP80TypeKind: return 'l';
    case LLVMPointerTypeKind: return 'p';
    case LLVMIntegerTypeKind: break;
    default: return 'x';
    }
    switch (LLVMGetIntTypeWidth(type)) {
    case 1: return 'C';
    case 8: return is_signed ? 'c' : 'C';
    case 16: return is_signed ? 'h' : 'H';
    case 32: return 'i';
    case 64: return 'L';
    default: return 'x';
    }
}

/* Calls say what is passed, not the declaration, which may have no prototype or an ellipsis. Where two calls
 * disagree the function has no one way to be called. */
static void note_native(Trans *t, LLVMValueRef call, LLVMValueRef callee)
{
    Str letters = {0};
    uint32_t index = symbol_fn(t->fr, callee);
    str_add_char(&letters, native_letter(t->fr, LLVMTypeOf(call), call, LLVMAttributeReturnIndex));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        str_add_char(&letters, native_letter(t->fr, LLVMTypeOf(LLVMGetArgOperand(call, i)), call, i + 1));
    IrFn *fn = &t->p->fns.v[index];
    uint32_t now = ir_string(t->p, str_text(&letters));
    fn->native = !fn->native || fn->native == now ? now : ir_string(t->p, "x");
    str_free(&letters);
}

static void ordinary(Trans *t, LLVMValueRef call, LLVMValueRef callee)
{
    CallList list = {.t = t};
    unsigned n = LLVMGetNumArgOperands(call), fixed = fixed_args(call, callee);
    const TypeInfo *result = value_info(t, call);
    IrConst to = {0};
    bool is_direct = LLVMIsAConstant(callee) && const_address(t->fr, callee, &to) && to.kind == IR_CONST_FN &&
                     to.bits == 0;
    uint32_t pointer = is_direct ? 0 : reg_of(t, callee);
    for (unsigned i = 0; i < n && !t->problem; i++) {
        value_info(t, LLVMGetArgOperand(call, i));
        Regs value = regs_of(t, LLVMGetArgOperand(call, i));
        if (t->problem)
            break;
        if (i < fixed)
            add_fixed(&list, value);
        else
            add_variadic(&list, call, i, value);
    }
    if (!t->problem) {
        uint32_t *dst = regs_room(t, result->n);
        for (uint32_t i = 0; i < result->n; i++)
            dst[i] = ir_reg_result(t->p, &t->ir, result->leaves[i].width, NULL);
        emit_plain(t, is_direct ? IR_CALL : IR_CALLPTR, 0, is_noreturn(t, call, callee) ? IR_NORETURN : 0,
                   is_direct ? to.index : pointer, add_list(t, dst, result->n, &list), 0);
        set_regs(t, call, dst, result->n);
    }
    vec_free(&list.args);
    vec_free(&list.vars);
}

/* ---- what only looks like a call ------------------------------------------------------------- */

/* See prepare.c. A value that is never read has been replaced by a first assignment. */
static void uninit(Trans *t, LLVMValueRef call)
{
    if (!LLVMGetFirstUse(call))
        return;
    const TypeInfo *info = value_info(t, call);
    uint32_t *regs = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        regs[i] = emit(t, IR_UNINIT, info->leaves[i].width, 0, 0, 0);
    set_regs(t, call, regs, info->n);
}

/* LLVM 14 casts functions where a call's type is not the function's. */
static LLVMValueRef strip_casts(LLVMValueRef callee)
{
    while (LLVMIsAConstantExpr(callee) && LLVMGetConstOpcode(callee) == LLVMBitCast)
        callee = LLVMGetOperand(callee, 0);
    return callee;
}

/* ---- setjmp and longjmp ---------------------------------------------------------------------- */

static const char save_name[] = "__sheaf_jump_save", restore_name[] = "__sheaf_jump_restore";

/* Where sigsetjmp is called, the runtime keeps masks of signals in the buffers: each setjmp says whether
 * to. */
void call_declare_jumps(Front *fr, LLVMValueRef fn)
{
    const char *name = symbol_name(fn);
    if (strcmp(name, "sigsetjmp") != 0 && strcmp(name, "__sigsetjmp") != 0)
        return;
    LLVMTypeRef number = LLVMInt32TypeInContext(fr->context);
    LLVMTypeRef params[] = {LLVMPointerType(LLVMInt8TypeInContext(fr->context), 0), number};
    LLVMTypeRef nothing = LLVMVoidTypeInContext(fr->context);
    symbol_declare(fr, save_name, LLVMFunctionType(nothing, params, 2, false));
    symbol_declare(fr, restore_name, LLVMFunctionType(nothing, params, 1, false));
}

/* Calls a function of the runtime with the first arguments that it takes, if it was linked. */
static void call_runtime(Trans *t, const char *name, const uint32_t *args, uint32_t nargs)
{
    LLVMValueRef fn = LLVMGetNamedFunction(t->fr->module, name);
    if (fn && !LLVMIsDeclaration(fn))
        call_emit(t, symbol_fn(t->fr, fn), args, nargs, 0);
}

/* glibc's setjmp.h makes _setjmp of setjmp: the function of that name saves the mask, as BSD's does. */
static uint32_t saves_mask(Trans *t, LLVMValueRef call)
{
    const char *name = symbol_name(strip_casts(LLVMGetCalledValue(call)));
    if (strstr(name, "sigsetjmp") && LLVMGetNumArgOperands(call) == 2)
        return resize(t, reg_of(t, LLVMGetArgOperand(call, 1)), 32, false);
    return reg_int(t, 32, *name != '_');
}

static void set_jump(Trans *t, LLVMValueRef call)
{
    uint32_t buffer = LLVMGetNumArgOperands(call) ? reg_of(t, LLVMGetArgOperand(call, 0)) : 0;
    if (LLVMGetNumArgOperands(call) == 0 || reg_width(t, buffer) != 64)
        problem(t, "setjmp without a buffer");
    if (t->problem)
        return;
    uint32_t saved[] = {buffer, saves_mask(t, call)};
    call_runtime(t, save_name, saved, 2);
    if (!t->problem)
        set_reg(t, call, emit(t, IR_SETJMP, 32, buffer, 0, 0));
}

static void long_jump(Trans *t, LLVMValueRef call)
{
    if (LLVMGetNumArgOperands(call) != 2) {
        problem(t, "longjmp without a buffer and a value");
        return;
    }
    uint32_t buffer = reg_of(t, LLVMGetArgOperand(call, 0)), value = reg_of(t, LLVMGetArgOperand(call, 1));
    if (t->problem)
        return;
    buffer = resize(t, buffer, 64, false);
    call_runtime(t, restore_name, &buffer, 1);
    emit_plain(t, IR_LONGJMP, 0, 0, buffer, resize(t, value, 32, false), 0);
}

void call_translate(Trans *t, LLVMValueRef call)
{
    LLVMValueRef callee = strip_casts(LLVMGetCalledValue(call));
    if (LLVMIsAInlineAsm(callee)) {
        call_asm(t, call, callee);
        return;
    }
    if (!LLVMIsAFunction(callee)) {
        ordinary(t, call, callee);
        return;
    }
    const Callee *what = classify(t->fr, callee);
    switch (what->kind) {
    case CALLEE_ORDINARY:
        ctype_of_call(t->fr, call, symbol_name(callee), t->site);
        if (LLVMIsDeclaration(callee) && !text_starts_with(symbol_name(callee), "__sheaf_"))
            note_native(t, call, callee);
        ordinary(t, call, callee);
        break;
    case CALLEE_UNINIT: uninit(t, call); break;
    case CALLEE_SETJMP: set_jump(t, call); break;
    case CALLEE_LONGJMP: long_jump(t, call); break;
    case CALLEE_INTRINSIC:
        if (what->intrinsic)
            intrinsic_translate(t, what->intrinsic, call);
        else
            problem(t, "%s", symbol_name(callee));
        break;
    }
}
