/* bench/solver.c - what the solver's layers and back ends cost, on queries as path exploration asks them.
 *
 *   bench-solver [paths]      ratios: CaDiCaL against Z3 on what reaches a back end, the chain against its
 * back end bench-solver cone         the same small query beside more and more that it does not need
 *   bench-solver hard         how well a limit of one second is kept
 *   bench-solver memory N     N queries in one process (1000000): does it grow?
 *
 * A generated "program" is a list of conditions over 16 input bytes, of the kinds that parsers and state
 * machines test. A run under an input satisfies each condition or its negation; each is tried negated behind
 * its prefix, with the input as the hint, and models become further inputs. */
#include "solver/solver.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { BYTES = 16, CONDITIONS = 40, PROGRAMS = 30, RUNS = 20 };

static const uint32_t without_all = (1u << SOLVER_LAYER_BACKEND) - 1;
static const uint32_t without_all_but_split =
    ((1u << SOLVER_LAYER_BACKEND) - 1) & ~(1u << SOLVER_LAYER_SPLIT | 1u << SOLVER_LAYER_HINT);

/* Time of the processor, so that other work on the machine does not count. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct Program {
    ExprPool *pool;
    ExprObject input;
    Expr byte[BYTES];
    Expr condition[CONDITIONS];
    ExprArray table;
    uint32_t cursor; /* where a scanner would be */
    Rng rng;
} Program;

/* Mostly near the cursor, as a scanner looks at its input; sometimes anywhere, as a later check does. */
static uint32_t some_place(Program *g, uint32_t bytes)
{
    uint32_t last = BYTES - bytes, at = g->cursor + (uint32_t)rng_below(&g->rng, 3);
    if (rng_below(&g->rng, 5) == 0)
        at = (uint32_t)rng_below(&g->rng, BYTES);
    return at < last ? at : last;
}

static Expr some_byte(Program *g) { return g->byte[some_place(g, 1)]; }
static Expr word(Program *g, unsigned width) { return expr_zext(g->pool, some_byte(g), width); }
static Expr number(Program *g, unsigned width, uint64_t below)
{
    return expr_const(g->pool, width, rng_below(&g->rng, below));
}

/* Digits to a number, as atoi does it. */
static Expr decimal(Program *g, unsigned digits)
{
    Expr sum = expr_const(g->pool, 32, 0);
    uint32_t from = some_place(g, digits);
    for (unsigned i = 0; i < digits; i++) {
        Expr digit =
            expr_sub(g->pool, expr_zext(g->pool, g->byte[from + i], 32), expr_const(g->pool, 32, '0'));
        sum = expr_add(g->pool, expr_mul(g->pool, sum, expr_const(g->pool, 32, 10)), digit);
    }
    return sum;
}

/* A rolling hash over a few bytes. */
static Expr hash(Program *g, unsigned bytes)
{
    Expr h = expr_const(g->pool, 32, 5381);
    for (unsigned i = 0; i < bytes; i++)
        h = expr_xor(g->pool, expr_mul(g->pool, h, expr_const(g->pool, 32, 33)), word(g, 32));
    return h;
}

/* Three in five look at one byte (literals, ranges, character classes), the others combine several. */
static Expr condition(Program *g)
{
    ExprPool *p = g->pool;
    Expr zero = expr_const(p, 8, 0), bit = expr_const(p, 8, 1u << rng_below(&g->rng, 8));
    switch (rng_below(&g->rng, 20)) {
    case 0 ... 4: return expr_eq(p, some_byte(g), number(g, 8, 128));
    case 5 ... 7: return expr_ult(p, expr_sub(p, some_byte(g), number(g, 8, 128)), number(g, 8, 30));
    case 8 ... 9: return expr_slt(p, some_byte(g), number(g, 8, 100));
    case 10 ... 11: return expr_ne(p, expr_and(p, expr_array_select(p, g->table, word(g, 64)), bit), zero);
    case 12: return expr_eq(p, some_byte(g), some_byte(g));
    case 13: return expr_slt(p, expr_add(p, word(g, 32), word(g, 32)), number(g, 32, 400));
    case 14 ... 15: return expr_slt(p, decimal(g, 2 + (unsigned)rng_below(&g->rng, 3)), number(g, 32, 3000));
    case 16: return expr_eq(p, expr_and(p, hash(g, 3), expr_const(p, 32, 15)), number(g, 32, 16));
    case 17: return expr_ult(p, expr_object_word(p, g->input, some_place(g, 4), 4), number(g, 32, 1u << 31));
    case 18: return expr_eq(p, expr_urem(p, decimal(g, 2), number(g, 32, 9)), number(g, 32, 4));
    default: return expr_slt(p, expr_mul(p, word(g, 32), word(g, 32)), number(g, 32, 20000));
    }
}

static void program_open(Program *g, uint64_t seed)
{
    uint8_t table[256];
    rng_seed(&g->rng, seed);
    g->pool = expr_pool_new();
    g->input = expr_object(g->pool, "stdin", "stdin", BYTES, (ExprCType){EXPR_C_CHAR, 1});
    for (uint32_t i = 0; i < BYTES; i++)
        g->byte[i] = expr_object_byte(g->pool, g->input, i);
    for (int i = 0; i < 256; i++)
        table[i] = (uint8_t)rng_next(&g->rng);
    g->table = expr_array_const(g->pool, table, 256);
    for (uint32_t i = 0; i < CONDITIONS; i++) {
        g->cursor = i * BYTES / CONDITIONS;
        do
            g->condition[i] = condition(g);
        while (!expr_is_symbolic(g->pool, g->condition[i]));
    }
}

/* ---- recorded queries ------------------------------------------------------------------------ */

typedef struct Query {
    Expr c[CONDITIONS];
    uint32_t n;
    ExprInput hint;
    SolverStatus status;
    bool reached_backend;
} Query;
typedef Vec(Query) QueryVec;

/* Explores with this solver, recording what it was asked. */
static double explore(Program *g, Solver *s, QueryVec *out)
{
    ExprInput queue[RUNS] = {{0}};
    uint32_t bound[RUNS] = {0}, queued = 1;
    double seconds = 0;
    SolverAnswer a = {0};
    for (uint32_t run = 0; run < queued; run++) {
        ExprEval *ev = expr_eval_new(g->pool);
        expr_eval_input(ev, &queue[run]);
        Query q = {.n = 0};
        for (uint32_t i = 0; i < CONDITIONS; i++) {
            bool holds = expr_eval_true(ev, g->condition[i]);
            Expr held = holds ? g->condition[i] : expr_not(g->pool, g->condition[i]);
            if (i >= bound[run]) {
                q.n = i + 1;
                q.c[i] = holds ? expr_not(g->pool, g->condition[i]) : g->condition[i];
                double start = cpu_seconds();
                q.status =
                    solver_check(s, &(SolverQuery){.constraints = q.c, .n = q.n, .hint = &queue[run]}, &a);
                seconds += cpu_seconds() - start;
                q.reached_backend = a.by == SOLVER_LAYER_BACKEND;
                Query kept = q;
                memset(&kept.hint, 0, sizeof kept.hint);
                expr_input_copy(&kept.hint, &queue[run]);
                vec_push(out, kept);
                if (q.status == SOLVER_SAT && queued < RUNS && rng_below(&g->rng, 4) == 0) {
                    bound[queued] = i + 1;
                    expr_input_copy(&queue[queued++], &a.model);
                }
            }
            q.c[i] = held;
        }
        expr_eval_free(ev);
    }
    for (uint32_t i = 0; i < queued; i++)
        expr_input_free(&queue[i]);
    solver_answer_free(&a);
    return seconds;
}

/* Asks the recorded queries again. */
static double replay(Program *g, const QueryVec *queries, bool only_backend, const char *backend,
                     uint32_t without)
{
    Solver *s = solver_new(g->pool, &(SolverOptions){.backend = backend, .without = without});
    SolverAnswer a = {0};
    double start = cpu_seconds();
    for (uint32_t i = 0; i < queries->n; i++) {
        const Query *q = &queries->v[i];
        if (only_backend && !q->reached_backend)
            continue;
        if (solver_check(s, &(SolverQuery){.constraints = q->c, .n = q->n, .hint = &q->hint}, &a) !=
            q->status)
            bug("back ends disagree");
    }
    double seconds = cpu_seconds() - start;
    solver_answer_free(&a);
    solver_free(s);
    return seconds;
}

static void bench_paths(void)
{
    static const char *const z3_modes[] = {"z3:guards", "z3:stack", "z3:fresh"};
    double chain = 0, alone = 0, cadical = 0, z3[COUNT_OF(z3_modes)] = {0};
    double layer_seconds[SOLVER_LAYER_COUNT] = {0};
    uint64_t hits[SOLVER_LAYER_COUNT] = {0}, total = 0, reached = 0, unsat = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        Program g;
        QueryVec queries = {0};
        program_open(&g, seed);
        Solver *s = solver_new(g.pool, NULL);
        chain += explore(&g, s, &queries);
        for (unsigned i = 0; i < SOLVER_LAYER_COUNT; i++) {
            hits[i] += solver_layer_hits(s, (SolverLayer)i);
            layer_seconds[i] += solver_layer_seconds(s, (SolverLayer)i);
        }
        solver_free(s);
        for (uint32_t i = 0; i < queries.n; i++) {
            total++;
            reached += queries.v[i].reached_backend;
            unsat += queries.v[i].status == SOLVER_UNSAT;
        }
        alone += replay(&g, &queries, false, "cadical", without_all);
        cadical += replay(&g, &queries, true, "cadical", without_all_but_split);
        for (unsigned m = 0; m < COUNT_OF(z3_modes); m++)
            z3[m] += replay(&g, &queries, true, z3_modes[m], without_all_but_split);
        for (uint32_t i = 0; i < queries.n; i++)
            expr_input_free(&queries.v[i].hint);
        vec_free(&queries);
        expr_pool_free(g.pool);
    }
    printf("%llu queries (%llu unsat), %llu reach a back end\n\n", (unsigned long long)total,
           (unsigned long long)unsat, (unsigned long long)reached);
    printf("layer      decided    seconds\n");
    for (unsigned i = 0; i < SOLVER_LAYER_COUNT; i++)
        printf("%-9s %8llu %10.4f\n", solver_layer_name((SolverLayer)i), (unsigned long long)hits[i],
               layer_seconds[i]);
    double best = z3[0];
    printf("\nwhat reaches a back end:  cadical %.4f s", cadical);
    for (unsigned m = 0; m < COUNT_OF(z3_modes); m++) {
        printf(", %s %.4f s", z3_modes[m], z3[m]);
        best = z3[m] < best ? z3[m] : best;
    }
    printf("\n  ratio z3 (best mode) / cadical: %.1f\n", best / cadical);
    printf("all queries:  chain %.4f s, cadical alone %.4f s\n  ratio cadical alone / chain: %.1f\n", chain,
           alone, alone / chain);
}

/* ---- other questions ------------------------------------------------------------------------- */

/* The same query after more and more others over the same symbols, which all stay in one instance unless it
 * restarts. */
static void bench_cone(void)
{
    for (uint32_t others = 0; others <= 3000; others = others ? others * 4 : 50) {
        Program g;
        program_open(&g, 1);
        Solver *s = solver_new(g.pool, &(SolverOptions){.without = without_all});
        SolverAnswer a = {0};
        for (uint32_t i = 0; i < others; i++) {
            Expr c = expr_eq(g.pool, hash(&g, 4), number(&g, 32, 1u << 30));
            solver_check(s, &(SolverQuery){.constraints = &c, .n = 1}, &a);
        }
        enum { TIMES = 200 };
        Expr c[2] = {expr_ult(g.pool, g.byte[0], g.byte[1]),
                     expr_ult(g.pool, g.byte[1], expr_const(g.pool, 8, 9))};
        double start = cpu_seconds();
        for (int i = 0; i < TIMES; i++)
            solver_check(s, &(SolverQuery){.constraints = c, .n = 2}, &a);
        printf("%5u other queries before: %8.1f us a query\n", others, (cpu_seconds() - start) / TIMES * 1e6);
        solver_answer_free(&a);
        solver_free(s);
        expr_pool_free(g.pool);
    }
}

static void hard(const char *name, const char *backend, ExprPool *p, Expr c)
{
    Solver *s = solver_new(p, &(SolverOptions){.backend = backend});
    SolverAnswer a = {0};
    double start = clock_seconds();
    SolverStatus status = solver_check(s, &(SolverQuery){.constraints = &c, .n = 1, .seconds = 1}, &a);
    printf("%-28s %-22s %.3f s  %s\n", name, backend, clock_seconds() - start,
           status == SOLVER_UNKNOWN ? solver_reason_text(a.reason)
           : status == SOLVER_SAT   ? "sat"
                                    : "unsat");
    solver_answer_free(&a);
    solver_free(s);
}

static void bench_hard(void)
{
    static const char *const backends[] = {"cadical", "z3", "cvc5 --incremental"};
    for (unsigned b = 0; b < COUNT_OF(backends); b++) {
        ExprPool *p = expr_pool_new();
        ExprCType t = {EXPR_C_UINT, 0};
        Expr x = expr_object_symbol(p, expr_object_scalar(p, "x", "x", 64, t)),
             y = expr_object_symbol(p, expr_object_scalar(p, "y", "y", 64, t));
        Expr wide = expr_mul(p, expr_zext(p, x, 128), expr_zext(p, y, 128)), one = expr_const(p, 64, 1);
        Expr proper = expr_and(p, expr_ult(p, one, x), expr_ult(p, one, y));
        hard("factor a 64-bit product", backends[b], p,
             expr_and(p, proper, expr_eq(p, wide, expr_const(p, 128, (u128)2654435761u * 3266489857u))));
        hard("factor a 127-bit product", backends[b], p,
             expr_and(
                 p, proper,
                 expr_eq(p, wide, expr_const(p, 128, (u128)11400714819323198393u * 8193536679195372797u))));
        Expr power = x;
        for (int i = 0; i < 400; i++)
            power = expr_add(p, expr_mul(p, power, expr_xor(p, power, y)),
                             expr_udiv(p, power, expr_or(p, y, one)));
        hard("400 products and quotients", backends[b], p, expr_eq(p, power, expr_const(p, 64, 12345)));
        Expr f = x;
        for (int i = 0; i < 30; i++)
            f = expr_make(p, BITS_FDIV, 64, expr_make(p, BITS_FMUL, 64, f, y, EXPR_NONE),
                          expr_make(p, BITS_FSQRT, 64, f, EXPR_NONE, EXPR_NONE), EXPR_NONE);
        hard("90 float operations", backends[b], p,
             expr_make(p, BITS_FOEQ, 1, f, expr_const(p, 64, bits_of_double(1.2345)), EXPR_NONE));
        expr_pool_free(p);
    }
}

static void bench_memory(uint64_t queries)
{
    uint64_t done = 0;
    struct rusage usage;
    for (uint64_t seed = 1; done < queries; seed++) {
        Program g;
        program_open(&g, seed);
        Solver *s = solver_new(g.pool, NULL);
        for (int i = 0; i < 400 && done < queries; i++) {
            QueryVec record = {0};
            for (uint32_t k = 0; k < CONDITIONS / 8; k++)
                g.condition[rng_below(&g.rng, CONDITIONS)] = condition(&g);
            explore(&g, s, &record);
            done += record.n;
            for (uint32_t k = 0; k < record.n; k++)
                expr_input_free(&record.v[k].hint);
            vec_free(&record);
        }
        solver_free(s);
        expr_pool_free(g.pool);
        getrusage(RUSAGE_SELF, &usage);
        printf("%9llu queries: at most %ld MB\n", (unsigned long long)done, usage.ru_maxrss / 1024);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "paths";
    if (strcmp(what, "paths") == 0)
        bench_paths();
    else if (strcmp(what, "cone") == 0)
        bench_cone();
    else if (strcmp(what, "hard") == 0)
        bench_hard();
    else if (strcmp(what, "memory") == 0)
        bench_memory(argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000);
    else
        die("usage: bench-solver [paths | cone | hard | memory N]");
    return 0;
}
