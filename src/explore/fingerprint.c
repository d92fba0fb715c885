/* fingerprint.c - hashes that outlive the pool: of a condition, by its structure; of an outcome, an input, a
 * path.
 *
 * What was filed must be known as such after memory was collected, or work would start over each time.
 * Operands of commutative operators are taken in either order, since their order follows ids. */
#include "explore/explore_int.h"

static bool commutes(ExprOp op)
{
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR ||
           op == EXPR_EQ || op == EXPR_FADD || op == EXPR_FMUL || op == EXPR_FOEQ;
}

/* The same in every pool, in whatever order its objects were made. */
static uint64_t object_hash(const ExprPool *p, ExprObject object)
{
    const ExprObjectInfo *info = expr_object_info(p, object);
    return hash_mix(hash_bytes(info->key, strlen(info->key)), info->size);
}

static uint64_t leaf_hash(const ExprPool *p, Expr e, ExprOp op)
{
    ExprArray array = {e.id};
    switch (op) {
    case EXPR_CONST: {
        u128 value = expr_const_value(p, e);
        return hash_mix((uint64_t)value, (uint64_t)(value >> 64));
    }
    case EXPR_SYMBOL: {
        uint32_t offset;
        ExprObject object = expr_symbol_object(p, e, &offset);
        return hash_mix(object_hash(p, object), offset);
    }
    case EXPR_EXTRACT: return expr_extract_low(p, e);
    case EXPR_ARRAY_CONST: return hash_bytes(expr_array_bytes(p, array), expr_array_size(p, array));
    case EXPR_ARRAY_INPUT: return object_hash(p, expr_array_object(p, array));
    case EXPR_APPLY: {
        const char *name = expr_fn_name(p, expr_apply_fn(p, e));
        return hash_bytes(name, strlen(name));
    }
    default: return 0;
    }
}

static uint64_t node_hash(const Fingerprints *s, Expr e)
{
    ExprOp op = expr_op(s->pool, e);
    if (op == EXPR_NOT)
        return s->of.v[expr_child(s->pool, e, 0).id] ^ 1;
    uint64_t name = hash_mix(hash_mix(op, expr_width(s->pool, e)), leaf_hash(s->pool, e, op)), sum = 0;
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

uint64_t fingerprint_new(Fingerprints *s, Expr e)
{
    if (!s->of.n)
        vec_push(&s->of, 0); /* no node has the id 0 */
    while (s->of.n <= e.id) {
        uint64_t name = node_hash(s, (Expr){s->of.n});
        vec_push(&s->of, name);
    }
    return s->of.v[e.id];
}

/* Of an indirect call an alternative knows the block that it leads to, which is the first of another
 * function, and what was called does not: both are named by the condition. */
uint64_t fingerprint_outcome(Fingerprints *s, const VmDecision *d, uint32_t block, Expr condition)
{
    block = d->kind == VM_DECISION_CALL ? IR_NONE : block;
    uint64_t at = hash_mix(hash_mix((uint64_t)d->fn << 32 | d->block, d->insn), block);
    uint64_t side = block == IR_NONE ? hash_mix(at, fingerprint_of(s, condition)) : at;
    return side ? side : 1;
}

void fingerprints_move(Fingerprints *s, const ExprPool *to)
{
    s->pool = to;
    vec_free(&s->of);
}

uint64_t fingerprint_input(const ExprInput *input)
{
    uint32_t n = input->n;
    while (n && !input->v[n - 1])
        n--;
    return hash_bytes(n ? (const void *)input->v : "", n);
}

uint64_t fingerprint_path(Fingerprints *s, const VmTrace *trace)
{
    uint64_t path = hash_u64(trace->result.ending + 1);
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        if (decision_parts_paths(&trace->decisions.v[i]))
            path = hash_mix(path, fingerprint_of(s, trace->decisions.v[i].holds));
    return path;
}

/* Of a coordinator those count that its workers had come to at their last pause: what they have come to since
 * may never be reported. */
static bool note_path(Explore *x, uint64_t path)
{
    return x->team ? marks_set(&x->paths.own, path, 1, 1) : shared_marks_set(&x->paths, path, 1, 1);
}

/* Beyond the bound on decisions runs that decided alike may go on otherwise. */
bool explore_path_is_known(Explore *x, const VmTrace *trace, const ExprInput *input, bool path_counts)
{
    uint64_t path = fingerprint_path(&x->fingerprints, trace);
    bool known = note_path(x, path);
    if (!path_counts)
        known = note_path(x, hash_mix(path, fingerprint_input(input)));
    return known && trace->decisions.n < vm_decisions_most(&x->options.symbolic);
}
