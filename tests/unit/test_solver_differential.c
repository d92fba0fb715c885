/* test_solver_differential.c - CaDiCaL, Z3, the whole chain and, where possible, all inputs agree on random queries.
 *
 * SHEAF_SOLVER_QUERIES sets how many (2000), SHEAF_SOLVER_FLOATS how many with floats (100), SHEAF_SOLVER_SEED where to
 * start. */
#include "../solver/random_expr.h"
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { QUERIES_IN_A_POOL = 40 };

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static const uint32_t all_layers = (1u << SOLVER_LAYER_BACKEND) - 1;

static const char *status_text(SolverStatus s) { return s == SOLVER_SAT ? "sat" : s == SOLVER_UNSAT ? "unsat" : "unknown"; }

static void report(const ExprPool *p, const ExprVec *q, uint64_t seed, const char *what)
{
    Str text = { 0 };
    expr_print_smt_query(p, q->v, q->n, what, &text);
    print_error("seed %llu: %s\n%s\n", (unsigned long long)seed, what, str_text(&text));
    str_free(&text);
    fail();
}

static bool holds(const ExprPool *p, const ExprVec *q, const ExprInput *in)
{
    ExprEval *ev = expr_eval_new(p);
    expr_eval_input(ev, in);
    bool all = true;
    for (uint32_t i = 0; i < q->n && all; i++)
        all = expr_eval_true(ev, q->v[i]);
    expr_eval_free(ev);
    return all;
}

static SolverStatus by_brute_force(ExprPool *p, const ExprVec *symbols, const ExprVec *q)
{
    unsigned bits = 0;
    for (uint32_t i = 0; i < symbols->n; i++)
        bits += expr_width(p, symbols->v[i]);
    ExprInput in = { 0 };
    ExprEval *ev = expr_eval_new(p);
    SolverStatus found = SOLVER_UNSAT;
    for (uint64_t k = 0; k < (uint64_t)1 << bits && found == SOLVER_UNSAT; k++) {
        uint64_t rest = k;
        for (uint32_t i = 0; i < symbols->n; i++) {
            unsigned w = expr_width(p, symbols->v[i]);
            expr_input_set(p, &in, symbols->v[i], rest & bits_mask64(w));
            rest >>= w;
        }
        expr_eval_input(ev, &in);
        bool all = true;
        for (uint32_t i = 0; i < q->n && all; i++)
            all = expr_eval_true(ev, q->v[i]);
        if (all)
            found = SOLVER_SAT;
    }
    expr_eval_free(ev);
    expr_input_free(&in);
    return found;
}

/* A core must be without a model by itself. */
static void check_core(Solver *judge, const ExprPool *p, const ExprVec *q, const SolverAnswer *a, uint64_t seed)
{
    ExprVec core = { 0 };
    SolverAnswer again = { 0 };
    for (uint32_t i = 0; i < a->core.n; i++)
        vec_push(&core, q->v[a->core.v[i]]);
    if (solver_check(judge, &(SolverQuery){ .constraints = core.v, .n = core.n }, &again) == SOLVER_SAT)
        report(p, q, seed, "the core has a model");
    vec_free(&core);
    solver_answer_free(&again);
}

typedef struct Rig {
    ExprPool *pool;
    RandomExpr *random;
    Solver *cadical, *z3, *chain;
} Rig;

static void rig_open(Rig *g, uint64_t seed, RandomKind kind)
{
    g->pool = expr_pool_new();
    if (seed % 3 == 0)
        expr_rule_switch_all(g->pool, false);
    g->random = random_expr_new(g->pool, seed, kind);
    g->cadical = solver_new(g->pool, &(SolverOptions){ .backend = "cadical", .without = all_layers });
    g->z3 = solver_new(g->pool, &(SolverOptions){ .backend = "z3", .without = all_layers });
    g->chain = solver_new(g->pool, NULL);
}

static void rig_close(Rig *g)
{
    solver_free(g->cadical);
    solver_free(g->z3);
    solver_free(g->chain);
    random_expr_free(g->random);
    expr_pool_free(g->pool);
}

static void check_query(Rig *g, const ExprVec *q, ExprInput *hint, RandomKind kind, uint64_t seed)
{
    SolverAnswer c = { 0 }, z = { 0 }, h = { 0 };
    SolverQuery query = { .constraints = q->v, .n = q->n, .hint = hint, .value = q->v[0] };
    solver_check(g->cadical, &query, &c);
    solver_check(g->z3, &query, &z);
    solver_check(g->chain, &query, &h);
    if (c.status != z.status || c.status != h.status || c.status == SOLVER_UNKNOWN) {
        char what[500];
        snprintf(what, sizeof what, "cadical %s %s, z3 %s %s, chain %s (by %s)", status_text(c.status), c.detail,
                 status_text(z.status), z.detail, status_text(h.status), solver_layer_name(h.by));
        report(g->pool, q, seed, what);
    }
    if (kind == RANDOM_SMALL && by_brute_force(g->pool, random_expr_symbols(g->random), q) != c.status)
        report(g->pool, q, seed, "all inputs say otherwise");
    if (h.status == SOLVER_SAT) {
        if (!holds(g->pool, q, &h.model) || !holds(g->pool, q, &c.model) || h.value != 1)
            report(g->pool, q, seed, "a model violates the constraints");
        expr_input_copy(hint, &h.model);
    } else {
        check_core(g->z3, g->pool, q, &h, seed);
        check_core(g->z3, g->pool, q, &c, seed);
    }
    solver_answer_free(&c);
    solver_answer_free(&z);
    solver_answer_free(&h);
}

static void run(uint64_t queries, RandomKind first, RandomKind second)
{
    uint64_t seed = setting("SHEAF_SOLVER_SEED", 1);
    ExprVec q = { 0 };
    for (uint64_t done = 0; done < queries; seed++) {
        Rig g;
        RandomKind kind = seed & 1 ? first : second;
        rig_open(&g, seed, kind);
        ExprInput hint = { 0 };
        for (unsigned i = 0; i < QUERIES_IN_A_POOL && done < queries; i++, done++) {
            random_expr_query(g.random, &q);
            check_query(&g, &q, &hint, kind, seed);
        }
        expr_input_free(&hint);
        rig_close(&g);
    }
    vec_free(&q);
}

static void test_integers(void **state)
{
    (void)state;
    run(setting("SHEAF_SOLVER_QUERIES", 2000), RANDOM_SMALL, RANDOM_WIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
