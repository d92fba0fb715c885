/* test_solver_differential.c - CaDiCaL, Z3, the whole chain and, where possible, all inputs agree on random
 * queries.
 *
 * SHEAF_SOLVER_QUERIES sets how many (2000), SHEAF_SOLVER_FLOATS how many operations on floats (1000),
 * SHEAF_SOLVER_SEED where to start. */
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

static const char *status_text(SolverStatus s)
{
    return s == SOLVER_SAT ? "sat" : s == SOLVER_UNSAT ? "unsat" : "unknown";
}

static void report(const ExprPool *p, const ExprVec *q, uint64_t seed, const char *what)
{
    Str text = {0};
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
    ExprInput in = {0};
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
static void check_core(Solver *judge, const ExprPool *p, const ExprVec *q, const SolverAnswer *a,
                       uint64_t seed)
{
    ExprVec core = {0};
    SolverAnswer again = {0};
    for (uint32_t i = 0; i < a->core.n; i++)
        vec_push(&core, q->v[a->core.v[i]]);
    if (solver_check(judge, &(SolverQuery){.constraints = core.v, .n = core.n}, &again) == SOLVER_SAT)
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
    g->cadical = solver_new(g->pool, &(SolverOptions){.backend = "cadical", .without = all_layers});
    g->z3 = solver_new(g->pool, &(SolverOptions){.backend = "z3", .without = all_layers});
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
    SolverAnswer c = {0}, z = {0}, h = {0};
    SolverQuery query = {.constraints = q->v, .n = q->n, .hint = hint, .value = q->v[0]};
    solver_check(g->cadical, &query, &c);
    solver_check(g->z3, &query, &z);
    solver_check(g->chain, &query, &h);
    if (c.status != z.status || c.status != h.status || c.status == SOLVER_UNKNOWN) {
        char what[500];
        snprintf(what, sizeof what, "cadical %s %s, z3 %s %s, chain %s (by %s)", status_text(c.status),
                 c.detail, status_text(z.status), z.detail, status_text(h.status), solver_layer_name(h.by));
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
    ExprVec q = {0};
    for (uint64_t done = 0; done < queries; seed++) {
        Rig g;
        RandomKind kind = seed & 1 ? first : second;
        rig_open(&g, seed, kind);
        ExprInput hint = {0};
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

/* ---- floats ---------------------------------------------------------------------------------- */

static u128 random_float(Rng *r, unsigned w)
{
    static const double special[] = {0,
                                     -0.0,
                                     1,
                                     -1,
                                     0.1,
                                     2.5,
                                     -3.5,
                                     1e10,
                                     255,
                                     65536,
                                     2147483648.0,
                                     -2147483649.0,
                                     1e-40,
                                     1e300,
                                     9223372036854775808.0,
                                     0.49999999999999994};
    double d = special[rng_below(r, COUNT_OF(special))];
    u128 any = ((u128)rng_next(r) << 64 | rng_next(r)) & bits_mask(w);
    u128 infinity = w == 32 ? (u128)0xff << 23 : w == 64 ? (u128)0x7ff << 52 : (u128)0xffff << 63;
    switch (rng_below(r, 6)) {
    case 0: return any;
    case 1: return infinity | (any >> (w - 1)) << (w - 1);
    case 2: return infinity | (any & bits_mask(40) >> 20); /* mostly NaNs */
    case 3:
        return w == 32   ? bits_of_float((float)(int16_t)any)
               : w == 64 ? bits_of_double((int32_t)any)
                         : bits_of_ldouble((int32_t)any);
    default: return w == 32 ? bits_of_float((float)d) : w == 64 ? bits_of_double(d) : bits_of_ldouble(d);
    }
}

static unsigned float_width(Rng *r)
{
    static const uint8_t widths[] = {32, 32, 64, 64, 64, 80};
    return widths[rng_below(r, COUNT_OF(widths))];
}

/* One operation on given operands. What the FPU gives is possible, and nothing else is. */
static void check_fpu(const Rig *g, BitsOp op, Rng *r, uint64_t number)
{
    bool from_int = op == BITS_UITOFP || op == BITS_SITOFP, to_int = op == BITS_FPTOUI || op == BITS_FPTOSI;
    unsigned source = from_int ? 8u << rng_below(r, 4) : float_width(r),
             width = to_int ? 8u << rng_below(r, 4) : float_width(r);
    if (bits_op_result(op) != BITS_RESULT_CAST)
        width = source;
    if ((op == BITS_FPTRUNC && source <= width) || (op == BITS_FPEXT && source >= width))
        return;
    ExprPool *p = g->pool;
    Expr operand[3], c[4];
    u128 value[3] = {0};
    uint32_t n = bits_op_arity(op);
    for (uint32_t i = 0; i < n; i++) {
        char name[4] = {'x', (char)('0' + i), 0};
        operand[i] =
            expr_object_symbol(p, expr_object_scalar(p, name, name, source, (ExprCType){EXPR_C_FLOAT, 0}));
        value[i] = from_int ? rng_next(r) & bits_mask(source) : random_float(r, source);
        c[i] = expr_eq(p, operand[i], expr_const(p, source, value[i]));
    }
    u128 fpu = bits_apply(op, bits_op_result(op) == BITS_RESULT_BIT ? source : width, source, value[0],
                          value[1], value[2]);
    Expr e =
        expr_make(p, op, width, operand[0], n > 1 ? operand[1] : EXPR_NONE, n > 2 ? operand[2] : EXPR_NONE);
    SolverAnswer a = {0};
    for (int want = 0; want < 2; want++) {
        Expr same = expr_eq(p, e, expr_const(p, expr_width(p, e), fpu));
        c[n] = want ? same : expr_not(p, same);
        SolverQuery q = {.constraints = c, .n = n + 1};
        SolverStatus expected = want ? SOLVER_SAT : SOLVER_UNSAT;
        bool has_circuit = (op >= BITS_FOEQ && op <= BITS_FULE) || (op >= BITS_FCOPYSIGN && op <= BITS_FABS);
        if (solver_check(g->z3, &q, &a) != expected ||
            (has_circuit && solver_check(g->cadical, &q, &a) != expected)) {
            ExprVec all = {c, n + 1, n + 1};
            print_error("operation %llu, %s:\n", (unsigned long long)number, bits_op_text(op));
            report(p, &all, number, want ? "the FPU's result is refused" : "another result than the FPU's");
        }
    }
    solver_answer_free(&a);
}

static void test_floats_against_fpu(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, setting("SHEAF_SOLVER_SEED", 1));
    uint64_t n = setting("SHEAF_SOLVER_FLOATS", 1000);
    for (uint64_t i = 0; i < n;) {
        Rig g;
        rig_open(&g, 1, RANDOM_SMALL);
        for (uint64_t end = i + QUERIES_IN_A_POOL; i < n && i < end; i++)
            check_fpu(&g, BITS_FADD + (BitsOp)(i % (BITS_SITOFP - BITS_FADD + 1)), &r, i);
        rig_close(&g);
    }
}

/* Shallow queries over two floats: the chain with its local search and Z3 alone must agree. */
static void test_floats_chain_against_z3(void **state)
{
    (void)state;
    static const BitsOp ops[] = {BITS_FADD, BITS_FSUB, BITS_FMUL,  BITS_FNEG,
                                 BITS_FABS, BITS_FMIN, BITS_FFLOOR};
    static const BitsOp compare[] = {BITS_FOEQ, BITS_FONE, BITS_FOLT, BITS_FOLE,
                                     BITS_FUNO, BITS_FULT, BITS_FUNE};
    Rng r;
    rng_seed(&r, setting("SHEAF_SOLVER_SEED", 1));
    for (uint64_t i = 0; i < setting("SHEAF_SOLVER_FLOATS", 1000) / 20; i++) {
        ExprPool *p = expr_pool_new();
        Expr x[2], c[3];
        for (int k = 0; k < 2; k++) {
            char name[2] = {(char)('x' + k), 0};
            x[k] = expr_object_word(p, expr_object(p, name, name, 4, (ExprCType){EXPR_C_FLOAT, 4}), 0, 4);
        }
        for (int k = 0; k < 3; k++) {
            Expr e = expr_make(p, ops[rng_below(&r, COUNT_OF(ops))], 32, x[k & 1], x[~k & 1], EXPR_NONE);
            Expr other = rng_below(&r, 2) ? x[k & 1] : expr_const(p, 32, random_float(&r, 32));
            c[k] = expr_make(p, compare[rng_below(&r, COUNT_OF(compare))], 1, e, other, EXPR_NONE);
        }
        Solver *z3 = solver_new(p, &(SolverOptions){.backend = "z3", .without = all_layers}),
               *chain = solver_new(p, NULL);
        SolverAnswer a = {0}, b = {0};
        SolverQuery q = {.constraints = c, .n = 3};
        if (solver_check(z3, &q, &a) != solver_check(chain, &q, &b) || a.status == SOLVER_UNKNOWN)
            report(p, &(ExprVec){c, 3, 3}, i, "the chain and Z3 disagree on floats");
        solver_answer_free(&a);
        solver_answer_free(&b);
        solver_free(z3);
        solver_free(chain);
        expr_pool_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floats_against_fpu),
        cmocka_unit_test(test_floats_chain_against_z3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
