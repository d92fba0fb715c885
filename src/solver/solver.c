/* solver.c - the life of a solver, and the chain: what a query goes through, in order. */
#include "solver/child.h"
#include "solver/solver_int.h"

#include <stdlib.h>

static const struct {
    const char *name, *help;
} layer_text[] = {
#define LAYER(NAME, text, help) {text, help},
#include "solver/solver.def"
};

static const char *const counter_text[] = {
#define COUNTER(NAME, text) text,
#include "solver/solver.def"
};

/* ---- life ------------------------------------------------------------------------------------ */

Solver *solver_new(ExprPool *pool, const SolverOptions *options)
{
    static const SolverOptions plain;
    const SolverOptions *o = options ? options : &plain;
    Solver *s = mem_zalloc(sizeof *s);
    s->pool = pool;
    s->without = o->without;
    s->hint_eval = expr_eval_new(pool);
    s->eval = expr_eval_new(pool);
    expr_eval_input(s->hint_eval, &s->hint);
    s->splitter = splitter_new();
    s->reuse = reuse_new();
    s->cache = cache_new();
    s->bytes = bytes_new(pool);
    s->boxes = boxes_new();
    s->ranges = ranges_new();
    s->log = o->log_dir ? log_new(o->log_dir) : NULL;
    if (!o->backend || strcmp(o->backend, "cadical") == 0) {
        s->backend = backend_cadical_new(s);
        s->backend_is_cadical = true;
    } else if (strcmp(o->backend, "z3") == 0 || text_starts_with(o->backend, "z3:")) {
        s->backend = s->z3 = backend_z3_new(s, o->backend[2] ? o->backend + 3 : NULL);
    } else {
        s->backend = backend_child_new(s, o->backend);
    }
    return s;
}

void solver_backend_check(const char *backend)
{
    if (backend && !backend[strspn(backend, " \t")])
        die("--solver: the command is empty; name cadical, z3 or the command of an SMT-LIB 2 solver");
    if (backend && strcmp(backend, "cadical") != 0 && strcmp(backend, "z3") != 0 &&
        !text_starts_with(backend, "z3:") && !child_can_start(backend))
        die("--solver '%s': no such command; name cadical, z3 or the command of an SMT-LIB 2 solver",
            backend);
}

void solver_free(Solver *s)
{
    if (!s)
        return;
    if (s->z3 && s->z3 != s->backend)
        s->z3->free(s->z3);
    s->backend->free(s->backend);
    expr_eval_free(s->hint_eval);
    expr_eval_free(s->eval);
    expr_input_free(&s->hint);
    vec_free(&s->cone);
    vec_free(&s->conjuncts);
    splitter_free(s->splitter);
    reuse_free(s->reuse);
    cache_free(s->cache);
    bytes_free(s->bytes);
    boxes_free(s->boxes);
    ranges_free(s->ranges);
    log_free(s->log);
    mem_free(s);
}

void solver_forget(Solver *s)
{
    s->backend->forget(s->backend);
    if (s->z3 && s->z3 != s->backend)
        s->z3->forget(s->z3);
    reuse_clear(s->reuse);
    cache_clear(s->cache);
    bytes_clear(s->bytes);
    boxes_clear(s->boxes);
}

void solver_answer_free(SolverAnswer *a)
{
    expr_input_free(&a->model);
    vec_free(&a->core);
}

/* ---- statistics ------------------------------------------------------------------------------ */

uint64_t solver_count(const Solver *s, SolverCounter counter) { return s->counter[counter]; }
/* Weights fitted to the times of some hundred explorations. */
uint64_t solver_work(const Solver *s)
{
    static const struct {
        SolverCounter what;
        uint64_t weight;
    } costs[] = {
        {SOLVER_QUERIES_COUNT, 2400}, {SOLVER_CONJUNCTS_COUNT, 13}, {SOLVER_EVALUATED_COUNT, 16},
        {SOLVER_LOOKS_COUNT, 70},     {SOLVER_GATES_COUNT, 1800},   {SOLVER_SEARCHED_COUNT, 47000},
    };
    uint64_t work = 0;
    for (uint32_t i = 0; i < COUNT_OF(costs); i++)
        work += costs[i].weight * s->counter[costs[i].what];
    return work;
}

uint64_t solver_layer_hits(const Solver *s, SolverLayer layer) { return s->hits[layer]; }
double solver_layer_seconds(const Solver *s, SolverLayer layer) { return s->seconds[layer]; }
const char *solver_layer_name(SolverLayer layer) { return layer_text[layer].name; }

bool solver_layer_parse(const char *name, SolverLayer *layer)
{
    for (unsigned i = 0; i < SOLVER_LAYER_COUNT; i++)
        if (strcmp(name, layer_text[i].name) == 0) {
            *layer = (SolverLayer)i;
            return true;
        }
    return false;
}

void solver_stats(const Solver *s, JsonOut *json)
{
    for (unsigned i = 0; i < SOLVER_COUNTER_COUNT; i++)
        json_uint(json, counter_text[i], s->counter[i]);
    json_object_begin(json, "layers");
    for (unsigned i = 0; i < SOLVER_LAYER_COUNT; i++) {
        json_object_begin(json, layer_text[i].name);
        json_uint(json, "decided", s->hits[i]);
        json_double(json, "seconds", s->seconds[i]);
        json_object_end(json);
    }
    json_object_end(json);
}

const char *solver_reason_text(SolverReason reason)
{
    switch (reason) {
    case SOLVER_REASON_NONE: return "no reason";
    case SOLVER_REASON_TIME: return "time limit";
    case SOLVER_REASON_MEMORY: return "memory limit";
    case SOLVER_REASON_STOPPED: return "stopped";
    case SOLVER_REASON_INCOMPLETE:
        return "the back end gave up (floating point, or functions that run natively)";
    case SOLVER_REASON_BACKEND: return "the back end failed";
    }
    bug("no such reason: %d", (int)reason);
}

/* ---- the chain ------------------------------------------------------------------------------- */

static bool is_on(const Solver *s, SolverLayer layer) { return !(s->without >> layer & 1); }

const U32Vec *group_cone(Solver *s, const Group *g)
{
    if (s->cone_of != g)
        expr_cone(s->pool, g->c, g->n, &s->cone);
    s->cone_of = g;
    return &s->cone;
}

bool group_holds(Solver *s, const Group *g, const ExprInput *in)
{
    expr_eval_input(s->eval, in);
    for (uint32_t i = 0; i < g->n_failing; i++)
        if (!expr_eval_true(s->eval, g->failing[i]))
            return false;
    for (uint32_t i = 0; i < g->n; i++)
        if (!expr_eval_true(s->eval, g->c[i]))
            return false;
    return true;
}

/* What a group goes through, in this order, until a layer decides it. */
/* Layers that conclude "unsatisfiable" from evaluating all values. */
static bool is_by_values(SolverLayer layer)
{
    return layer == SOLVER_LAYER_BYTES || layer == SOLVER_LAYER_BOXES || layer == SOLVER_LAYER_CASES;
}

static SolverLayer group_decide(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    static const struct {
        SolverLayer layer;
        LayerFn *decide;
    } chain[] = {
        {SOLVER_LAYER_CACHE, layer_cache},   {SOLVER_LAYER_BYTES, layer_bytes},
        {SOLVER_LAYER_BOXES, layer_boxes},   {SOLVER_LAYER_REUSE, layer_reuse},
        {SOLVER_LAYER_REPAIR, layer_repair}, {SOLVER_LAYER_RANGES, layer_ranges},
        {SOLVER_LAYER_WALK, layer_walk},     {SOLVER_LAYER_CASES, layer_cases},
        {SOLVER_LAYER_FLOATS, layer_floats}, {SOLVER_LAYER_BACKEND, layer_backend},
    };
    bytes_leave_group(s->bytes); /* layer_bytes may be left out */
    bool vague = expr_fn_missed(s->pool) && group_has_applications(s, g);
    for (uint32_t i = 0; i < COUNT_OF(chain); i++) {
        SolverLayer layer = chain[i].layer;
        if ((!is_on(s, layer) && layer != SOLVER_LAYER_BACKEND) || (vague && is_by_values(layer)))
            continue;
        double start = clock_seconds();
        uint64_t missed = expr_fn_missed(s->pool);
        bool decided = chain[i].decide(s, g, budget, a);
        s->seconds[layer] += clock_seconds() - start;
        if (decided && a->status == SOLVER_UNSAT && is_by_values(layer) &&
            expr_fn_missed(s->pool) != missed) {
            vec_clear(&a->core);
            continue; /* of some values the function was not evaluated */
        }
        if (decided) {
            s->hits[layer]++;
            return layer;
        }
    }
    bug("no layer decided a group");
}

/* Undoes changes that the constraints do not need, symbol by symbol: the nearer to the hint, the more of the
 * caller's run stays. */
static void settle(Solver *s, const Group *g, Budget *budget, ExprInput *model)
{
    enum { AT_MOST = 12 };
    Expr changed[AT_MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        Expr symbol = expr_symbol_of(s->pool, g->symbols[i]);
        if (expr_input_get(s->pool, model, symbol) == expr_input_get(s->pool, &s->hint, symbol))
            continue;
        if (n == AT_MOST)
            return;
        changed[n++] = symbol;
    }
    for (uint32_t i = 0; i < n && n > 1 && !budget_spent(budget); i++) {
        u128 found = expr_input_get(s->pool, model, changed[i]);
        expr_input_set(s->pool, model, changed[i], expr_input_get(s->pool, &s->hint, changed[i]));
        if (!group_holds(s, g, model))
            expr_input_set(s->pool, model, changed[i], found);
    }
}

/* One group through the chain; its model joins the whole one, its core becomes the query's. */
static bool group_solve(Solver *s, const Group *g, Budget *budget, SolverAnswer *a, ExprVec *core)
{
    GroupAnswer found = {0};
    expr_input_copy(&found.model, &s->hint);
    solver_bump(s, SOLVER_GROUPS_COUNT);
    s->cone_of = NULL;
    SolverLayer by = group_decide(s, g, budget, &found);
    if (by > a->by)
        a->by = by;
    if (found.status == SOLVER_SAT) {
        if (!group_holds(s, g, &found.model))
            bug("layer %s gave a model that violates its constraints", layer_text[by].name);
        settle(s, g, budget, &found.model);
        for (uint32_t i = 0; i < g->n_symbols; i++) {
            Expr symbol = expr_symbol_of(s->pool, g->symbols[i]);
            expr_input_set(s->pool, &a->model, symbol, expr_input_get(s->pool, &found.model, symbol));
        }
    }
    if (by != SOLVER_LAYER_CACHE && is_on(s, SOLVER_LAYER_CACHE) && found.status != SOLVER_UNKNOWN)
        cache_learn(s, g, &found);
    a->status = found.status;
    a->reason = found.reason;
    memcpy(a->detail, found.detail, sizeof a->detail);
    for (uint32_t i = 0; i < found.core.n; i++)
        vec_push(core, found.core.v[i]);
    expr_input_free(&found.model);
    vec_free(&found.core);
    return found.status == SOLVER_SAT;
}

/* ---- a query --------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const Expr *)a)->id, y = ((const Expr *)b)->id;
    return x < y ? -1 : x > y;
}

/* Paths add conditions mostly in the order of their birth: few move, and not far. */
static void sort(ExprVec *list)
{
    uint32_t most = 16 * list->n, moves = 0;
    for (uint32_t i = 1; i < list->n && moves <= most; i++) {
        Expr e = list->v[i];
        uint32_t k = i;
        for (; k > 0 && list->v[k - 1].id > e.id; k--, moves++)
            list->v[k] = list->v[k - 1];
        list->v[k] = e;
    }
    if (moves > most)
        qsort(list->v, list->n, sizeof *list->v, by_id);
}

/* The conjuncts of all constraints, ascending, none twice, without those that are constant. False if one of
 * them is the constant false, which is then the only one left. */
static bool flatten(Solver *s, const SolverQuery *q, ExprVec *out)
{
    for (uint32_t i = 0; i < q->n; i++) {
        if (expr_is_true(q->constraints[i]))
            continue;
        expr_split(s->pool, q->constraints[i], out);
    }
    sort(out);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        Expr c = out->v[i];
        if (kept > 0 && expr_same(out->v[kept - 1], c))
            continue;
        /* Without symbols (simplification may be off) a constraint is decided by its value. */
        if (!expr_is_symbolic(s->pool, c)) {
            if (expr_eval_true(s->hint_eval, c))
                continue;
            out->v[0] = c;
            out->n = 1;
            return false;
        }
        out->v[kept++] = c;
    }
    out->n = kept;
    return true;
}

static void take_hint(Solver *s, const ExprInput *hint)
{
    static const ExprInput zero;
    const ExprInput *h = hint ? hint : &zero;
    if (h->n == s->hint.n && (h->n == 0 || memcmp(h->v, s->hint.v, h->n) == 0))
        return;
    expr_input_copy(&s->hint, h);
    expr_eval_input(s->hint_eval, &s->hint);
}

/* The given constraints that have these conjuncts. */
static void core_of(Solver *s, const SolverQuery *q, const ExprVec *conjuncts, U32Vec *core)
{
    Map missing = {0};
    ExprVec parts = {0};
    for (uint32_t i = 0; i < conjuncts->n; i++)
        map_put(&missing, conjuncts->v[i].id, 0);
    for (uint32_t i = 0; i < q->n && missing.n > 0; i++) {
        vec_clear(&parts);
        expr_split(s->pool, q->constraints[i], &parts);
        bool in = false;
        for (uint32_t k = 0; k < parts.n; k++)
            in = map_remove(&missing, parts.v[k].id) || in;
        if (in)
            vec_push(core, i);
    }
    map_free(&missing);
    vec_free(&parts);
}

/* Which constraints the hint violates; with the layer off, all count as violated. */
static uint32_t test_hint(Solver *s, const ExprVec *constraints, BitSet *failing)
{
    uint32_t n = 0;
    double start = clock_seconds();
    for (uint32_t i = 0; i < constraints->n; i++)
        if (!is_on(s, SOLVER_LAYER_HINT) || !expr_eval_true(s->hint_eval, constraints->v[i])) {
            bitset_add(failing, i);
            n++;
        }
    s->seconds[SOLVER_LAYER_HINT] += clock_seconds() - start;
    return n;
}

static void solve_groups(Solver *s, const ExprVec *constraints, const BitSet *failing, Budget *budget,
                         SolverAnswer *a, ExprVec *core)
{
    double start = clock_seconds();
    const GroupVec *groups = group_split(s, constraints, failing, !is_on(s, SOLVER_LAYER_SPLIT));
    s->seconds[SOLVER_LAYER_SPLIT] += clock_seconds() - start;
    for (uint32_t i = 0; i < groups->n && group_solve(s, &groups->v[i], budget, a, core); i++)
        ;
}

SolverStatus solver_check(Solver *s, const SolverQuery *q, SolverAnswer *a)
{
    Budget budget;
    budget_start(&budget, q->seconds, q->until, q->bytes, q->stop);
    solver_bump(s, SOLVER_QUERIES_COUNT);
    a->status = SOLVER_SAT;
    a->reason = SOLVER_REASON_NONE;
    a->detail[0] = 0;
    a->value = 0;
    a->by = SOLVER_LAYER_HINT;
    vec_clear(&a->core);
    take_hint(s, q->hint);
    expr_input_copy(&a->model, &s->hint);

    ExprVec constraints = s->conjuncts, core = {0};
    BitSet failing = {0};
    vec_clear(&constraints);
    if (!flatten(s, q, &constraints)) {
        a->status = SOLVER_UNSAT;
        vec_push(&core, constraints.v[0]);
    } else if (test_hint(s, &constraints, &failing) == 0) {
        s->hits[SOLVER_LAYER_HINT]++;
    } else {
        solve_groups(s, &constraints, &failing, &budget, a, &core);
    }

    if (a->status == SOLVER_SAT && a->by != SOLVER_LAYER_HINT && is_on(s, SOLVER_LAYER_REUSE))
        reuse_learn(s, &a->model);
    if (a->status == SOLVER_SAT && !expr_is_none(q->value)) {
        expr_eval_input(s->eval, &a->model);
        a->value = expr_eval(s->eval, q->value);
    }
    if (a->status == SOLVER_UNSAT)
        core_of(s, q, &core, &a->core);
    solver_bump(s, a->status == SOLVER_SAT     ? SOLVER_SAT_COUNT
                   : a->status == SOLVER_UNSAT ? SOLVER_UNSAT_COUNT
                                               : SOLVER_UNKNOWN_COUNT);
    s->counter[SOLVER_CONJUNCTS_COUNT] += constraints.n;
    s->counter[SOLVER_EVALUATED_COUNT] =
        expr_eval_steps(s->hint_eval) + expr_eval_steps(s->eval) + bytes_evaluated(s->bytes);
    s->conjuncts = constraints;
    vec_free(&core);
    bitset_free(&failing);
    return a->status;
}
