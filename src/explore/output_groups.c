/* output_groups.c - which rows of a signature have the same output.
 *
 * Rows of equal expressions are found by hashing. Then groups that differ only in values are tried in pairs:
 * if the values of the one are the other's wherever the rows of the first hold ("0 when x == 0", "x when x >
 * 0"), the second speaks for both. The inputs of the rows refute most pairs without a question to the solver.
 */
#include "explore/explore.h"

#include <stdlib.h>

enum { PROOFS_MOST = 512 }; /* questions to the solver, of one signature */

/* What an entry function may write and has not is as if it were not there. */
static bool is_shown(const SignatureOutput *o) { return !(o->entry && o->unchanged); }

static const SignatureOutput *find_shown(const SignatureRow *row, const char *name)
{
    for (uint32_t i = 0; i < row->outputs.n; i++)
        if (is_shown(&row->outputs.v[i]) && !strcmp(row->outputs.v[i].name, name))
            return &row->outputs.v[i];
    return NULL;
}

static uint32_t count_shown(const SignatureRow *row)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < row->outputs.n; i++)
        n += is_shown(&row->outputs.v[i]);
    return n;
}

/* ---- equal but for values -------------------------------------------------------------------- */

static bool same_format(const VmFormat *a, const VmFormat *b)
{
    return a->conversion == b->conversion && a->flags == b->flags && a->width == b->width &&
           a->precision == b->precision;
}

static bool same_shape_of_part(const ExprPool *p, const SignaturePart *a, const SignaturePart *b)
{
    if (!a->text != !b->text || a->size != b->size)
        return false;
    if (a->text)
        return !memcmp(a->text, b->text, a->size);
    return same_format(&a->format, &b->format) && expr_width(p, a->value) == expr_width(p, b->value);
}

static bool same_shape_of_output(const ExprPool *p, const SignatureOutput *a, const SignatureOutput *b)
{
    bool same =
        !strcmp(a->name, b->name) && a->kind == b->kind && a->parts.n == b->parts.n && !a->cut && !b->cut;
    for (uint32_t i = 0; same && i < a->parts.n; i++)
        same = same_shape_of_part(p, &a->parts.v[i], &b->parts.v[i]);
    return same;
}

static bool same_end(const SignatureEnd *a, const SignatureEnd *b)
{
    bool fails = a->ending == VM_END_FAULT;
    return fails == (b->ending == VM_END_FAULT) &&
           (!fails || (a->fault == b->fault && a->site == b->site && a->fn == b->fn &&
                       !a->maker == !b->maker && !strcmp(a->need, b->need)));
}

/* Values of the one and of the other, pairwise, that are not the same expression; false: they differ in more
 * than values. */
static bool differences(const ExprPool *p, const SignatureRow *a, const SignatureRow *b, ExprVec *of_a,
                        ExprVec *of_b)
{
    vec_clear(of_a);
    vec_clear(of_b);
    if (!same_end(&a->end, &b->end) || count_shown(a) != count_shown(b))
        return false;
    for (uint32_t i = 0; i < a->outputs.n; i++) {
        const SignatureOutput *x = &a->outputs.v[i], *y = find_shown(b, x->name);
        if (!is_shown(x))
            continue;
        if (!y || !same_shape_of_output(p, x, y))
            return false;
        for (uint32_t n = 0; n < x->parts.n; n++)
            if (!x->parts.v[n].text && !expr_same(x->parts.v[n].value, y->parts.v[n].value)) {
                vec_push(of_a, x->parts.v[n].value);
                vec_push(of_b, y->parts.v[n].value);
            }
    }
    return true;
}

static uint64_t hash_output(const SignatureOutput *o, bool values)
{
    uint64_t hash = hash_bytes(o->name, strlen(o->name));
    for (uint32_t k = 0; k < o->parts.n; k++) {
        const SignaturePart *part = &o->parts.v[k];
        hash = hash_mix(hash, part->text ? hash_bytes(part->text, part->size) : values ? part->value.id : 3);
    }
    return hash;
}

/* Equal for rows that differ at most in values; with the values, for rows that are the same. */
static uint64_t hash_row(const SignatureRow *row, bool values)
{
    uint64_t hash = row->end.ending == VM_END_FAULT ? 1 + row->end.site : 0;
    for (uint32_t i = 0; i < row->outputs.n; i++)
        hash += is_shown(&row->outputs.v[i]) ? hash_output(&row->outputs.v[i], values) : 0;
    return hash;
}

/* ---- equal ----------------------------------------------------------------------------------- */

static void group_equal(const ExprPool *p, const Signature *s, SignatureGroups *out)
{
    Map known = {0}; /* hash to 1 + the last group with it */
    U32Vec before = {0};
    ExprVec a = {0}, b = {0};
    for (uint32_t i = 0; i < s->rows.n; i++) {
        uint64_t hash = hash_row(&s->rows.v[i], true);
        uint32_t at = (uint32_t)map_get_or(&known, hash, 0);
        while (at && !(differences(p, &s->rows.v[i], &s->rows.v[out->v[at - 1].shown], &a, &b) && !a.n))
            at = before.v[at - 1];
        if (!at) {
            vec_push(&before, (uint32_t)map_get_or(&known, hash, 0));
            vec_push(out, (SignatureGroup){.shown = i});
            map_put(&known, hash, at = out->n);
        }
        vec_push(&out->v[at - 1].rows, i);
    }
    map_free(&known);
    vec_free(&before);
    vec_free(&a);
    vec_free(&b);
}

/* ---- equal where it matters ------------------------------------------------------------------- */

typedef struct Prover {
    Solver *solver;
    ExprPool *p;
    const Signature *signature;
    ExplorePatience patience;
    ExprEval *eval;
    SolverAnswer answer;
    uint32_t queries;
    ExprVec a, b; /* values that differ, of two groups */
} Prover;

static bool is_over(const Prover *v)
{
    return v->queries >= PROOFS_MOST || (v->patience.stop && *v->patience.stop) ||
           (v->patience.deadline > 0 && clock_seconds() >= v->patience.deadline);
}

static bool differ_on(Prover *v, const ExprInput *input)
{
    expr_eval_input(v->eval, input);
    for (uint32_t i = 0; i < v->a.n; i++)
        if (expr_eval(v->eval, v->a.v[i]) != expr_eval(v->eval, v->b.v[i]))
            return true;
    return false;
}

/* Is it sure that they have the same value where the row's condition holds? */
static bool agree_in(Prover *v, const SignatureRow *row)
{
    ExprVec query = {0};
    Expr same = EXPR_TRUE;
    for (uint32_t i = 0; i < row->condition.n; i++)
        vec_push(&query, row->condition.v[i]);
    for (uint32_t i = 0; i < v->signature->given.n; i++)
        vec_push(&query, v->signature->given.v[i]);
    for (uint32_t i = 0; i < v->a.n; i++)
        same = expr_and(v->p, same, expr_eq(v->p, v->a.v[i], v->b.v[i]));
    vec_push(&query, expr_not(v->p, same));
    SolverQuery q = {.constraints = query.v,
                     .n = query.n,
                     .seconds = v->patience.seconds,
                     .bytes = v->patience.bytes,
                     .stop = v->patience.stop};
    v->queries++;
    bool agree = solver_check(v->solver, &q, &v->answer) == SOLVER_UNSAT;
    vec_free(&query);
    return agree;
}

/* May the rows of the one be shown as those of the other? */
static bool stands_for(Prover *v, const SignatureGroup *other, const SignatureGroup *g)
{
    const SignatureRow *rows = v->signature->rows.v;
    if (!differences(v->p, &rows[g->shown], &rows[other->shown], &v->a, &v->b))
        return false;
    for (uint32_t i = 0; i < g->rows.n; i++)
        if (differ_on(v, &rows[g->rows.v[i]].input))
            return false;
    for (uint32_t i = 0; i < g->rows.n; i++)
        if (is_over(v) || !agree_in(v, &rows[g->rows.v[i]]))
            return false;
    return true;
}

static void add_sorted(U32Vec *to, const U32Vec *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        uint32_t at = to->n;
        vec_push(to, from->v[i]);
        for (; at && to->v[at - 1] > from->v[i]; at--)
            to->v[at] = to->v[at - 1];
        to->v[at] = from->v[i];
    }
}

static void group_proved(Prover *v, SignatureGroups *groups)
{
    U64Vec shapes = {0};
    for (uint32_t i = 0; i < groups->n; i++)
        vec_push(&shapes, hash_row(&v->signature->rows.v[groups->v[i].shown], false));
    for (uint32_t i = 0; i < groups->n && !is_over(v); i++)
        for (uint32_t k = 0; k < groups->n; k++) {
            SignatureGroup *g = &groups->v[i], *other = &groups->v[k];
            if (k == i || !other->rows.n || shapes.v[i] != shapes.v[k] || !stands_for(v, other, g))
                continue;
            add_sorted(&other->rows, &g->rows);
            vec_free(&g->rows); /* it is gone */
            break;
        }
    vec_free(&shapes);
}

static void remove_empty(SignatureGroups *groups)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < groups->n; i++)
        if (groups->v[i].rows.n)
            groups->v[n++] = groups->v[i];
    groups->n = n;
}

static int by_first(const void *a, const void *b)
{
    uint32_t x = ((const SignatureGroup *)a)->rows.v[0], y = ((const SignatureGroup *)b)->rows.v[0];
    return x < y ? -1 : x > y;
}

void explore_groups(Solver *s, ExprPool *p, const Signature *signature, const ExplorePatience *patience,
                    SignatureGroups *out)
{
    Prover prover = {
        .solver = s, .p = p, .signature = signature, .patience = *patience, .eval = expr_eval_new(p)};
    group_equal(p, signature, out);
    group_proved(&prover, out);
    remove_empty(out);
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_first);
    expr_eval_free(prover.eval);
    solver_answer_free(&prover.answer);
    vec_free(&prover.a);
    vec_free(&prover.b);
}

void explore_groups_free(SignatureGroups *groups)
{
    for (uint32_t i = 0; i < groups->n; i++)
        vec_free(&groups->v[i].rows);
    vec_free(groups);
}
