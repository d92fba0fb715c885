/* blast.c - see blast.h. */
#include "solver/blast.h"

#include <stdlib.h>

enum {
    BASE_AT_ONCE = 64,      /* bases up to this size are built in full */
    LEMMAS_BEFORE_ALL = 24, /* a read that needed so many facts gets its base in full */
};

typedef struct LazyRead {
    Expr index;
    ExprArray base;
    uint32_t out; /* 8 literals in lits */
    uint32_t lemmas;
    bool complete; /* the whole base was built after all */
} LazyRead;

struct Blast {
    ExprPool *pool;
    Gates *gates;
    Map where; /* node id to (own variables << 32 | first of its literals in lits) */
    Vec(Lit) lits;
    Map base_read; /* (base id << 32 | index id) to first literal in lits */
    Map lazy_of;   /* the same key to a number in lazy */
    Vec(LazyRead) lazy;
    U32Vec stack, cone;
    const ExprInput *hint; /* during blast_nodes */
};

Blast *blast_new(ExprPool *p)
{
    Blast *b = mem_zalloc(sizeof *b);
    b->pool = p;
    b->gates = gates_new();
    return b;
}

void blast_free(Blast *b)
{
    if (!b)
        return;
    gates_free(b->gates);
    map_free(&b->where);
    vec_free(&b->lits);
    map_free(&b->base_read);
    map_free(&b->lazy_of);
    vec_free(&b->lazy);
    vec_free(&b->stack);
    vec_free(&b->cone);
    mem_free(b);
}

Gates *blast_gates(Blast *b) { return b->gates; }

const Lit *blast_word(const Blast *b, Expr e)
{
    uint64_t at;
    return map_get(&b->where, e.id, &at) ? b->lits.v + (uint32_t)at : NULL;
}

/* Room for a word in lits. The literals are written into a buffer first, since lits moves. */
static uint32_t keep_word(Blast *b, const Lit *word, unsigned width)
{
    uint32_t at = b->lits.n;
    for (unsigned i = 0; i < width; i++)
        vec_push(&b->lits, word[i]);
    return at;
}

static void copy_word(const Blast *b, Expr e, unsigned width, Lit *out)
{
    const Lit *word = blast_word(b, e);
    if (!word)
        bug("node %u has no literals", e.id);
    memcpy(out, word, width * sizeof(Lit));
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static uint64_t read_key(ExprArray base, Expr index) { return (uint64_t)base.id << 32 | index.id; }
static bool at_once(const Blast *b, ExprArray base) { return expr_array_size(b->pool, base) <= BASE_AT_ONCE; }

/* The byte of the base that the index selects, by a tree of selections over the index's bits. Index beyond
 * the size: anything. Requires: the base's bytes have literals. */
static void select_tree(Blast *b, ExprArray base, const Lit *index, Lit *out)
{
    uint32_t size = expr_array_size(b->pool, base);
    Lit *level = mem_alloc((size_t)(size + 1) * sizeof *level);
    for (unsigned bit = 0; bit < 8; bit++) {
        for (uint32_t i = 0; i < size; i++) {
            Expr byte = expr_array_base_byte(b->pool, base, i);
            level[i] = expr_is_const(b->pool, byte) ? lit_const(expr_const_value(b->pool, byte) >> bit & 1)
                                                    : blast_word(b, byte)[bit];
        }
        uint32_t n = size;
        for (unsigned k = 0; n > 1; k++, n = (n + 1) / 2)
            for (uint32_t i = 0; i < n; i += 2)
                level[i / 2] = i + 1 < n ? gates_ite(b->gates, index[k], level[i + 1], level[i]) : level[i];
        out[bit] = level[0];
    }
    mem_free(level);
}

/* The read of a base at an index: in full, or free for now. */
static uint32_t read_base(Blast *b, ExprArray base, Expr index, const Lit *index_word)
{
    uint64_t known, key = read_key(base, index);
    if (map_get(&b->base_read, key, &known))
        return (uint32_t)known;
    Lit out[8];
    bool full = at_once(b, base);
    if (full)
        select_tree(b, base, index_word, out);
    for (unsigned i = 0; i < 8 && !full; i++)
        out[i] = gates_fresh(b->gates, false);
    uint32_t at = keep_word(b, out, 8);
    if (!full) {
        vec_push(&b->lazy, (LazyRead){.index = index, .base = base, .out = at});
        map_put(&b->lazy_of, key, b->lazy.n - 1);
    }
    map_put(&b->base_read, key, at);
    return at;
}

static void blast_select(Blast *b, Expr e, Lit *out)
{
    ExprPool *p = b->pool;
    Expr index = expr_child(p, e, 1);
    ExprArray array = {expr_child(p, e, 0).id};
    Lit at[64], other[64], word[8], byte[8], size[64];
    copy_word(b, index, 64, at);
    uint32_t base_at = read_base(b, expr_array_base(p, array), index, at);
    memcpy(word, b->lits.v + base_at, sizeof word);

    ExprVec stores = {0};
    for (Expr a = expr_of_array(array); expr_op(p, a) == EXPR_STORE; a = expr_child(p, a, 0))
        vec_push(&stores, a);
    while (stores.n > 0) {
        Expr store = vec_pop(&stores);
        copy_word(b, expr_child(p, store, 1), 64, other);
        copy_word(b, expr_child(p, store, 2), 8, byte);
        circuit_ite(b->gates, circuit_eq(b->gates, at, other, 64), byte, word, 8, word);
    }
    vec_free(&stores);
    circuit_const(expr_array_size(p, array), 64, size);
    Lit inside = circuit_ult(b->gates, at, size, 64);
    for (unsigned i = 0; i < 8; i++)
        out[i] = gates_and(b->gates, inside, word[i]);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool has_circuit(const ExprPool *p, Expr e) { return !refine_is_loose(p, e); }

static void blast_symbol(Blast *b, Expr e, unsigned width, Lit *out)
{
    u128 value = b->hint ? expr_input_get(b->pool, b->hint, e) : 0;
    for (unsigned i = 0; i < width; i++)
        out[i] = gates_fresh(b->gates, value >> i & 1);
}

static void blast_operator(Blast *b, Expr e, unsigned width, Lit *out)
{
    ExprPool *p = b->pool;
    Lit in[3][128];
    uint32_t n = expr_child_count(p, e);
    for (uint32_t i = 0; i < n; i++) {
        Expr c = expr_child(p, e, i);
        copy_word(b, c, expr_width(p, c), in[i]);
    }
    unsigned source = expr_width(p, expr_child(p, e, 0));
    ExprOp op = expr_op(p, e);
    switch (op) {
    case EXPR_NEG: circuit_neg(b->gates, in[0], width, out); break;
    case EXPR_NOT:
        for (unsigned i = 0; i < width; i++)
            out[i] = -in[0][i];
        break;
    case EXPR_CONCAT: {
        unsigned low = expr_width(p, expr_child(p, e, 1));
        memcpy(out, in[1], low * sizeof(Lit));
        memcpy(out + low, in[0], source * sizeof(Lit));
        break;
    }
    case EXPR_EXTRACT: memcpy(out, in[0] + expr_extract_low(p, e), width * sizeof(Lit)); break;
    default: {
        BitsOp bits = expr_op_bits(op);
        if (bits == BITS_COUNT)
            bug("no circuit for %s", expr_op_text(op));
        unsigned operand = bits_op_result(bits) == BITS_RESULT_BIT ? source : width;
        circuit_apply(b->gates, bits, operand, source, in[0], in[1], in[2], out);
    }
    }
}

/* Gives a node its literals. Requires: all that it needs has them. */
static void blast_one(Blast *b, Expr e)
{
    ExprPool *p = b->pool;
    Lit out[128];
    uint32_t before = gates_vars(b->gates);
    unsigned width = expr_width(p, e);
    ExprOp op = expr_op(p, e);
    if (op == EXPR_CONST)
        circuit_const(expr_const_value(p, e), width, out);
    else if (op == EXPR_SYMBOL)
        blast_symbol(b, e, width, out);
    else if (op == EXPR_SELECT)
        blast_select(b, e, out);
    else if (has_circuit(p, e))
        blast_operator(b, e, width, out);
    else
        for (unsigned i = 0; i < width; i++)
            out[i] = gates_fresh(b->gates, false);
    uint32_t at = keep_word(b, out, width);
    map_put(&b->where, e.id, (uint64_t)(gates_vars(b->gates) - before) << 32 | at);
}

static void need(Blast *b, Expr e)
{
    if (!map_get(&b->where, e.id, NULL))
        vec_push(&b->stack, e.id);
}

static void need_base(Blast *b, ExprArray base)
{
    uint32_t size = expr_array_size(b->pool, base);
    for (uint32_t i = 0; i < size; i++) {
        Expr byte = expr_array_base_byte(b->pool, base, i);
        if (!expr_is_const(b->pool, byte))
            need(b, byte);
    }
}

/* Pushes what must have literals before e. */
static void need_before(Blast *b, Expr e)
{
    ExprPool *p = b->pool;
    if (expr_op(p, e) != EXPR_SELECT) {
        for (uint32_t i = 0; i < expr_child_count(p, e); i++)
            need(b, expr_child(p, e, i));
        return;
    }
    need(b, expr_child(p, e, 1));
    Expr a = expr_child(p, e, 0);
    for (; expr_op(p, a) == EXPR_STORE; a = expr_child(p, a, 0)) {
        need(b, expr_child(p, a, 1));
        need(b, expr_child(p, a, 2));
    }
    if (at_once(b, (ExprArray){a.id}))
        need_base(b, (ExprArray){a.id});
}

/* Works off the stack. */
static bool blast_stack(Blast *b, const ExprInput *hint, Budget *budget)
{
    b->hint = hint;
    while (b->stack.n > 0) {
        Expr e = {vec_last(&b->stack)};
        uint32_t before = b->stack.n;
        if (!map_get(&b->where, e.id, NULL)) {
            need_before(b, e);
            if (b->stack.n > before)
                continue;
            if (budget_spent(budget)) {
                vec_clear(&b->stack);
                return false;
            }
            if (budget->bytes && gates_bytes(b->gates) > budget->bytes) {
                budget->spent = SOLVER_REASON_MEMORY;
                vec_clear(&b->stack);
                return false;
            }
            blast_one(b, e);
        }
        b->stack.n = before - 1;
    }
    return true;
}

bool blast_nodes(Blast *b, const Expr *roots, uint32_t n, const ExprInput *hint, Budget *budget)
{
    for (uint32_t i = 0; i < n; i++) {
        need(b, roots[i]);
        if (!blast_stack(b, hint, budget))
            return false;
    }
    return true;
}

uint32_t blast_cone_vars(Blast *b, const Expr *roots, uint32_t n)
{
    uint32_t vars = 0;
    uint64_t at;
    expr_cone(b->pool, roots, n, &b->cone);
    for (uint32_t i = 0; i < b->cone.n; i++)
        if (map_get(&b->where, b->cone.v[i], &at))
            vars += (uint32_t)(at >> 32);
    return vars;
}

/* ---- refinement ------------------------------------------------------------------------------ */

static u128 solver_value(Blast *b, const Lit *word, unsigned width)
{
    u128 v = 0;
    for (unsigned i = 0; i < width; i++) {
        bool positive = ccadical_val(gates_sat(b->gates), abs(word[i])) > 0;
        v |= (u128)(positive == (word[i] > 0)) << i;
    }
    return v;
}

/* condition implies that the words are equal */
static void imply_equal(Blast *b, Lit condition, const Lit *x, const Lit *y)
{
    for (unsigned i = 0; i < 8; i++) {
        gates_clause(b->gates, (Lit[]){-condition, -x[i], y[i]}, 3);
        gates_clause(b->gates, (Lit[]){-condition, x[i], -y[i]}, 3);
    }
}

/* Adds "index = value implies out = base[value]", or, after many of these, the whole base. */
static bool complete_read(Blast *b, uint32_t which, uint64_t value, const ExprInput *hint, Budget *budget)
{
    bool all = ++b->lazy.v[which].lemmas > LEMMAS_BEFORE_ALL;
    ExprArray base = b->lazy.v[which].base;
    if (all)
        need_base(b, base);
    else
        need(b, expr_array_base_byte(b->pool, base, (uint32_t)value));
    if (!blast_stack(b, hint, budget))
        return false;
    LazyRead *r = &b->lazy.v[which]; /* only now: the bytes of the base may be reads themselves */
    Lit at[64], other[64], out[8], byte[8], condition;
    copy_word(b, r->index, 64, at);
    memcpy(out, b->lits.v + r->out, sizeof out);
    if (all) {
        circuit_const(expr_array_size(b->pool, r->base), 64, other);
        condition = circuit_ult(b->gates, at, other, 64);
        select_tree(b, r->base, at, byte);
        r->complete = true;
    } else {
        circuit_const(value, 64, other);
        condition = circuit_eq(b->gates, at, other, 64);
        copy_word(b, expr_array_base_byte(b->pool, r->base, (uint32_t)value), 8, byte);
    }
    imply_equal(b, condition, out, byte);
    return true;
}

uint32_t blast_refine(Blast *b, const Expr *roots, uint32_t n, ExprEval *ev, const ExprInput *hint,
                      Budget *budget)
{
    typedef struct Wrong {
        uint32_t read;
        uint64_t index;
    } Wrong;
    Vec(Wrong) wrong = {0};
    BitSet seen = {0};
    ExprPool *p = b->pool;
    if (b->lazy.n > 0)
        expr_cone(p, roots, n, &b->cone);
    else
        vec_clear(&b->cone);
    /* First look, then add: adding clauses ends the solver's state in which values can be read. */
    for (uint32_t i = 0; i < b->cone.n; i++) {
        Expr e = {b->cone.v[i]};
        uint64_t which;
        if (expr_op(p, e) != EXPR_SELECT)
            continue;
        ExprArray base = expr_array_base(p, (ExprArray){expr_child(p, e, 0).id});
        if (!map_get(&b->lazy_of, read_key(base, expr_child(p, e, 1)), &which) ||
            !bitset_add(&seen, (uint32_t)which))
            continue;
        const LazyRead *r = &b->lazy.v[which];
        u128 index = expr_eval(ev, r->index);
        if (r->complete || index >= expr_array_size(p, base))
            continue;
        Expr byte = expr_array_base_byte(p, base, (uint32_t)index);
        if (solver_value(b, b->lits.v + r->out, 8) != expr_eval(ev, byte))
            vec_push(&wrong, (Wrong){(uint32_t)which, (uint64_t)index});
    }
    uint32_t added = 0;
    while (added < wrong.n && complete_read(b, wrong.v[added].read, wrong.v[added].index, hint, budget))
        added++;
    vec_free(&wrong);
    bitset_free(&seen);
    return added;
}
