/* wide.c - integers of more than 128 bits, which clang makes of long rows of bit-fields.
 *
 * Such a value is a row of 64-bit limbs, least significant first, the last one as narrow as the type leaves
 * it. Moving them about needs nothing special; this is what is computed with them: bitwise operators, shifts
 * by constants, sums, comparisons and casts. In here limbs are extended to 64 bits, with zeros or with the
 * sign. */
#include "frontend/frontend_int.h"

enum { LIMB = 64, MOST_LIMBS = 64 };

typedef struct Limbs {
    uint32_t v[MOST_LIMBS];
    uint32_t n;
} Limbs;

static unsigned int_width(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

bool wide_is(LLVMValueRef value) { return int_width(value) > 128; }

/* ---- between registers and limbs ------------------------------------------------------------- */

static Limbs limbs_of(Trans *t, LLVMValueRef value, bool is_signed)
{
    unsigned width = int_width(value);
    Regs regs = regs_of(t, value);
    Limbs out = {.n = (width + LIMB - 1) / LIMB};
    if (out.n > MOST_LIMBS)
        problem(t, "an integer of %u bits", width);
    if (t->problem)
        return (Limbs){.n = 0};
    if (width > 128) {
        for (uint32_t i = 0; i < out.n; i++)
            out.v[i] = resize(t, regs.v[i], LIMB, is_signed);
        return out;
    }
    out.v[0] = resize(t, regs.v[0], LIMB, is_signed);
    if (out.n == 2) {
        uint32_t whole = resize(t, regs.v[0], 128, is_signed);
        out.v[1] = resize(t, emit_fold(t, IR_LSHR, 128, whole, reg_int(t, 128, LIMB), 0), LIMB, false);
    }
    return out;
}

/* What stands beyond the last limb. */
static uint32_t beyond(Trans *t, const Limbs *a, bool is_signed)
{
    if (!is_signed)
        return reg_int(t, LIMB, 0);
    return emit_fold(t, IR_ASHR, LIMB, a->v[a->n - 1], reg_int(t, LIMB, LIMB - 1), 0);
}

static void set_limbs(Trans *t, LLVMValueRef insn, const Limbs *limbs)
{
    unsigned width = int_width(insn);
    if (width <= 128) {
        uint32_t whole = resize(t, limbs->v[0], 128, false);
        if (width > LIMB) {
            uint32_t high =
                emit_fold(t, IR_SHL, 128, resize(t, limbs->v[1], 128, false), reg_int(t, 128, LIMB), 0);
            whole = emit_fold(t, IR_OR, 128, whole, high, 0);
        }
        set_reg(t, insn, resize(t, whole, (uint8_t)width, false));
        return;
    }
    uint32_t n = (width + LIMB - 1) / LIMB, *out = regs_room(t, n);
    for (uint32_t i = 0; i < n; i++)
        out[i] = resize(t, limbs->v[i], (uint8_t)(i + 1 < n ? LIMB : width - LIMB * (n - 1)), false);
    set_regs(t, insn, out, n);
}

/* LLVM-C hands out 64 bits at most, so the limbs are read off the text, "i256 -5". */
bool wide_const(LLVMValueRef value, uint64_t *limbs, uint32_t n)
{
    char *text = LLVMPrintValueToString(value);
    const char *at = strchr(text, ' ');
    memset(limbs, 0, n * sizeof *limbs);
    bool negative = at && at[1] == '-', good = at != NULL;
    for (at = at ? at + 1 + negative : ""; good && *at; at++) {
        u128 carry = (unsigned)(*at - '0');
        good = *at >= '0' && *at <= '9';
        for (uint32_t i = 0; i < n; i++, carry >>= LIMB)
            limbs[i] = (uint64_t)(carry += (u128)limbs[i] * 10);
    }
    for (uint32_t i = 0, borrow = 1; negative && i < n; i++) {
        limbs[i] = ~limbs[i] + borrow;
        borrow = borrow && limbs[i] == 0;
    }
    LLVMDisposeMessage(text);
    return good;
}

/* ---- computing ------------------------------------------------------------------------------- */

static Limbs add(Trans *t, const Limbs *a, const Limbs *b, bool minus)
{
    Limbs out = {.n = a->n};
    uint32_t carry = reg_int(t, 1, minus), ones = reg_int(t, LIMB, ~(u128)0);
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t other = minus ? emit_fold(t, IR_XOR, LIMB, b->v[i], ones, 0) : b->v[i];
        uint32_t sum = emit_fold(t, IR_ADD, LIMB, a->v[i], other, 0);
        uint32_t over = emit_fold(t, IR_ULT, 1, sum, other, 0);
        out.v[i] = emit_fold(t, IR_ADD, LIMB, sum, resize(t, carry, LIMB, false), 0);
        carry = emit_fold(t, IR_OR, 1, over, emit_fold(t, IR_ULT, 1, out.v[i], sum, 0), 0);
    }
    return out;
}

/* Bits [from, from + 64) of the limbs, taken as a row that goes on with `rest` at both ends' far sides (zeros
 * below). */
static uint32_t window(Trans *t, const Limbs *a, int64_t from, uint32_t rest)
{
    int64_t q = from >= 0 ? from / LIMB : -((-from + LIMB - 1) / LIMB);
    unsigned r = (unsigned)(from - q * LIMB);
    uint32_t zero = reg_int(t, LIMB, 0);
    uint32_t low = q < 0 ? zero : q < a->n ? a->v[q] : rest;
    uint32_t high = q + 1 < 0 ? zero : q + 1 < a->n ? a->v[q + 1] : rest;
    if (r == 0)
        return low;
    low = emit_fold(t, IR_LSHR, LIMB, low, reg_int(t, LIMB, r), 0);
    high = emit_fold(t, IR_SHL, LIMB, high, reg_int(t, LIMB, LIMB - r), 0);
    return emit_fold(t, IR_OR, LIMB, low, high, 0);
}

static void shift(Trans *t, IrOp op, LLVMValueRef insn)
{
    uint64_t by[MOST_LIMBS];
    LLVMValueRef amount = LLVMGetOperand(insn, 1);
    Limbs a = limbs_of(t, LLVMGetOperand(insn, 0), op == IR_ASHR), out = {.n = a.n};
    if (!LLVMIsAConstantInt(amount) || !wide_const(amount, by, a.n) || by[0] >= int_width(insn))
        problem(t, "a shift of an integer of %u bits by a number that varies", int_width(insn));
    if (t->problem)
        return;
    uint32_t rest = beyond(t, &a, op == IR_ASHR);
    for (uint32_t i = 0; i < a.n; i++) {
        int64_t from = (int64_t)i * LIMB;
        out.v[i] = window(t, &a, op == IR_SHL ? from - (int64_t)by[0] : from + (int64_t)by[0], rest);
    }
    set_limbs(t, insn, &out);
}

void wide_binary(Trans *t, IrOp op, LLVMValueRef insn)
{
    if (op == IR_SHL || op == IR_LSHR || op == IR_ASHR) {
        shift(t, op, insn);
        return;
    }
    Limbs a = limbs_of(t, LLVMGetOperand(insn, 0), false), b = limbs_of(t, LLVMGetOperand(insn, 1), false),
          out = a;
    bool bitwise = op == IR_AND || op == IR_OR || op == IR_XOR;
    if (!bitwise && op != IR_ADD && op != IR_SUB)
        problem(t, "%s of integers of %u bits", ir_op_text(op), int_width(insn));
    if (t->problem)
        return;
    if (bitwise)
        for (uint32_t i = 0; i < a.n; i++)
            out.v[i] = emit_fold(t, op, LIMB, a.v[i], b.v[i], 0);
    else
        out = add(t, &a, &b, op == IR_SUB);
    set_limbs(t, insn, &out);
}

void wide_cast(Trans *t, IrOp op, LLVMValueRef insn)
{
    LLVMValueRef from = LLVMGetOperand(insn, 0);
    if (op != IR_TRUNC && op != IR_ZEXT && op != IR_SEXT)
        problem(t, "a conversion between a float and an integer of more than 128 bits");
    Limbs a = limbs_of(t, from, op == IR_SEXT);
    if (t->problem)
        return;
    uint32_t rest = beyond(t, &a, op == IR_SEXT);
    for (uint32_t n = (int_width(insn) + LIMB - 1) / LIMB; a.n < n && a.n < MOST_LIMBS;)
        a.v[a.n++] = rest;
    set_limbs(t, insn, &a);
}

/* From the least significant limb up: less here, or the same here and less below. */
void wide_compare(Trans *t, IrOp op, LLVMValueRef insn, bool swap)
{
    bool is_signed = op == IR_SLT || op == IR_SLE, or_equal = op == IR_ULE || op == IR_SLE;
    Limbs a = limbs_of(t, LLVMGetOperand(insn, swap), is_signed),
          b = limbs_of(t, LLVMGetOperand(insn, !swap), is_signed);
    if (t->problem)
        return;
    uint32_t same = reg_int(t, 1, 1), less = reg_int(t, 1, or_equal);
    for (uint32_t i = 0; i < a.n; i++) {
        uint32_t here = emit_fold(t, IR_EQ, 1, a.v[i], b.v[i], 0);
        uint32_t below = emit_fold(t, i + 1 == a.n && is_signed ? IR_SLT : IR_ULT, 1, a.v[i], b.v[i], 0);
        less = emit_fold(t, IR_OR, 1, below, emit_fold(t, IR_AND, 1, here, less, 0), 0);
        same = emit_fold(t, IR_AND, 1, same, here, 0);
    }
    if (op == IR_EQ || op == IR_NE)
        less = op == IR_EQ ? same : emit_fold(t, IR_XOR, 1, same, reg_int(t, 1, 1), 0);
    set_reg(t, insn, less);
}
