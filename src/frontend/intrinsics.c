/* intrinsics.c - LLVM's intrinsics for integers, memory and hints. intrinsics.def lists them. */
#include "frontend/intrinsics_int.h"

static const Intrinsic intrinsics[] = {
#define INTRINSIC(name, handler, with) {name, intrinsic_##handler, with},
#define LIBM(name)                     {name, intrinsic_libm, 0},
#include "frontend/intrinsics.def"
#undef INTRINSIC
#undef LIBM
};

const Intrinsic *intrinsic_find(const char *name)
{
    const Intrinsic *best = NULL;
    size_t longest = 0;
    name += strlen("llvm.");
    for (unsigned i = 0; i < COUNT_OF(intrinsics); i++) {
        size_t n = strlen(intrinsics[i].name);
        if (n > longest && strncmp(name, intrinsics[i].name, n) == 0 && (name[n] == '.' || name[n] == '\0')) {
            best = &intrinsics[i];
            longest = n;
        }
    }
    return best;
}

/* None of them knows that the registers of an integer of more than 128 bits belong together (wide.c). */
static void refuse_wide(Trans *t, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (wide_is(LLVMGetArgOperand(call, i)))
            problem(t, "%s: an integer of more than 128 bits", symbol_name(LLVMGetCalledValue(call)));
}

void intrinsic_translate(Trans *t, const Intrinsic *what, LLVMValueRef call)
{
    value_info(t, call);
    refuse_wide(t, call);
    if (!t->problem)
        what->handler(t, call, what);
}

bool intrinsic_odd_float(Trans *t, LLVMValueRef call)
{
    const TypeInfo *result = value_info(t, call);
    const TypeInfo *operand =
        LLVMGetNumArgOperands(call) ? value_info(t, LLVMGetArgOperand(call, 0)) : result;
    if ((operand->n && operand->leaves[0].kind == LEAF_ODD) ||
        (result->n && result->leaves[0].kind == LEAF_ODD))
        problem(t, "arithmetic on a float format that is no float of ours");
    return t->problem != NULL;
}

/* ---- element by element ---------------------------------------------------------------------- */

void intrinsic_lanes(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    const TypeInfo *info = value_info(t, call);
    IrOp op = (IrOp)what->with;
    unsigned arity = bits_op_arity(ir_op_bits(op));
    Regs in[3] = {{0}};
    intrinsic_odd_float(t, call);
    for (unsigned i = 0; i < arity; i++)
        in[i] = arg_regs(t, call, i);
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        out[i] = emit(t, op, info->leaves[i].width, in[0].v[i], arity > 1 ? in[1].v[i] : 0,
                      arity > 2 ? in[2].v[i] : 0);
    set_regs(t, call, out, info->n);
}

void intrinsic_overflow(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    Regs a = arg_regs(t, call, 0), b = arg_regs(t, call, 1);
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, 2 * a.n);
    for (uint32_t i = 0; i < a.n; i++) {
        out[i] = emit(t, (IrOp)(what->with >> 8), reg_width(t, a.v[i]), a.v[i], b.v[i], 0);
        out[a.n + i] = emit(t, (IrOp)(what->with & 255), 1, a.v[i], b.v[i], 0);
    }
    set_regs(t, call, out, 2 * a.n);
}

void intrinsic_three_way(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    const TypeInfo *info = value_info(t, call);
    Regs a = arg_regs(t, call, 0), b = arg_regs(t, call, 1);
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++) {
        uint8_t width = info->leaves[i].width;
        uint32_t more = emit(t, IR_ZEXT, width, emit(t, (IrOp)what->with, 1, b.v[i], a.v[i], 0), 0, 0);
        uint32_t less = emit(t, IR_ZEXT, width, emit(t, (IrOp)what->with, 1, a.v[i], b.v[i], 0), 0, 0);
        out[i] = emit(t, IR_SUB, width, more, less, 0);
    }
    set_regs(t, call, out, info->n);
}

/* Sums and products of floats have a first operand to start from; their order is that of the elements. */
void intrinsic_reduce(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    bool has_start = LLVMGetNumArgOperands(call) == 2;
    Regs v = arg_regs(t, call, has_start ? 1 : 0), start = has_start ? arg_regs(t, call, 0) : v;
    if (intrinsic_odd_float(t, call) || v.n == 0)
        return;
    uint32_t sum = start.v[0];
    for (uint32_t i = has_start ? 0 : 1; i < v.n; i++)
        sum = emit(t, (IrOp)what->with, reg_width(t, sum), sum, v.v[i], 0);
    set_reg(t, call, sum);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void intrinsic_mem_op(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    uint32_t to = reg_of(t, LLVMGetArgOperand(call, 0)), from = reg_of(t, LLVMGetArgOperand(call, 1));
    uint32_t size = reg_of(t, LLVMGetArgOperand(call, 2));
    uint64_t is_volatile = 0;
    if (t->problem)
        return;
    if (LLVMGetNumArgOperands(call) > 3)
        const_is_int(LLVMGetArgOperand(call, 3), &is_volatile);
    emit_plain(t, (IrOp)what->with, 0, is_volatile ? IR_VOLATILE : 0, to, from, resize(t, size, 64, false));
}

/* Lifetimes of parts and of anything but stack objects mean nothing to us. */
void intrinsic_lifetime(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    LLVMValueRef object = LLVMGetArgOperand(call, LLVMGetNumArgOperands(call) - 1);
    while (LLVMIsABitCastInst(object))
        object = LLVMGetOperand(object, 0);
    if (!LLVMIsAAllocaInst(object))
        return;
    uint32_t at = reg_of(t, object);
    if (!t->problem)
        emit_plain(t, (IrOp)what->with, 0, 0, at, 0, 0);
}

void intrinsic_stack_save(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    set_reg(t, call, emit(t, IR_STACKSAVE, 64, 0, 0, 0));
}

void intrinsic_stack_restore(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    uint32_t mark = reg_of(t, LLVMGetArgOperand(call, 0));
    if (!t->problem)
        emit_plain(t, IR_STACKRESTORE, 0, 0, mark, 0, 0);
}

void intrinsic_va_start_op(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    uint32_t list = reg_of(t, LLVMGetArgOperand(call, 0));
    if (!t->problem)
        emit_plain(t, IR_VASTART, 0, 0, list, 0, 0);
}

void intrinsic_va_copy_op(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    uint32_t to = reg_of(t, LLVMGetArgOperand(call, 0)), from = reg_of(t, LLVMGetArgOperand(call, 1));
    if (!t->problem)
        emit_plain(t, IR_MEMCPY, 0, 0, to, from, reg_int(t, 64, what->with));
}

/* The 32 bits at base + offset are a distance from base. */
void intrinsic_load_relative(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    uint32_t base = reg_of(t, LLVMGetArgOperand(call, 0)), offset = reg_of(t, LLVMGetArgOperand(call, 1));
    if (t->problem)
        return;
    uint32_t distance = emit(t, IR_LOAD, 32, emit_index(t, base, offset, 1), 4, 0);
    set_reg(t, call, emit_index(t, base, distance, 1));
}

void intrinsic_ptrmask(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    uint32_t pointer = reg_of(t, LLVMGetArgOperand(call, 0)), mask = reg_of(t, LLVMGetArgOperand(call, 1));
    if (!t->problem)
        set_reg(t, call, emit(t, IR_AND, 64, pointer, resize(t, mask, 64, true), 0));
}

/* ---- leaving --------------------------------------------------------------------------------- */

void intrinsic_trap(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)call, (void)what;
    emit_plain(t, IR_TRAP, 0, 0, 0, 0, 0);
}

void intrinsic_sjlj_setjmp(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    uint32_t buffer = reg_of(t, LLVMGetArgOperand(call, 0));
    if (!t->problem)
        set_reg(t, call, emit(t, IR_SETJMP, 32, buffer, 0, 0));
}

void intrinsic_sjlj_longjmp(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    uint32_t buffer = reg_of(t, LLVMGetArgOperand(call, 0));
    if (!t->problem)
        emit_plain(t, IR_LONGJMP, 0, 0, buffer, reg_int(t, 32, 1), 0);
}

/* ---- hints ----------------------------------------------------------------------------------- */

void intrinsic_nothing(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)t, (void)call, (void)what;
}

void intrinsic_first(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    Regs a = arg_regs(t, call, 0);
    if (!t->problem)
        set_regs(t, call, a.v, a.n);
}

void intrinsic_number(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    set_reg(t, call, reg_int(t, value_info(t, call)->leaves[0].width, what->with));
}

void intrinsic_is_constant(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    set_reg(t, call, reg_int(t, 1, LLVMIsConstant(LLVMGetArgOperand(call, 0)) != 0));
}

/* (pointer, minimum wanted?, ...): the unknown answer; prepare.c has LLVM fold what can be known. */
void intrinsic_object_size(Trans *t, LLVMValueRef call, const Intrinsic *what)
{
    (void)what;
    uint64_t minimum = 0;
    const_is_int(LLVMGetArgOperand(call, 1), &minimum);
    set_reg(t, call, reg_int(t, value_info(t, call)->leaves[0].width, minimum ? 0 : ~(u128)0));
}
