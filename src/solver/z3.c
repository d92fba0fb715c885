/* z3.c - the back end over Z3's C interface: everything, floats in particular.
 *
 * Bit-vector queries are incremental, in one of two modes: each constraint asserted once behind a literal of
 * its own, a query being a check under those literals; or a stack of constraints of which a query keeps the
 * part that it shares with the one before. Queries with floats or arrays (and all, in a third mode) get a
 * solver of their own with the tactic for their logic, which for floats is far faster than Z3's incremental
 * core. bench/solver compares the modes. */
#include "solver/z3_terms.h"

#include <math.h>
#include <pthread.h>

enum {
    TERMS_LIMIT = 300000, /* terms are freed only with their context: start again beyond this */
    GUARDS_FACTOR = 8,    /* restart the incremental solver when it holds this many times a query */
    GUARDS_FLOOR = 400,
    WATCH_MS = 5,
};

/* A thread that interrupts Z3 when the budget is spent: Z3's own time-out is not looked at everywhere. */
typedef struct Watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started, quit;
    Budget *budget; /* of the call under way; NULL between calls */
    Z3_context z;
} Watch;

typedef enum Z3Mode { MODE_GUARDS, MODE_STACK, MODE_FRESH } Z3Mode;

typedef struct Z3 {
    Backend face;
    Z3Mode mode;
    Solver *solver;
    Z3_context z;
    Z3Terms *terms;
    Z3_solver incremental;
    Map guard; /* constraint id to number in guards */
    Vec(Z3_ast) guards;
    U32Vec stack; /* ids of the constraints asserted, one scope each (MODE_STACK) */
    Watch watch;
} Z3;

/* ---- the watch ------------------------------------------------------------------------------- */

static void *watch_main(void *argument)
{
    Watch *w = argument;
    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        if (!w->budget) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH_MS * 1000000L;
        if (until.tv_nsec >= 1000000000L)
            until.tv_sec++, until.tv_nsec -= 1000000000L;
        pthread_cond_timedwait(&w->changed, &w->lock, &until);
        if (w->budget && budget_spent(w->budget))
            Z3_interrupt(w->z);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void watch_set(Watch *w, Budget *budget, Z3_context z)
{
    if (budget && !isfinite(budget->deadline) && !budget->stop && !budget->bytes)
        return;
    if (!budget && !w->started)
        return;
    if (!w->started) {
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->changed, NULL);
        if (pthread_create(&w->thread, NULL, watch_main, w) != 0)
            die("cannot start a thread to watch over Z3's time limit");
        w->started = true;
    }
    pthread_mutex_lock(&w->lock);
    w->budget = budget;
    w->z = z;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static void watch_end(Watch *w)
{
    if (!w->started)
        return;
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
}

/* ---- contexts -------------------------------------------------------------------------------- */

static void close_incremental(Z3 *b)
{
    if (b->incremental)
        Z3_solver_dec_ref(b->z, b->incremental);
    b->incremental = NULL;
    map_clear(&b->guard);
    vec_clear(&b->guards);
    vec_clear(&b->stack);
}

static void close_context(Z3 *b)
{
    if (!b->z)
        return;
    close_incremental(b);
    z3_terms_free(b->terms);
    Z3_del_context(b->z);
    b->z = NULL;
    b->terms = NULL;
}

static void open_context(Z3 *b)
{
    if (b->z && z3_terms_count(b->terms) > TERMS_LIMIT)
        close_context(b);
    if (b->z)
        return;
    Z3_config config = Z3_mk_config();
    b->z = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(b->z, NULL); /* errors are looked at, not fatal */
    b->terms = z3_terms_new(b->solver->pool, b->z);
}

/* ---- queries --------------------------------------------------------------------------------- */

typedef struct Traits {
    bool floats, arrays;
} Traits;

/* Lemmas are about operators of the group itself. */
static Traits traits_of(Z3 *b, const Group *g)
{
    Traits t = {0};
    ExprPool *p = b->solver->pool;
    const U32Vec *cone = group_cone(b->solver, g);
    for (uint32_t i = 0; i < cone->n; i++) {
        Expr e = {cone->v[i]};
        ExprOp op = expr_op(p, e);
        t.floats = t.floats || expr_op_is_float(op);
        t.arrays = t.arrays || (op == EXPR_SELECT && !z3_terms_spelt_out(b->terms, expr_child(p, e, 0)));
    }
    return t;
}

static Z3_solver fresh_solver(Z3 *b, Traits t)
{
    const char *logic = t.floats && t.arrays ? NULL : t.floats ? "QF_BVFP" : t.arrays ? "QF_ABV" : "QF_BV";
    Z3_solver solver =
        logic ? Z3_mk_solver_for_logic(b->z, Z3_mk_string_symbol(b->z, logic)) : Z3_mk_solver(b->z);
    Z3_solver_inc_ref(b->z, solver);
    return solver;
}

static void set_timeout(Z3 *b, Z3_solver solver, const Budget *budget)
{
    if (!isfinite(budget->until)) /* processor time the watch looks at */
        return;
    double left = (budget->until - clock_seconds()) * 1000;
    Z3_params params = Z3_mk_params(b->z);
    Z3_params_inc_ref(b->z, params);
    Z3_params_set_uint(b->z, params, Z3_mk_string_symbol(b->z, "timeout"),
                       left < 1     ? 1
                       : left > 4e9 ? 4000000000u
                                    : (unsigned)left);
    Z3_solver_set_params(b->z, solver, params);
    Z3_params_dec_ref(b->z, params);
}

static bool assert_fresh(Z3 *b, Z3_solver solver, const Expr *c, uint32_t n, Budget *budget)
{
    for (uint32_t i = 0; i < n; i++) {
        Z3_ast term = z3_terms_of(b->terms, c[i], budget);
        if (!term)
            return false;
        Z3_solver_assert(b->z, solver, term);
    }
    return true;
}

/* Makes sure that each constraint is asserted behind its guard; the guards are appended to out. */
static bool assert_guarded(Z3 *b, const Expr *c, uint32_t n, Budget *budget, Z3_ast *out)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at;
        if (!map_get(&b->guard, c[i].id, &at)) {
            Z3_ast term = z3_terms_of(b->terms, c[i], budget);
            if (!term)
                return false;
            char name[16];
            snprintf(name, sizeof name, "g%u", c[i].id);
            Z3_ast guard = Z3_mk_const(b->z, Z3_mk_string_symbol(b->z, name), Z3_mk_bool_sort(b->z));
            Z3_solver_assert(b->z, b->incremental, Z3_mk_implies(b->z, guard, term));
            at = b->guards.n;
            vec_push(&b->guards, guard);
            map_put(&b->guard, c[i].id, at);
        }
        out[i] = b->guards.v[at];
    }
    return true;
}

/* Leaves exactly these constraints on the stack. */
static bool assert_stacked(Z3 *b, const Expr *c, uint32_t n, Budget *budget)
{
    uint32_t same = 0;
    while (same < n && same < b->stack.n && b->stack.v[same] == c[same].id)
        same++;
    if (same < b->stack.n)
        Z3_solver_pop(b->z, b->incremental, b->stack.n - same);
    b->stack.n = same;
    for (uint32_t i = same; i < n; i++) {
        Z3_ast term = z3_terms_of(b->terms, c[i], budget);
        if (!term)
            return false;
        Z3_solver_push(b->z, b->incremental);
        Z3_solver_assert(b->z, b->incremental, term);
        vec_push(&b->stack, c[i].id);
    }
    return true;
}

static void read_core(Z3 *b, Z3_solver solver, const Group *g, const Z3_ast *guards, GroupAnswer *a)
{
    Z3_ast_vector core = guards ? Z3_solver_get_unsat_core(b->z, solver) : NULL;
    if (core)
        Z3_ast_vector_inc_ref(b->z, core);
    unsigned size = core ? Z3_ast_vector_size(b->z, core) : 0;
    for (uint32_t i = 0; i < g->n; i++) {
        bool in = !core;
        for (unsigned k = 0; k < size && !in; k++)
            in = Z3_is_eq_ast(b->z, Z3_ast_vector_get(b->z, core, k), guards[i]);
        if (in)
            vec_push(&a->core, g->c[i]);
    }
    if (core)
        Z3_ast_vector_dec_ref(b->z, core);
}

static void read_model(Z3 *b, Z3_solver solver, const Group *g, Budget *budget, ExprInput *out)
{
    ExprPool *p = b->solver->pool;
    Z3_model model = Z3_solver_get_model(b->z, solver);
    if (!model)
        return;
    Z3_model_inc_ref(b->z, model);
    Budget none = *budget;
    none.deadline = INFINITY; /* the answer is there: symbols are all that is left */
    none.spent = SOLVER_REASON_NONE;
    none.stop = NULL;
    none.bytes = 0;
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        Expr symbol = expr_symbol_of(p, g->symbols[i]);
        Z3_ast value = NULL, term = z3_terms_of(b->terms, symbol, &none);
        if (!Z3_model_eval(b->z, model, term, false, &value) || !value)
            continue;
        if (expr_width(p, symbol) == 1) {
            Z3_lbool bit = Z3_get_bool_value(b->z, value);
            if (bit != Z3_L_UNDEF)
                expr_input_set(p, out, symbol, bit == Z3_L_TRUE);
        } else if (Z3_is_numeral_ast(b->z, value)) {
            u128 number;
            if (text_parse_u128(Z3_get_numeral_string(b->z, value), 10, &number))
                expr_input_set(p, out, symbol, number);
        }
    }
    Z3_model_dec_ref(b->z, model);
}

static void conclude(Z3 *b, Z3_solver solver, Z3_lbool result, const Group *g, const Z3_ast *guards,
                     Budget *budget, GroupAnswer *a)
{
    switch (result) {
    case Z3_L_TRUE:
        a->status = SOLVER_SAT;
        read_model(b, solver, g, budget, &a->model);
        break;
    case Z3_L_FALSE:
        a->status = SOLVER_UNSAT;
        read_core(b, solver, g, guards, a);
        break;
    default:
        budget_spent(budget); /* Z3's own time-out may have come first */
        a->reason = budget->spent != SOLVER_REASON_NONE ? budget->spent : SOLVER_REASON_INCOMPLETE;
        if (isfinite(budget->until) && budget->until - clock_seconds() < 0.05)
            a->reason = SOLVER_REASON_TIME;
        snprintf(a->detail, sizeof a->detail, "Z3: %s", Z3_solver_get_reason_unknown(b->z, solver));
        break;
    }
}

/* Asserts the query in the way its mode wants; *solver is who has it. */
static bool build(Z3 *b, const Group *g, const ExprVec *lemmas, Z3Mode mode, Traits traits, Budget *budget,
                  Z3_ast *guards, Z3_solver *solver)
{
    if (mode == MODE_FRESH) {
        *solver = fresh_solver(b, traits);
        return assert_fresh(b, *solver, g->c, g->n, budget) &&
               assert_fresh(b, *solver, lemmas->v, lemmas->n, budget);
    }
    if (b->incremental && b->guards.n > GUARDS_FLOOR + GUARDS_FACTOR * g->n)
        close_incremental(b);
    if (!b->incremental)
        b->incremental = fresh_solver(b, traits);
    *solver = b->incremental;
    if (mode == MODE_GUARDS)
        return assert_guarded(b, g->c, g->n, budget, guards) &&
               assert_guarded(b, lemmas->v, lemmas->n, budget, guards + g->n);
    ExprVec all = {0};
    for (uint32_t i = 0; i < g->n; i++)
        vec_push(&all, g->c[i]);
    for (uint32_t i = 0; i < lemmas->n; i++)
        vec_push(&all, lemmas->v[i]);
    bool built = assert_stacked(b, all.v, all.n, budget);
    vec_free(&all);
    return built;
}

static void check(Backend *face, const Group *g, const ExprVec *lemmas, const ExprInput *hint, Budget *whole,
                  GroupAnswer *a)
{
    (void)hint;
    Z3 *b = (Z3 *)face;
    /* Z3 takes a while to notice an interrupt, and to free what a large query made. */
    Budget most = budget_part(whole, 0.85), *budget = &most;
    a->status = SOLVER_UNKNOWN;
    open_context(b);
    Traits traits = traits_of(b, g);
    Z3Mode mode = traits.floats || traits.arrays ? MODE_FRESH : b->mode;
    Z3_ast *guards = mem_alloc((g->n + lemmas->n + 1) * sizeof *guards);
    Z3_solver solver = NULL;
    if (build(b, g, lemmas, mode, traits, budget, guards, &solver)) {
        set_timeout(b, solver, budget);
        watch_set(&b->watch, budget, b->z);
        Z3_lbool result = mode == MODE_GUARDS
                              ? Z3_solver_check_assumptions(b->z, solver, g->n + lemmas->n, guards)
                              : Z3_solver_check(b->z, solver);
        watch_set(&b->watch, NULL, b->z);
        if (Z3_get_error_code(b->z) != Z3_OK || budget_spent(budget))
            result = Z3_L_UNDEF; /* what an interrupt may have met is no answer: its model may be torn */
        conclude(b, solver, result, g, mode == MODE_GUARDS ? guards : NULL, budget, a);
    } else {
        a->reason = budget->spent;
    }
    if (mode == MODE_FRESH)
        Z3_solver_dec_ref(b->z, solver);
    else if (a->status == SOLVER_UNKNOWN)
        close_incremental(b); /* it may keep what made it slow */
    mem_free(guards);
}

static void forget(Backend *face) { close_context((Z3 *)face); }

static void free_backend(Backend *face)
{
    Z3 *b = (Z3 *)face;
    watch_end(&b->watch);
    close_context(b);
    map_free(&b->guard);
    vec_free(&b->guards);
    vec_free(&b->stack);
    mem_free(b);
}

Backend *backend_z3_new(Solver *s, const char *mode)
{
    static const char *const modes[] = {
        [MODE_GUARDS] = "guards", [MODE_STACK] = "stack", [MODE_FRESH] = "fresh"};
    Z3 *b = mem_zalloc(sizeof *b);
    b->face = (Backend){"z3", check, forget, free_backend};
    b->solver = s;
    b->mode = MODE_GUARDS;
    for (unsigned i = 0; i < COUNT_OF(modes); i++)
        if (mode && strcmp(mode, modes[i]) == 0)
            b->mode = (Z3Mode)i;
    return &b->face;
}
