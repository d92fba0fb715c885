/* dependence_name.c - a name for a condition that outlives the pool: a hash of its structure.
 *
 * What was filed must be known as such after memory was collected, or work would start over each time.
 * Operands of commutative operators are named in either order, since their order follows ids. */
#include "explore/dependence.h"

static bool commutes(ExprOp op)
{
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR ||
           op == EXPR_EQ || op == EXPR_FADD || op == EXPR_FMUL || op == EXPR_FOEQ;
}

static uint64_t leaf_name(const ExprPool *p, Expr e, ExprOp op)
{
    ExprArray array = {e.id};
    switch (op) {
    case EXPR_CONST: {
        u128 value = expr_const_value(p, e);
        return hash_mix((uint64_t)value, (uint64_t)(value >> 64));
    }
    case EXPR_SYMBOL: return expr_symbol_at(p, e);
    case EXPR_EXTRACT: return expr_extract_low(p, e);
    case EXPR_ARRAY_CONST: return hash_bytes(expr_array_bytes(p, array), expr_array_size(p, array));
    case EXPR_ARRAY_INPUT: return expr_array_object(p, array).id;
    case EXPR_APPLY: {
        const char *name = expr_fn_name(p, expr_apply_fn(p, e));
        return hash_bytes(name, strlen(name));
    }
    default: return 0;
    }
}

static uint64_t name_node(const DepNames *s, Expr e)
{
    ExprOp op = expr_op(s->pool, e);
    if (op == EXPR_NOT)
        return s->of.v[expr_child(s->pool, e, 0).id] ^ 1;
    uint64_t name = hash_mix(hash_mix(op, expr_width(s->pool, e)), leaf_name(s->pool, e, op)), sum = 0;
    uint32_t n = expr_child_count(s->pool, e);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t child = s->of.v[expr_child(s->pool, e, i).id];
        if (commutes(op))
            sum += hash_u64(child);
        else
            name = hash_mix(name, child);
    }
    return hash_mix(name, sum) & ~UINT64_C(1);
}

uint64_t dep_name_new(DepNames *s, Expr e)
{
    if (!s->of.n)
        vec_push(&s->of, 0); /* no node has the id 0 */
    while (s->of.n <= e.id) {
        uint64_t name = name_node(s, (Expr){s->of.n});
        vec_push(&s->of, name);
    }
    return s->of.v[e.id];
}

/* Of an indirect call an alternative knows the block that it leads to, which is the first of another
 * function, and what was called does not: both are named by the condition. */
uint64_t dep_side_name(DepNames *s, const VmDecision *d, uint32_t block, Expr condition)
{
    block = d->kind == VM_DECISION_CALL ? IR_NONE : block;
    uint64_t at = hash_mix(hash_mix((uint64_t)d->fn << 32 | d->block, d->insn), block);
    uint64_t side = block == IR_NONE ? hash_mix(at, dep_name(s, condition)) : at;
    return side ? side : 1;
}
