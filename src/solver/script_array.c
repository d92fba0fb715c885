/* script_array.c - arrays of scripts: reads, consistency on demand, equalities. */
#include "solver/script.h"

enum { DEPTH = 2000 };

ArrayTerm *script_array(Script *s, ArrayTerm like)
{
    ArrayTerm *a = arena_alloc(s->arena, sizeof *a);
    *a = like;
    a->id = s->arrays.n;
    vec_push(&s->arrays, a);
    return a;
}

void script_index(Script *s, Expr index, unsigned width)
{
    if (map_get(&s->index_seen, index.id, NULL))
        return;
    map_put(&s->index_seen, index.id, 0);
    vec_push(&s->indices, (IndexTerm){index, width});
}

static uint64_t read_key(const ArrayTerm *a, Expr index) { return (uint64_t)a->id << 32 | index.id; }

static Expr read_declared(Script *s, ArrayTerm *a, Expr index)
{
    Expr symbol = script_fresh(s, a->name, a->sort.width);
    vec_push(&s->reads, (Read){a, index, symbol});
    return symbol;
}

/* Stores are followed in a loop; only choices between arrays recurse, to a bounded depth. */
static bool select_within(Script *s, ArrayTerm *a, Expr index, uint32_t depth, Expr *out)
{
    uint64_t known;
    ExprPool *p = s->pool;
    Vec(ArrayTerm *) above = {0};
    for (; a->kind == ARRAY_STORE && !map_get(&s->read_of, read_key(a, index), NULL); a = a->a)
        vec_push(&above, a);
    bool ok = true;
    if (map_get(&s->read_of, read_key(a, index), &known)) {
        *out = (Expr){(uint32_t)known};
    } else if (a->kind == ARRAY_DECLARED) {
        *out = read_declared(s, a, index);
    } else if (a->kind == ARRAY_FILLED) {
        *out = a->value;
    } else {
        Expr x, y;
        ok = depth < DEPTH && select_within(s, a->a, index, depth + 1, &x) &&
             select_within(s, a->b, index, depth + 1, &y);
        if (ok)
            *out = expr_ite(p, a->index, x, y);
    }
    if (ok)
        map_put(&s->read_of, read_key(a, index), out->id);
    while (ok && above.n > 0) {
        ArrayTerm *store = vec_pop(&above);
        *out = expr_ite(p, expr_eq(p, index, store->index), store->value, *out);
        map_put(&s->read_of, read_key(store, index), out->id);
    }
    vec_free(&above);
    return ok;
}

bool script_select(Script *s, ArrayTerm *a, Expr index, Expr *out)
{
    script_index(s, index, a->sort.index);
    return select_within(s, a, index, 0, out);
}

/* ---- equalities ------------------------------------------------------------------------------ */

Expr script_array_equal(Script *s, ArrayTerm *a, ArrayTerm *b)
{
    if (a == b)
        return EXPR_TRUE;
    for (uint32_t i = 0; i < s->equalities.n; i++) {
        const Equality *q = &s->equalities.v[i];
        if ((q->a == a && q->b == b) || (q->a == b && q->b == a))
            return q->holds;
    }
    Equality q = {.a = a,
                  .b = b,
                  .holds = script_fresh(s, "equal", 1),
                  .witness = script_fresh(s, "differ", a->sort.index)};
    script_index(s, q.witness, a->sort.index);
    vec_push(&s->equalities, q);
    return q.holds;
}

/* holds implies equal elements at this index; at the witness also the other way round. */
static bool instantiate(Script *s, const Equality *q, Expr index)
{
    Expr x, y;
    if (!script_select(s, q->a, index, &x) || !script_select(s, q->b, index, &y))
        return false;
    Expr same = expr_eq(s->pool, x, y);
    vec_push(&s->lemmas, expr_same(index, q->witness) ? expr_eq(s->pool, q->holds, same)
                                                      : expr_implies(s->pool, q->holds, same));
    return true;
}

bool script_complete_equalities(Script *s)
{
    for (uint32_t i = 0; i < s->equalities.n; i++)
        for (uint32_t k = s->equalities.v[i].instances; k < s->indices.n; k++) {
            Equality q = s->equalities.v[i]; /* selects may move the vectors */
            IndexTerm t = s->indices.v[k];
            s->equalities.v[i].instances = k + 1;
            if (t.width == q.a->sort.index && !instantiate(s, &q, t.e))
                return false;
        }
    return true;
}

/* ---- reads ----------------------------------------------------------------------------------- */

uint32_t script_repair_reads(Script *s, const ExprInput *model)
{
    uint32_t added = 0;
    Map first = {0}; /* hash of (array, index value) to a read */
    ExprEval *ev = expr_eval_new(s->pool);
    expr_eval_input(ev, model);
    for (uint32_t i = 0; i < s->reads.n; i++) {
        const Read *r = &s->reads.v[i];
        u128 index = expr_eval(ev, r->index);
        uint64_t other, key = hash_mix(hash_mix(r->array->id, (uint64_t)index), (uint64_t)(index >> 64));
        if (!map_get(&first, key, &other)) {
            map_put(&first, key, i);
            continue;
        }
        const Read *f = &s->reads.v[other];
        if (f->array != r->array || expr_eval(ev, f->index) != index ||
            expr_eval(ev, f->symbol) == expr_eval(ev, r->symbol))
            continue;
        vec_push(&s->lemmas, expr_implies(s->pool, expr_eq(s->pool, f->index, r->index),
                                          expr_eq(s->pool, f->symbol, r->symbol)));
        added++;
    }
    expr_eval_free(ev);
    map_free(&first);
    return added;
}
