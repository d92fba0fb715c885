/* sym_area.c - arrays of rows and columns: what an index that is a product says of their size.
 *
 * a[i * cols + j], where i is compared with rows, has rows * cols elements; out[2 * i], where i is compared
 * with n, has 2 * n. A comparison says which number a variable stays below, and whether it is < or <= plays
 * no part: the array is as large as it should be, not as the function uses it. The product of the most
 * parameters among the terms of a sum is the area. */
#include "vm/symbolic/sym_int.h"

enum { TERM_DEPTH = 8 };

typedef struct Area {
    const IrProgram *program;
    const IrFn *ir;
} Area;

static SymArea product_of(const Area *a, uint32_t reg, unsigned depth);

bool sym_area_name(const char *name)
{
    static const char *const words[] = {"rows",   "cols",     "columns",  "width",  "height",
                                        "w",      "h",        "nrows",    "ncols",  "n_rows",
                                        "n_cols", "num_rows", "num_cols", "stride", "pitch"};
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (!strcasecmp(name, words[i]))
            return true;
    return false;
}

static bool is_size(const Area *a, uint32_t param)
{
    uint32_t name = a->ir->regs.v[param].name;
    const char *text = name ? ir_text(a->program, name) : "";
    return sym_area_name(text) || ir_name_is_length(text);
}

/* Without casts, and without constants that are added. */
static uint32_t base_of(const IrFn *ir, uint32_t reg)
{
    for (const IrInsn *insn; (insn = ir_reg_def(ir, reg)) != NULL;) {
        IrOp op = (IrOp)insn->op;
        bool sum = op == IR_ADD || op == IR_SUB;
        if (op == IR_ZEXT || op == IR_SEXT || op == IR_TRUNC || (sum && ir_reg_const_of(ir, insn->b)))
            reg = insn->a;
        else if (op == IR_ADD && ir_reg_const_of(ir, insn->a))
            reg = insn->b;
        else
            break;
    }
    return reg;
}

static bool is_param(const IrFn *ir, uint32_t reg) { return reg < ir->nparams; }

static bool is_comparison(IrOp op)
{
    return op == IR_SLT || op == IR_SLE || op == IR_ULT || op == IR_ULE || op == IR_NE || op == IR_EQ;
}

/* Only parameters and constants, multiplied. */
static bool is_fixed(const IrFn *ir, uint32_t reg, unsigned depth)
{
    reg = base_of(ir, reg);
    const IrInsn *insn = ir_reg_def(ir, reg);
    if (is_param(ir, reg) || ir_reg_const_of(ir, reg))
        return true;
    return depth && insn && (insn->op == IR_MUL || (insn->op == IR_SHL && ir_reg_const_of(ir, insn->b))) &&
           is_fixed(ir, insn->a, depth - 1) && is_fixed(ir, insn->b, depth - 1);
}

/* Of two parameters that are compared, does `most` say what is too much for the other? Where only one is
 * named so, that one; else as in `if (i < most)` and `if (i >= most) return`. */
static bool is_above(const Area *a, uint32_t most, uint32_t other, const IrInsn *insn)
{
    if (!is_param(a->ir, most) || !is_param(a->ir, other))
        return true;
    bool most_is = is_size(a, most), other_is = is_size(a, other);
    if (most_is != other_is)
        return most_is;
    bool strict = insn->op == IR_SLT || insn->op == IR_ULT;
    return base_of(a->ir, strict ? insn->b : insn->a) == most;
}

/* What a comparison holds the register against: parameters, multiplied; IR_NONE: it is not compared so. */
static uint32_t compared_with(const Area *a, uint32_t reg)
{
    const IrFn *ir = a->ir;
    for (uint32_t b = 0; b < ir->blocks.n; b++)
        for (uint32_t i = 0; i < ir->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &ir->blocks.v[b].insns.v[i];
            if (!is_comparison((IrOp)insn->op))
                continue;
            uint32_t x = base_of(ir, insn->a), y = base_of(ir, insn->b), other = x == reg ? y : x;
            if ((x == reg || y == reg) && x != y && !ir_reg_const_of(ir, other) && is_fixed(ir, other, 3) &&
                is_above(a, other, reg, insn))
                return other;
        }
    return IR_NONE;
}

/* Where a loop begins that counts down: for (i = n - 1; i >= 0; i--). */
static uint32_t counted_down_from(const IrFn *ir, const IrInsn *phi)
{
    for (uint32_t i = 0; i < ir->extra.v[phi->a]; i++) {
        uint32_t from = base_of(ir, ir->extra.v[phi->a + 2 + 2 * i]);
        if (from != phi->dst && !ir_reg_const_of(ir, from) && is_fixed(ir, from, 3))
            return from;
    }
    return IR_NONE;
}

static void note_beside(SymArea *to, const uint32_t *params, uint32_t n)
{
    for (uint32_t i = 0; i < n && to->nbeside < SYM_AREA_MOST; i++)
        to->beside[to->nbeside++] = params[i];
}

/* Parameters that are multiplied; a constant is a part of the scale. */
static SymArea multiply(SymArea a, SymArea b)
{
    SymArea out = a;
    out.unclear |= b.unclear || a.n + b.n > SYM_AREA_MOST;
    out.scale = a.scale * b.scale;
    for (uint32_t i = 0; i < b.n && out.n < SYM_AREA_MOST; i++)
        out.factors[out.n++] = b.factors[i];
    note_beside(&out, b.beside, b.nbeside);
    return out;
}

/* Of two terms the one of more parameters. */
static SymArea larger(SymArea a, SymArea b)
{
    bool second = b.n > a.n || (b.n == a.n && b.scale > a.scale);
    SymArea big = second ? b : a, small = second ? a : b;
    big.unclear |= small.unclear || (big.n == 1 && small.n == 1 && big.scale > 1);
    note_beside(&big, small.factors, small.n);
    note_beside(&big, small.beside, small.nbeside);
    return big;
}

static bool has_factor(const SymArea *a, uint32_t factor)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->factors[i] == factor)
            return true;
    return false;
}

bool sym_area_is_loose(const SymArea *a)
{
    for (uint32_t i = 0; i < a->nbeside; i++)
        if (!has_factor(a, a->beside[i]))
            return true;
    return false;
}

/* Of a variable that nothing is known of. */
static SymArea nothing(void) { return (SymArea){.scale = 1}; }

static bool is_constant(const IrFn *ir, uint32_t reg)
{
    return ir_reg_const_of(ir, base_of(ir, reg)) != NULL;
}

/* Rows of so many, but how many rows? */
static bool is_half(const IrFn *ir, uint32_t reg, SymArea is, SymArea other)
{
    return !is.n && other.n && !is_constant(ir, reg);
}

static SymArea of_insn(const Area *a, const IrInsn *insn, unsigned depth)
{
    bool divides = insn->op == IR_UDIV || insn->op == IR_SDIV || insn->op == IR_LSHR || insn->op == IR_ASHR;
    if (!depth ||
        (insn->op != IR_MUL && insn->op != IR_SHL && insn->op != IR_ADD && insn->op != IR_SUB && !divides))
        return nothing();
    SymArea x = product_of(a, insn->a, depth - 1);
    if (divides) /* i * (i + 1) / 2 */
        return (SymArea){.scale = 1, .unclear = x.unclear || x.n > 1};
    if (insn->op == IR_SHL) {
        const IrConst *by = ir_reg_const_of(a->ir, insn->b);
        x.scale <<= by && by->bits < 16 ? (unsigned)by->bits : 0;
        return x;
    }
    SymArea y = product_of(a, insn->b, depth - 1);
    if (insn->op != IR_MUL)
        return larger(x, y);
    SymArea both = multiply(x, y);
    both.unclear |= is_half(a->ir, insn->a, x, y) || is_half(a->ir, insn->b, y, x);
    return both;
}

static SymArea product_of(const Area *a, uint32_t reg, unsigned depth)
{
    reg = base_of(a->ir, reg);
    const IrConst *c = ir_reg_const_of(a->ir, reg);
    const IrInsn *insn = ir_reg_def(a->ir, reg);
    if (c)
        return (SymArea){.scale =
                             c->kind == IR_CONST_INT && c->bits && c->bits < 1 << 16 ? (uint64_t)c->bits : 1};
    uint32_t most = compared_with(a, reg);
    if (most == IR_NONE && insn && insn->op == IR_PHI)
        most = counted_down_from(a->ir, insn);
    if (most == IR_NONE && is_param(a->ir, reg))
        most = reg;
    if (most != IR_NONE && is_param(a->ir, most))
        return (SymArea){.factors = {most}, .n = 1, .scale = 1};
    insn = most != IR_NONE ? ir_reg_def(a->ir, most) : insn;
    return insn ? of_insn(a, insn, depth) : nothing();
}

/* The same parameters in another order are the same area. */
static bool is_same(SymArea a, SymArea b)
{
    for (uint32_t i = 0; i < a.n; i++) {
        uint32_t in_a = 0, in_b = 0;
        for (uint32_t k = 0; k < a.n; k++) {
            in_a += a.factors[k] == a.factors[i];
            in_b += k < b.n && b.factors[k] == a.factors[i];
        }
        if (in_a != in_b)
            return false;
    }
    return a.n == b.n;
}

void sym_area_join(SymArea *to, SymArea by)
{
    SymArea both = larger(*to, by);
    both.unclear = to->unclear || by.unclear || (to->n > 1 && to->n == by.n && !is_same(*to, by));
    *to = both;
}

/* In the order of the parameters. */
static void sort(SymArea *a)
{
    for (uint32_t i = 1; i < a->n; i++)
        for (uint32_t k = i; k > 0 && a->factors[k - 1] > a->factors[k]; k--) {
            uint32_t first = a->factors[k - 1];
            a->factors[k - 1] = a->factors[k];
            a->factors[k] = first;
        }
}

SymArea sym_area_of(const IrProgram *program, const IrFn *ir, uint32_t index, uint64_t unit)
{
    SymArea a = product_of(&(Area){program, ir}, index, TERM_DEPTH);
    a.scale *= unit;
    sort(&a);
    return a;
}

SymArea sym_area_passed(const IrProgram *program, const IrFn *ir, const SymArea *inside, const uint32_t *args,
                        uint32_t nargs)
{
    SymArea out = {.scale = inside->scale, .unclear = inside->unclear};
    for (uint32_t i = 0; i < inside->n; i++) {
        uint32_t reg = inside->factors[i] < nargs ? args[inside->factors[i]] : IR_NONE;
        SymArea by = reg != IR_NONE ? product_of(&(Area){program, ir}, reg, TERM_DEPTH) : nothing();
        out.unclear |= !by.n && inside->n > 1 && (reg == IR_NONE || !is_constant(ir, reg));
        out = multiply(out, by);
    }
    for (uint32_t i = 0; i < inside->nbeside; i++)
        if (inside->beside[i] < nargs) {
            SymArea by = product_of(&(Area){program, ir}, args[inside->beside[i]], TERM_DEPTH);
            note_beside(&out, by.factors, by.n);
        }
    sort(&out);
    return out;
}

/* Does something stay below this parameter? */
bool sym_area_is_bound(const IrFn *ir, uint32_t param)
{
    for (uint32_t b = 0; b < ir->blocks.n; b++)
        for (uint32_t i = 0; i < ir->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &ir->blocks.v[b].insns.v[i];
            uint32_t sides[2] = {insn->a, insn->b};
            for (unsigned k = 0; k < 2 && is_comparison((IrOp)insn->op); k++)
                if (base_of(ir, sides[k]) == param && !ir_reg_const_of(ir, sides[1 - k]))
                    return true;
        }
    return false;
}
