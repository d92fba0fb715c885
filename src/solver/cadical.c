/* cadical.c - the back end over CaDiCaL: queries are calls under assumptions, so that what one query learned
 * serves the next.
 *
 * CaDiCaL assigns every variable that it holds, so instances are kept by groups of symbols and restarted when
 * far larger than the cones of recent queries: a query costs what its own cone costs.
 *
 * Models stay near the hint in two ways: gates.h makes the hint CaDiCaL's first guess, and symbols that no
 * violated constraint mentions are first held at their hinted values by assumptions; those that turn out to
 * conflict are let go. */
#include "solver/blast.h"

#include <stdlib.h>

enum {
    INSTANCES = 24,
    VARS_FLOOR = 800,     /* an instance of this size is never too large */
    VARS_FACTOR = 4,      /* nor one this many times larger than recent cones */
    VARS_TOTAL = 3000000, /* over all instances; the least recently used go */
    HOLD_ROUNDS = 4,      /* how often symbols that conflict are let go before all are */
};

typedef struct Instance {
    Blast *blast;
    BitSet symbols;     /* input positions it has seen */
    double recent_cone; /* moving average of the variables that queries needed */
    uint64_t used;      /* when: the backend's clock */
} Instance;

/* For a search under way. */
typedef struct Watch {
    Solver *solver;
    Budget *budget;
} Watch;

typedef struct Cadical {
    Backend face;
    Solver *solver;
    Instance instances[INSTANCES];
    uint32_t n;
    uint64_t clock;
    BitSet held; /* input positions that are assumed at their hinted values */
    Watch watch;
} Cadical;

/* ---- instances ------------------------------------------------------------------------------- */

static void drop_instance(Cadical *c, uint32_t i)
{
    blast_free(c->instances[i].blast);
    bitset_free(&c->instances[i].symbols);
    c->instances[i] = c->instances[--c->n];
}

static uint32_t least_recent(const Cadical *c)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < c->n; i++)
        if (c->instances[i].used < c->instances[least].used)
            least = i;
    return least;
}

static uint64_t total_vars(const Cadical *c)
{
    uint64_t vars = 0;
    for (uint32_t i = 0; i < c->n; i++)
        vars += gates_vars(blast_gates(c->instances[i].blast));
    return vars;
}

/* The instance that knows most of the group's symbols, or a new one if none knows any. */
static Instance *instance_for(Cadical *c, const Group *g)
{
    while (c->n > 0 && total_vars(c) > VARS_TOTAL)
        drop_instance(c, least_recent(c));
    uint32_t best = UINT32_MAX, best_known = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t known = 0;
        for (uint32_t j = 0; j < g->n_symbols; j++)
            known += bitset_has(&c->instances[i].symbols, g->symbols[j]);
        if (known > best_known)
            best = i, best_known = known;
    }
    if (best == UINT32_MAX) {
        if (c->n == INSTANCES)
            drop_instance(c, least_recent(c));
        best = c->n++;
        c->instances[best] = (Instance){.blast = blast_new(c->solver->pool)};
        solver_bump(c->solver, SOLVER_INSTANCES_COUNT);
    }
    Instance *in = &c->instances[best];
    for (uint32_t j = 0; j < g->n_symbols; j++)
        bitset_add(&in->symbols, g->symbols[j]);
    in->used = ++c->clock;
    return in;
}

/* Builds the query's circuits; restarts the instance if it carries much that recent queries did not need. */
static bool build(Cadical *c, Instance *in, const Group *g, const ExprVec *lemmas, const ExprInput *hint,
                  Budget *budget)
{
    if (!blast_nodes(in->blast, g->c, g->n, hint, budget) ||
        !blast_nodes(in->blast, lemmas->v, lemmas->n, hint, budget))
        return false;
    if (gates_vars(blast_gates(in->blast)) > VARS_FLOOR) {
        double cone = blast_cone_vars(in->blast, g->c, g->n);
        in->recent_cone = in->recent_cone == 0 ? cone : 0.75 * in->recent_cone + 0.25 * cone;
        if (gates_vars(blast_gates(in->blast)) > VARS_FLOOR + VARS_FACTOR * in->recent_cone) {
            blast_free(in->blast);
            in->blast = blast_new(c->solver->pool);
            bitset_free(&in->symbols);
            for (uint32_t j = 0; j < g->n_symbols; j++)
                bitset_add(&in->symbols, g->symbols[j]);
            solver_bump(c->solver, SOLVER_RESTARTS_COUNT);
            if (!blast_nodes(in->blast, g->c, g->n, hint, budget) ||
                !blast_nodes(in->blast, lemmas->v, lemmas->n, hint, budget))
                return false;
        }
    }
    for (uint32_t i = 0; i < lemmas->n; i++)
        gates_clause(blast_gates(in->blast), blast_word(in->blast, lemmas->v[i]), 1);
    return true;
}

/* ---- one call of the SAT solver -------------------------------------------------------------- */

/* CaDiCaL asks after so many decisions each time. */
static int terminate(void *context)
{
    Watch *watch = context;
    solver_bump(watch->solver, SOLVER_SEARCHED_COUNT);
    return budget_spent(watch->budget);
}

/* Calls f with each literal of the held symbols, signed as the hint has it, and the symbol's position. */
static void for_each_held(Cadical *c, Blast *b, const Group *g, const ExprInput *hint,
                          void (*f)(Cadical *c, Blast *b, Lit as_hinted, uint32_t position))
{
    ExprPool *p = c->solver->pool;
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        if (!bitset_has(&c->held, g->symbols[i]))
            continue;
        Expr symbol = expr_symbol_of(p, g->symbols[i]);
        const Lit *word = blast_word(b, symbol);
        if (!word)
            continue;
        u128 value = expr_input_get(p, hint, symbol);
        for (unsigned k = 0, width = expr_width(p, symbol); k < width; k++)
            f(c, b, value >> k & 1 ? word[k] : -word[k], g->symbols[i]);
    }
}

static void assume_held(Cadical *c, Blast *b, Lit lit, uint32_t position)
{
    (void)c, (void)position;
    ccadical_assume(gates_sat(blast_gates(b)), lit);
}

static void release_failed(Cadical *c, Blast *b, Lit lit, uint32_t position)
{
    if (ccadical_failed(gates_sat(blast_gates(b)), lit))
        bitset_remove(&c->held, position);
}

/* Holds what no violated constraint mentions. */
static void hold_symbols(Cadical *c, const Group *g)
{
    ExprPool *p = c->solver->pool;
    vec_clear(&c->held);
    for (uint32_t i = 0; i < g->n_symbols; i++)
        bitset_add(&c->held, g->symbols[i]);
    for (uint32_t i = 0; i < g->n_failing; i++) {
        ExprSet set = expr_symbols(p, g->failing[i]);
        for (uint32_t at = expr_set_next(p, set, 0); at != UINT32_MAX; at = expr_set_next(p, set, at + 1))
            bitset_remove(&c->held, at);
    }
}

/* Solves under the constraints and the held symbols; lets go of held symbols until the answer is the group's
 * own. */
static int search(Cadical *c, Blast *b, const Group *g, const ExprInput *hint, Budget *budget)
{
    CCaDiCaL *sat = gates_sat(blast_gates(b));
    c->watch = (Watch){c->solver, budget};
    ccadical_set_terminate(sat, &c->watch, terminate);
    for (int round = 0;; round++) {
        if (budget_spent(
                budget)) /* before anything is assumed: what is would be assumed in the next query as well */
            return 0;
        if (round == HOLD_ROUNDS)
            vec_clear(&c->held);
        for (uint32_t i = 0; i < g->n; i++)
            ccadical_assume(sat, *blast_word(b, g->c[i]));
        for_each_held(c, b, g, hint, assume_held);
        int result = ccadical_solve(sat);
        uint32_t before = bitset_count(&c->held);
        if (result == 20 && before > 0)
            for_each_held(c, b, g, hint, release_failed);
        if (result != 20 || bitset_count(&c->held) == before)
            return result;
    }
}

static void read_model(Cadical *c, Blast *b, const Group *g, ExprInput *model)
{
    ExprPool *p = c->solver->pool;
    CCaDiCaL *sat = gates_sat(blast_gates(b));
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        Expr symbol = expr_symbol_of(p, g->symbols[i]);
        const Lit *word = blast_word(b, symbol);
        u128 value = 0;
        for (unsigned k = 0, width = expr_width(p, symbol); word && k < width; k++) {
            bool positive = ccadical_val(sat, abs(word[k])) > 0;
            value |= (u128)(positive == (word[k] > 0)) << k;
        }
        if (word)
            expr_input_set(p, model, symbol, value);
    }
}

static void check(Backend *face, const Group *g, const ExprVec *lemmas, const ExprInput *hint, Budget *budget,
                  GroupAnswer *a)
{
    Cadical *c = (Cadical *)face;
    Solver *s = c->solver;
    Instance *in = instance_for(c, g);
    a->status = SOLVER_UNKNOWN;
    uint64_t before = gates_vars(blast_gates(in->blast));
    bool built = build(c, in, g, lemmas, hint, budget);
    uint64_t after = gates_vars(blast_gates(in->blast));
    s->counter[SOLVER_GATES_COUNT] += after >= before ? after - before : after; /* fewer: it began anew */
    if (!built) {
        a->reason = budget->spent;
        return;
    }
    hold_symbols(c, g);
    for (;;) {
        int result = search(c, in->blast, g, hint, budget);
        if (result == 20) {
            a->status = SOLVER_UNSAT;
            for (uint32_t i = 0; i < g->n; i++)
                if (ccadical_failed(gates_sat(blast_gates(in->blast)), *blast_word(in->blast, g->c[i])))
                    vec_push(&a->core, g->c[i]);
            return;
        }
        if (result != 10)
            break;
        read_model(c, in->blast, g, &a->model);
        if (group_holds(s, g, &a->model)) {
            a->status = SOLVER_SAT;
            return;
        }
        expr_eval_input(s->eval, &a->model);
        if (blast_refine(in->blast, g->c, g->n, s->eval, hint, budget) == 0 && !budget_spent(budget)) {
            a->status = SOLVER_SAT; /* refuted by evaluation: the caller refines by values */
            return;
        }
    }
    a->reason = budget->spent;
}

static void forget(Backend *face)
{
    Cadical *c = (Cadical *)face;
    while (c->n > 0)
        drop_instance(c, c->n - 1);
}

static void free_backend(Backend *face)
{
    forget(face);
    vec_free(&((Cadical *)face)->held);
    mem_free(face);
}

Backend *backend_cadical_new(Solver *s)
{
    Cadical *c = mem_zalloc(sizeof *c);
    c->face = (Backend){"cadical", check, forget, free_backend};
    c->solver = s;
    return &c->face;
}
