/* affine.c - linear equalities between the variables of a cut point, and remainders that they keep, from
 * states that runs can have there.
 *
 * A state comes from a random walk over segments from the cut point back to the entry, and a model of its
 * guards. What all states have in common is the null space of the matrix of their values. States in which a
 * condition of the loop holds may have more in common than all. It is only a guess: Houdini decides. */
#include "backward/backward_int.h"

enum { COLUMNS = 9, CONDITIONS = 3, STATES = 40, WALKS = 60, DEPTH_MOST = 10, FACTOR_MOST = 4096 };
static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;

static uint64_t times(uint64_t a, uint64_t b) { return (uint64_t)((u128)a * b % PRIME); }

static uint64_t inverse(uint64_t a)
{
    uint64_t r = 1;
    for (uint64_t e = PRIME - 2; e; e >>= 1, a = times(a, a))
        if (e & 1)
            r = times(r, a);
    return r;
}

/* ---- states ---------------------------------------------------------------------------------- */

typedef struct Step {
    uint32_t segment, end;
} Step;
typedef Vec(Step) Steps;

/* Ends that lead to the cut; `home`: only those from the entry, if there are any. */
static void ends_to(Backward *bw, uint32_t cut, bool home, Steps *out)
{
    vec_clear(out);
    for (uint32_t s = 0; s < bw->segments.n; s++)
        for (uint32_t i = 0; i < bw->segments.v[s].ends.n; i++)
            if (bw->segments.v[s].ends.v[i].kind == BW_END_CUT && bw->segments.v[s].ends.v[i].cut == cut &&
                (!home || bw->segments.v[s].cut == IR_NONE))
                vec_push(out, (Step){s, i});
    if (home && !out->n)
        ends_to(bw, cut, false, out);
}

/* Values of the variables (conditions[1...]) after a random walk of about that depth; false if there is no
 * such run. */
static bool walk(Backward *bw, uint32_t cut, unsigned depth, Rng *rng, Expr *conditions, uint32_t n)
{
    Steps steps = {0};
    bool arrived = false;
    for (unsigned i = 0; i < depth + DEPTH_MOST && !arrived && !expr_is_false(conditions[0]); i++) {
        ends_to(bw, cut, i >= depth, &steps);
        Step step = steps.v[rng_below(rng, steps.n)];
        BwEnd end = bw->segments.v[step.segment].ends.v[step.end];
        Expr guard = bw_end_guard(bw, step.segment, &end);
        bw_compose_all(bw, step.segment, &end, conditions, n, &guard, 1);
        conditions[0] = expr_and(bw->pool, guard, conditions[0]);
        cut = bw->segments.v[step.segment].cut;
        arrived = cut == IR_NONE;
    }
    vec_free(&steps);
    return arrived && !expr_is_false(conditions[0]);
}

static bool state_of(Backward *bw, const Expr *conditions, uint32_t n, Rng *rng, i128 *values)
{
    ExprInput hint = {0};
    SolverAnswer a = {0};
    uint32_t size = expr_object_count(bw->pool) * 16;
    for (uint32_t i = 0; i < size && i < 1 << 16; i++) /* small numbers, so that loops end */
        vec_push(&hint, (uint8_t)(i % 4 ? 0 : rng_below(rng, 40)));
    bw->hint = &hint;
    bool ok = bw_check(bw, conditions, 1, &a) == SOLVER_SAT;
    bw->hint = NULL;
    for (uint32_t i = 1; i < n && ok; i++)
        values[i] = bits_signed(bw_value(bw, &a.model, conditions[i]), expr_width(bw->pool, conditions[i]));
    values[0] = 1;
    solver_answer_free(&a);
    expr_input_free(&hint);
    return ok;
}

/* ---- the null space -------------------------------------------------------------------------- */

/* Reduced row echelon form modulo the prime; the column that a row leads in, or COLUMNS. */
static uint32_t reduce(uint64_t m[STATES][COLUMNS], uint32_t rows, uint32_t n, uint32_t *lead)
{
    uint32_t rank = 0;
    for (uint32_t c = 0; c < n && rank < rows; c++) {
        uint32_t pivot = rank;
        while (pivot < rows && !m[pivot][c])
            pivot++;
        if (pivot == rows)
            continue;
        for (uint32_t k = 0; k < n; k++) {
            uint64_t x = m[pivot][k];
            m[pivot][k] = m[rank][k];
            m[rank][k] = x;
        }
        uint64_t by = inverse(m[rank][c]);
        for (uint32_t k = 0; k < n; k++)
            m[rank][k] = times(m[rank][k], by);
        for (uint32_t r = 0; r < rows; r++)
            for (uint64_t f = m[r][c], k = 0; r != rank && f && k < n; k++)
                m[r][k] = (m[r][k] + PRIME - times(f, m[rank][k])) % PRIME;
        lead[rank++] = c;
    }
    return rank;
}

/* Small integers that are in proportion to these residues. */
static bool integers(const uint64_t *residues, uint32_t n, int64_t *out)
{
    for (uint64_t d = 1; d <= 12; d++) {
        bool ok = true;
        for (uint32_t i = 0; i < n && ok; i++) {
            uint64_t x = times(residues[i], d);
            ok = x <= FACTOR_MOST || x >= PRIME - FACTOR_MOST;
            out[i] = x <= FACTOR_MOST ? (int64_t)x : -(int64_t)(PRIME - x);
        }
        if (ok)
            return true;
    }
    return false;
}

static Expr equality(Backward *bw, const Expr *variables, uint32_t n, const int64_t *factors)
{
    ExprPool *p = bw->pool;
    unsigned w = expr_width(p, variables[0]);
    Expr sum = expr_const(p, w, (u128)(i128)factors[0]);
    for (uint32_t i = 0; i < n; i++)
        sum = expr_add(p, sum, expr_mul(p, variables[i], expr_const(p, w, (u128)(i128)factors[i + 1])));
    return expr_eq(p, sum, expr_const(p, w, 0));
}

typedef struct States {
    uint32_t n;
    i128 v[STATES][COLUMNS + CONDITIONS];
} States;

/* Linear equalities of the states in which condition number `which` is `holds`; which == 0: of all. */
static void null_space(Backward *bw, const States *states, const Expr *variables, uint32_t n, Expr condition,
                       uint32_t which, bool holds, ExprVec *out)
{
    uint64_t m[STATES][COLUMNS] = {0};
    uint32_t rows = 0, lead[COLUMNS];
    for (uint32_t i = 0; i < states->n; i++) {
        const i128 *values = states->v[i];
        if (which && (values[n + which] != 0) != holds)
            continue;
        for (uint32_t k = 0; k <= n; k++)
            m[rows][k] =
                (uint64_t)(values[k] < 0 ? (i128)PRIME - -values[k] % (i128)PRIME : values[k] % (i128)PRIME) %
                PRIME;
        rows++;
    }
    if (rows < n + 2)
        return;
    uint32_t rank = reduce(m, rows, n + 1, lead);
    for (uint32_t c = 0; c <= n; c++) { /* a vector for each column in which no row leads */
        uint64_t v[COLUMNS] = {0};
        int64_t factors[COLUMNS];
        bool leads = false;
        for (uint32_t r = 0; r < rank; r++) {
            leads |= lead[r] == c;
            v[lead[r]] = (PRIME - m[r][c]) % PRIME;
        }
        v[c] = 1;
        if (!leads && integers(v, n + 1, factors))
            vec_push(out, expr_implies(bw->pool, condition, equality(bw, variables, n, factors)));
    }
}

/* A power of two that all values of a variable leave the same remainder of; the templates have those up to
 * 4. */
static void remainders(Backward *bw, const States *states, const Expr *variables, uint32_t n, ExprVec *out)
{
    ExprPool *p = bw->pool;
    for (uint32_t k = 1; k <= n && states->n > 2; k++) {
        uint64_t differ = 0;
        unsigned w = expr_width(p, variables[k - 1]);
        for (uint32_t i = 1; i < states->n; i++)
            differ |= (uint64_t)(states->v[i][k] - states->v[0][k]);
        uint64_t low = differ & -differ; /* the lowest bit that is not always the same */
        if (low > 4 && w <= 64)
            vec_push(out, expr_eq(p, expr_and(p, variables[k - 1], expr_const(p, w, low - 1)),
                                  expr_const(p, w, (uint64_t)states->v[0][k] & (low - 1))));
    }
}

void bw_affine(Backward *bw, uint32_t cut, const Expr *variables, uint32_t n, const Expr *conditions,
               uint32_t nconditions, ExprVec *out)
{
    States states = {.n = 0};
    Rng rng;
    n = n < COLUMNS - 1 ? n : COLUMNS - 1;
    nconditions = nconditions < CONDITIONS ? nconditions : CONDITIONS;
    rng_seed(&rng, cut);
    uint32_t most = (3 * n + 4) * (nconditions ? 2 : 1);
    for (uint32_t i = 0; i < WALKS && states.n < STATES && states.n < most && !bw_out_of_time(bw); i++) {
        Expr all[COLUMNS + CONDITIONS] = {EXPR_TRUE};
        memcpy(all + 1, variables, n * sizeof *variables);
        if (nconditions)
            memcpy(all + 1 + n, conditions, nconditions * sizeof *conditions);
        uint32_t width = 1 + n + nconditions;
        if (walk(bw, cut, i % DEPTH_MOST, &rng, all, width) &&
            state_of(bw, all, width, &rng, states.v[states.n]))
            states.n++;
    }
    null_space(bw, &states, variables, n, EXPR_TRUE, 0, true, out);
    remainders(bw, &states, variables, n, out);
    for (uint32_t i = 0; i < nconditions; i++) {
        null_space(bw, &states, variables, n, conditions[i], i + 1, true, out);
        null_space(bw, &states, variables, n, expr_not(bw->pool, conditions[i]), i + 1, false, out);
    }
}
