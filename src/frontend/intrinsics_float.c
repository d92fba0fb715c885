/* intrinsics_float.c - LLVM's intrinsics for floats. */
#include "frontend/intrinsics_int.h"

/* What clang yields for a * b + c. Processors that x86-64 code is compiled for by default have no fused
 * form. */
void intrinsic_multiply_add(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    Regs a = arg_regs(t, call, 0), b = arg_regs(t, call, 1), c = arg_regs(t, call, 2);
    if (intrinsic_odd_float(t, call))
        return;
    uint32_t *out = regs_room(t, a.n);
    for (uint32_t i = 0; i < a.n; i++) {
        uint8_t width = reg_width(t, a.v[i]);
        out[i] = emit(t, IR_FADD, width, emit(t, IR_FMUL, width, a.v[i], b.v[i], 0), c.v[i], 0);
    }
    set_regs(t, call, out, a.n);
}

/* IEEE 754-2019 minimum and maximum: a NaN wins, -0 is less than +0. Equal operands differ at most in their
 * sign bit, so that `or` picks the negative one and `and` the positive one: what->with. */
void intrinsic_nan_minimum(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    Regs a = arg_regs(t, call, 0), b = arg_regs(t, call, 1);
    bool is_min = what->with == IR_OR;
    if (intrinsic_odd_float(t, call))
        return;
    uint32_t *out = regs_room(t, a.n);
    for (uint32_t i = 0; i < a.n; i++) {
        uint8_t width = reg_width(t, a.v[i]);
        uint32_t x = a.v[i], y = b.v[i];
        uint32_t less = emit(t, IR_FOLT, 1, x, y, 0), more = emit(t, IR_FOLT, 1, y, x, 0);
        uint32_t equal = emit(t, (IrOp)what->with, width, x, y, 0), nan = emit(t, IR_FADD, width, x, y, 0);
        uint32_t best = emit(t, IR_SELECT, width, is_min ? less : more, x, equal);
        best = emit(t, IR_SELECT, width, is_min ? more : less, y, best);
        out[i] = emit(t, IR_SELECT, width, emit(t, IR_FUNO, 1, x, y, 0), nan, best);
    }
    set_regs(t, call, out, a.n);
}

void intrinsic_to_integer(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    const TypeInfo *info = value_info(t, call);
    Regs a = arg_regs(t, call, 0);
    if (intrinsic_odd_float(t, call))
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++) {
        uint32_t whole = emit(t, (IrOp)what->with, reg_width(t, a.v[i]), a.v[i], 0, 0);
        out[i] = emit(t, IR_FPTOSI, info->leaves[i].width, whole, 0, 0);
    }
    set_regs(t, call, out, info->n);
}

/* A conversion whose result is the nearest integer of the type, 0 for a NaN. */
void intrinsic_saturate(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    const TypeInfo *info = value_info(t, call);
    Regs a = arg_regs(t, call, 0);
    bool is_signed = what->with == IR_FPTOSI;
    if (intrinsic_odd_float(t, call))
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++) {
        uint8_t width = info->leaves[i].width, from = reg_width(t, a.v[i]);
        u128 most = bits_mask(is_signed ? width - 1u : width), least = is_signed ? (u128)1 << (width - 1) : 0;
        IrOp back = is_signed ? IR_SITOFP : IR_UITOFP;
        uint32_t top = emit(t, back, from, reg_int(t, width, most), 0, 0);
        uint32_t bottom = emit(t, back, from, reg_int(t, width, least), 0, 0);
        uint32_t value = emit(t, (IrOp)what->with, width, a.v[i], 0, 0);
        value =
            emit(t, IR_SELECT, width, emit(t, IR_FOLE, 1, top, a.v[i], 0), reg_int(t, width, most), value);
        value = emit(t, IR_SELECT, width, emit(t, IR_FOLE, 1, a.v[i], bottom, 0), reg_int(t, width, least),
                     value);
        out[i] =
            emit(t, IR_SELECT, width, emit(t, IR_FUNO, 1, a.v[i], a.v[i], 0), reg_int(t, width, 0), value);
    }
    set_regs(t, call, out, info->n);
}

/* ---- classes --------------------------------------------------------------------------------- */

typedef struct FloatShape {
    u128 infinity, least_normal, quiet; /* bit patterns; quiet: the bit that tells quiet NaNs */
} FloatShape;

static FloatShape float_shape(unsigned width)
{
    switch (width) {
    case 32: return (FloatShape){0x7f800000, 0x00800000, 0x00400000};
    case 64: return (FloatShape){(u128)0x7ff << 52, (u128)1 << 52, (u128)1 << 51};
    default:
        return (FloatShape){(u128)0x7fff << 64 | (u128)1 << 63, (u128)1 << 64 | (u128)1 << 63, (u128)1 << 62};
    }
}

/* What a mask wants of a class: nothing, all of it, or one sign. `held` says that x is of the class. */
static uint32_t with_sign(Trans *t, uint32_t x, uint32_t held, bool negative, bool positive)
{
    if (negative && positive)
        return held;
    uint32_t zero = reg_int(t, reg_width(t, x), 0);
    uint32_t sign = negative ? emit(t, IR_SLT, 1, x, zero, 0) : emit(t, IR_SLE, 1, zero, x, 0);
    return emit(t, IR_AND, 1, held, sign, 0);
}

/* One bit: is x a NaN of the kinds that the mask wants? */
static uint32_t nan_class(Trans *t, uint32_t x, FloatShape shape, bool signalling, bool quiet)
{
    uint8_t width = reg_width(t, x);
    uint32_t nan = emit(t, IR_FUNO, 1, x, x, 0);
    if (signalling && quiet)
        return nan;
    uint32_t bit = emit(t, IR_AND, width, x, reg_int(t, width, shape.quiet), 0);
    return emit(t, IR_AND, 1, nan, emit(t, quiet ? IR_NE : IR_EQ, 1, bit, reg_int(t, width, 0), 0), 0);
}

/* least <= x < limit, or least < x < limit, as `from` says. */
static uint32_t is_between(Trans *t, IrOp from, uint32_t least, uint32_t x, uint32_t limit)
{
    return emit(t, IR_AND, 1, emit(t, from, 1, least, x, 0), emit(t, IR_FOLT, 1, x, limit, 0), 0);
}

/* One bit: does x belong to one of the classes of LLVM's mask? Bits 0 and 1: signalling, quiet NaN; 2 to 5:
 * negative infinity, normal, subnormal, zero; 6 to 9: positive zero, subnormal, normal, infinity. */
static uint32_t class_of(Trans *t, uint32_t x, unsigned mask)
{
    uint8_t width = reg_width(t, x);
    FloatShape shape = float_shape(width);
    uint32_t size = emit(t, IR_FABS, width, x, 0, 0), zero = reg_int(t, width, 0), answer = reg_int(t, 1, 0);
    uint32_t infinity = reg_int(t, width, shape.infinity), normal = reg_int(t, width, shape.least_normal);
    if (mask & 3)
        answer = nan_class(t, x, shape, mask & 1, mask & 2);
    for (unsigned i = 0; i < 4; i++) {
        bool negative = mask >> (2 + i) & 1, positive = mask >> (9 - i) & 1;
        uint32_t held;
        if (!negative && !positive)
            continue;
        switch (i) {
        case 0: held = emit(t, IR_FOEQ, 1, size, infinity, 0); break;
        case 1: held = is_between(t, IR_FOLE, normal, size, infinity); break;
        case 2: held = is_between(t, IR_FOLT, zero, size, normal); break;
        default: held = emit(t, IR_FOEQ, 1, size, zero, 0);
        }
        answer = emit_fold(t, IR_OR, 1, answer, with_sign(t, x, held, negative, positive), 0);
    }
    return answer;
}

void intrinsic_fp_class(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    Regs a = arg_regs(t, call, 0);
    uint64_t mask = 0;
    if (intrinsic_odd_float(t, call))
        return;
    const_is_int(LLVMGetArgOperand(call, 1), &mask);
    uint32_t *out = regs_room(t, a.n);
    for (uint32_t i = 0; i < a.n; i++)
        out[i] = class_of(t, a.v[i], (unsigned)mask);
    set_regs(t, call, out, a.n);
}

/* ---- comparisons under #pragma STDC FENV_ACCESS ---------------------------------------------- */

void intrinsic_constrained_compare(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    static const struct {
        const char *name;
        IrOp op;
        bool swap;
    } predicates[] = {
        {"oeq", IR_FOEQ, false}, {"ogt", IR_FOLT, true},  {"oge", IR_FOLE, true},  {"olt", IR_FOLT, false},
        {"ole", IR_FOLE, false}, {"one", IR_FONE, false}, {"ord", IR_FORD, false}, {"uno", IR_FUNO, false},
        {"ueq", IR_FUEQ, false}, {"ugt", IR_FULT, true},  {"uge", IR_FULE, true},  {"ult", IR_FULT, false},
        {"ule", IR_FULE, false}, {"une", IR_FUNE, false},
    };
    (void)what;
    Regs a = arg_regs(t, call, 0), b = arg_regs(t, call, 1);
    unsigned n = 0;
    const char *name = LLVMGetMDString(LLVMGetArgOperand(call, 2), &n);
    if (intrinsic_odd_float(t, call))
        return;
    for (unsigned p = 0; name && n == 3 && p < COUNT_OF(predicates); p++) {
        if (strncmp(name, predicates[p].name, 3) != 0)
            continue;
        Regs left = predicates[p].swap ? b : a, right = predicates[p].swap ? a : b;
        uint32_t *out = regs_room(t, a.n);
        for (uint32_t i = 0; i < a.n; i++)
            out[i] = emit(t, predicates[p].op, 1, left.v[i], right.v[i], 0);
        set_regs(t, call, out, a.n);
        return;
    }
    problem(t, "a floating-point comparison of unknown kind");
}

/* ---- libm ------------------------------------------------------------------------------------ */

/* The C function behind an intrinsic, for elements of a type: with f or l appended for float and long double.
 * Powers with integer exponents have the names that compilers' own libraries give them. */
static const char *library_name(Arena *a, const Intrinsic *what, LLVMTypeRef element)
{
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    unsigned column = kind == LLVMFloatTypeKind ? 0 : kind == LLVMDoubleTypeKind ? 1 : 2;
    static const char *const suffix[] = {"f", "", "l"}, *const powers[] = {"__powisf2", "__powidf2",
                                                                           "__powixf2"};
    if (what->handler == intrinsic_power_int)
        return powers[column];
    return arena_printf(a, "%s%s", what->name, suffix[column]);
}

static LLVMTypeRef element_type(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static LLVMValueRef library_function(Front *fr, const Intrinsic *what, LLVMTypeRef type)
{
    LLVMTypeRef params[3] = {NULL}, result = element_type(LLVMGetReturnType(type));
    unsigned n = LLVMCountParamTypes(type);
    if (n > COUNT_OF(params))
        bug("%s with %u parameters", what->name, n);
    LLVMGetParamTypes(type, params);
    for (unsigned i = 0; i < n; i++)
        params[i] = element_type(params[i]);
    return symbol_declare(fr, library_name(fr->arena, what, result),
                          LLVMFunctionType(result, params, n, false));
}

void intrinsic_declare_library(Front *fr, LLVMValueRef fn)
{
    if (!text_starts_with(symbol_name(fn), "llvm."))
        return;
    const Intrinsic *what = intrinsic_find(symbol_name(fn));
    if (what && (what->handler == intrinsic_libm || what->handler == intrinsic_power_int))
        library_function(fr, what, LLVMGlobalGetValueType(fn));
}

void intrinsic_libm(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    const TypeInfo *info = value_info(t, call);
    unsigned n = LLVMGetNumArgOperands(call);
    Regs in[3];
    if (intrinsic_odd_float(t, call))
        return;
    uint32_t fn = symbol_fn(t->fr, library_function(t->fr, what, LLVMGetCalledFunctionType(call)));
    for (unsigned i = 0; i < n; i++)
        in[i] = arg_regs(t, call, i);
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++) {
        uint32_t args[3];
        for (unsigned k = 0; k < n; k++)
            args[k] = in[k].v[in[k].n == 1 ? 0 : i];
        out[i] = call_emit(t, fn, args, n, info->leaves[i].width);
    }
    set_regs(t, call, out, info->n);
}

void intrinsic_power_int(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    intrinsic_libm(t, call, what);
}
