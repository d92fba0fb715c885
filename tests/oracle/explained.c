/* explained.c - explanations against runs: see explained.h. Everything is found anew, from the traces. */
#include "explained.h"

enum { ALL_RUNS_MOST = 100 }; /* of explorations whose alternatives are all looked at */

typedef struct Seen {
    Vec(VmDecision) decisions;
    Vec(VmAlternative) alternatives;
    Vec(VmSink) sinks;
    ExprInput input;
    VmEnding ending;
    VmLabel ending_label;
    bool labelled;
} Seen;

struct Explained {
    Vec(Seen) runs;
    const ExprPool *pool; /* of their conditions */
    bool moved;           /* several pools */
};

/* A statement that is under judgement. */
typedef struct Claim {
    const Explained *s;
    Explore *x;
    ExprEval *eval;
    const ExplorePruned *is;
    const Seen *run;
    const VmDecision *decision;
    const VmAlternative *alternative;
    BitSet apart; /* decisions of the run */
} Claim;

/* ---- runs ------------------------------------------------------------------------------------ */

Explained *explained_new(void) { return mem_zalloc(sizeof(Explained)); }

void explained_free(Explained *s)
{
    for (uint32_t i = 0; i < s->runs.n; i++) {
        vec_free(&s->runs.v[i].decisions);
        vec_free(&s->runs.v[i].alternatives);
        vec_free(&s->runs.v[i].sinks);
        expr_input_free(&s->runs.v[i].input);
    }
    vec_free(&s->runs);
    mem_free(s);
}

void explained_add(Explained *s, const ExploreRun *run)
{
    const VmTrace *t = run->trace;
    Seen seen = {
        .ending = t->result.ending, .ending_label = t->ending, .labelled = explore_is_labelled(run->explore)};
    for (uint32_t i = 0; i < t->decisions.n; i++)
        vec_push(&seen.decisions, t->decisions.v[i]);
    for (uint32_t i = 0; i < t->alternatives.n; i++)
        vec_push(&seen.alternatives, t->alternatives.v[i]);
    for (uint32_t i = 0; i < t->sinks.n; i++)
        vec_push(&seen.sinks, t->sinks.v[i]);
    expr_input_copy(&seen.input, run->input);
    vec_push(&s->runs, seen);
    s->moved = s->moved || (s->pool && s->pool != explore_pool(run->explore));
    s->pool = explore_pool(run->explore);
}

static uint32_t place_of(const Seen *run, uint64_t index)
{
    for (uint32_t i = 0; i < run->decisions.n; i++)
        if (run->decisions.v[i].index == index)
            return i;
    return UINT32_MAX;
}

/* ---- is there a run, is there an input ------------------------------------------------------- */

/* The run whose input goes as this one did before decision k, and takes the alternative; 0: none. */
static uint64_t run_of(const Explained *s, ExprEval *eval, const Seen *run, uint32_t k, Expr alternative)
{
    for (uint32_t i = 0; i < s->runs.n; i++) {
        expr_eval_input(eval, &s->runs.v[i].input);
        bool goes = expr_eval_true(eval, alternative);
        for (uint32_t m = 0; goes && m < k; m++)
            goes = expr_eval_true(eval, run->decisions.v[m].holds);
        if (goes)
            return i + 1;
    }
    return 0;
}

static SolverStatus solve(Explore *x, const Seen *run, uint32_t k, Expr alternative, SolverAnswer *answer)
{
    ExprVec list = {0};
    for (uint32_t m = 0; m < k; m++)
        vec_push(&list, run->decisions.v[m].holds);
    vec_push(&list, alternative);
    SolverQuery query = {.constraints = list.v, .n = list.n, .hint = &run->input, .seconds = 60};
    SolverStatus status = solver_check(explore_solver(x), &query, answer);
    vec_free(&list);
    return status;
}

static SolverStatus input_of(Explore *x, const Seen *run, uint32_t k, Expr alternative)
{
    SolverAnswer answer = {0};
    SolverStatus status = solve(x, run, k, alternative, &answer);
    solver_answer_free(&answer);
    return status;
}

/* ---- one statement --------------------------------------------------------------------------- */

static const char *complain(const Claim *c, const char *wrong)
{
    char where[512];
    printf("  run %llu, decision %u, %s: %s: %s (by run %llu)\n", (unsigned long long)c->is->run,
           c->is->decision, ir_site_text(explore_program(c->x), c->is->site, where, sizeof where),
           c->is->condition, wrong, (unsigned long long)c->is->by);
    return wrong;
}

static bool is_alternative(const Seen *run, const VmDecision *d, Expr condition)
{
    for (uint32_t i = 0; i < d->count; i++) {
        const VmAlternative *alt = &run->alternatives.v[d->first + i];
        if (alt->residual || expr_same(alt->condition, condition))
            return true;
    }
    return false;
}

static uint32_t time_of(const Seen *run, uint32_t k)
{
    uint32_t time = 0;
    for (uint32_t i = 0; i <= k; i++)
        time += run->decisions.v[i].site == run->decisions.v[k].site &&
                run->decisions.v[i].kind == run->decisions.v[k].kind;
    return time;
}

/* The decisions before at which the other run, before its decision `end`, was asked the same and went another
 * way. */
static void find_apart(Claim *c, const Seen *other, uint32_t end)
{
    for (uint32_t m = 0; m < c->is->decision; m++) {
        const VmDecision *d = &c->run->decisions.v[m];
        uint32_t at = place_of(other, d->index);
        if (at < end && !expr_same(d->holds, other->decisions.v[at].holds) &&
            is_alternative(c->run, d, other->decisions.v[at].holds))
            bitset_add(&c->apart, m);
    }
}

static bool is_apart_named(const Claim *c)
{
    uint32_t n = 0;
    for (uint32_t m = bitset_next(&c->apart, 0); m != UINT32_MAX; m = bitset_next(&c->apart, m + 1), n++) {
        const ExplorePlace *place = n < c->is->napart ? &c->is->apart[n] : NULL;
        if (place && (place->site != c->run->decisions.v[m].site || place->time != time_of(c->run, m)))
            return false;
    }
    return n && n == c->is->napart + c->is->others;
}

/* Does the label of something in the run have one of the decisions that are named? */
static bool is_on_apart(const Claim *c, VmLabel label)
{
    for (uint32_t m = bitset_next(&c->apart, 0); m != UINT32_MAX; m = bitset_next(&c->apart, m + 1))
        if (expr_set_has(c->s->pool, label, m))
            return true;
    return false;
}

/* The same of the other run, whose decisions have other places. */
static bool ends_on_apart(const Claim *c, const Seen *other)
{
    for (uint32_t m = bitset_next(&c->apart, 0); m != UINT32_MAX; m = bitset_next(&c->apart, m + 1))
        if (expr_set_has(c->s->pool, other->ending_label, place_of(other, c->run->decisions.v[m].index)))
            return true;
    return false;
}

static bool is_rest_alike(const Claim *c, const Seen *other)
{
    for (uint32_t m = 0; m < c->is->decision; m++) {
        const VmDecision *d = &c->run->decisions.v[m];
        uint32_t at = place_of(other, d->index);
        bool same = at != UINT32_MAX && expr_same(d->holds, other->decisions.v[at].holds) &&
                    d->took == other->decisions.v[at].took;
        if (!same && !bitset_has(&c->apart, m) && !is_on_apart(c, d->label))
            return false;
    }
    return true;
}

static const char *judge_cover(Claim *c, bool tied)
{
    const Seen *other = &c->s->runs.v[c->is->by - 1];
    uint32_t at = place_of(other, c->decision->index);
    expr_eval_input(c->eval, &other->input);
    if (at == UINT32_MAX ||
        !(c->alternative->residual ? expr_eval_true(c->eval, c->alternative->condition)
                                   : expr_same(other->decisions.v[at].holds, c->alternative->condition)))
        return complain(c, "the run that covers it does not take it");
    find_apart(c, other, at);
    if (!is_apart_named(c))
        return complain(c, "the decisions that are named are not those in which the runs differ");
    if (is_on_apart(c, c->decision->label))
        return complain(c, "it depends itself on what is named");
    if (!is_rest_alike(c, other))
        return complain(c, "something else differs that does not depend on what is named");
    if (other->ending == VM_END_FAULT && !tied && c->is->early != ends_on_apart(c, other))
        return complain(c, "the run that covers it ends early, or does not");
    return NULL;
}

static bool takes_side(const Seen *run, const VmDecision *d, const VmAlternative *alt)
{
    for (uint32_t i = 0; i < run->decisions.n; i++) {
        const VmDecision *other = &run->decisions.v[i];
        if (other->fn == d->fn && other->block == d->block && other->insn == d->insn &&
            (alt->block == IR_NONE || other->took == alt->block))
            return true;
    }
    return false;
}

static const char *judge_idle(const Claim *c)
{
    for (uint32_t i = 0; i < c->run->decisions.n; i++) {
        const VmDecision *d = &c->run->decisions.v[i];
        if (d->kind == VM_DECISION_CHECK &&
            (i == c->is->decision || expr_set_has(c->s->pool, d->label, c->is->decision)))
            return complain(c, "a check depends on it");
    }
    for (uint32_t i = 0; i < c->run->sinks.n; i++)
        if (expr_set_has(c->s->pool, c->run->sinks.v[i].label, c->is->decision))
            return complain(c, "a sink depends on it");
    if (c->is->by && !takes_side(&c->s->runs.v[c->is->by - 1], c->decision, c->alternative))
        return complain(c, "the run that is named does not take that side");
    return NULL;
}

/* ---- the run that it did not get ------------------------------------------------------------- */

/* Do all decisions of a label go in a run as they go in the trace? */
static bool has_all(const Explained *s, const Seen *run, const VmTrace *trace, VmLabel label)
{
    for (uint32_t m = expr_set_next(s->pool, label, 0); m != UINT32_MAX;
         m = expr_set_next(s->pool, label, m + 1)) {
        uint32_t at = place_of(run, trace->decisions.v[m].index);
        if (at == UINT32_MAX || !expr_same(run->decisions.v[at].holds, trace->decisions.v[m].holds))
            return false;
    }
    return true;
}

static bool some_run_has_all(const Explained *s, const VmTrace *trace, VmLabel label)
{
    for (uint32_t i = 0; i < s->runs.n; i++)
        if (s->runs.v[i].labelled && has_all(s, &s->runs.v[i], trace, label))
            return true;
    return false;
}

/* It would have shown nothing new: what each of its sinks depends on goes in some run as it does there. */
static const char *judge_needless(const Claim *c)
{
    SolverAnswer answer = {0};
    if (solve(c->x, c->run, c->is->decision, c->alternative->condition, &answer) != SOLVER_SAT) {
        solver_answer_free(&answer);
        return NULL;
    }
    VmTrace *trace = explore_run_labelled(c->x, &answer.model);
    bool needless = true;
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        if (trace->decisions.v[i].kind == VM_DECISION_CHECK)
            needless = needless && some_run_has_all(c->s, trace, trace->decisions.v[i].label);
    for (uint32_t i = 0; i < trace->sinks.n; i++)
        needless = needless && some_run_has_all(c->s, trace, trace->sinks.v[i].label);
    explore_labelled_free(c->x, trace);
    solver_answer_free(&answer);
    return needless ? NULL : complain(c, "a run of its own would have shown more");
}

static const char *judge_claim(Claim *c, bool tied)
{
    if (!c->run->labelled || c->decision->site != c->is->site || c->decision->entailed)
        return complain(c, "no such decision");
    if (run_of(c->s, c->eval, c->run, c->is->decision, c->alternative->condition))
        return complain(c, "it has a run");
    if (input_of(c->x, c->run, c->is->decision, c->alternative->condition) == SOLVER_UNSAT)
        return complain(c, "no input takes it");
    switch (c->is->why) {
    case EXPLORE_COVERED: return judge_cover(c, tied);
    case EXPLORE_IDLE: return judge_idle(c);
    case EXPLORE_SPREAD: break;
    }
    return NULL;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Is the same reported of a run that goes as this one before? */
static bool is_told(const Explained *s, ExprEval *eval, const ExplorePrunedList *list, const Seen *run,
                    uint32_t k, Expr alternative)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const Seen *of = &s->runs.v[list->v[i].run - 1];
        const VmDecision *d = &of->decisions.v[list->v[i].decision];
        if (d->index != run->decisions.v[k].index ||
            !expr_same(of->alternatives.v[d->first + list->v[i].alternative].condition, alternative))
            continue;
        bool alike = true;
        expr_eval_input(eval, &of->input);
        for (uint32_t m = 0; alike && m < k; m++)
            alike = expr_eval_true(eval, run->decisions.v[m].holds);
        if (alike)
            return true;
    }
    return false;
}

static uint32_t judge_unreported_of(const Explained *s, Explore *x, ExprEval *eval,
                                    const ExplorePrunedList *list, uint32_t number)
{
    const Seen *run = &s->runs.v[number];
    uint32_t wrong = 0;
    for (uint32_t k = 0; run->labelled && k < run->decisions.n; k++)
        for (uint32_t i = 0; i < run->decisions.v[k].count && !run->decisions.v[k].entailed; i++) {
            const VmAlternative *alt = &run->alternatives.v[run->decisions.v[k].first + i];
            if (alt->residual || run_of(s, eval, run, k, alt->condition) ||
                is_told(s, eval, list, run, k, alt->condition) ||
                input_of(x, run, k, alt->condition) != SOLVER_SAT)
                continue;
            char where[512];
            printf("  run %u, decision %u, %s: an alternative has no run, and nothing is said of it\n",
                   number + 1, k,
                   ir_site_text(explore_program(x), run->decisions.v[k].site, where, sizeof where));
            wrong++;
        }
    return wrong;
}

uint32_t explained_judge(const Explained *s, Explore *x, bool tied)
{
    ExplorePrunedList list = explore_pruned(x);
    uint32_t wrong = 0;
    if (s->moved || s->pool != explore_pool(x))
        return 0; /* conditions of several pools cannot be compared */
    ExprEval *eval = expr_eval_new(s->pool);
    for (uint32_t i = 0; i < list.n; i++) {
        const Seen *run = &s->runs.v[list.v[i].run - 1];
        const VmDecision *d = &run->decisions.v[list.v[i].decision];
        Claim c = {.s = s,
                   .x = x,
                   .eval = eval,
                   .is = &list.v[i],
                   .run = run,
                   .decision = d,
                   .alternative = &run->alternatives.v[d->first + list.v[i].alternative]};
        wrong += judge_claim(&c, tied) != NULL;
        wrong += list.complete && judge_needless(&c) != NULL;
        vec_free(&c.apart);
    }
    bool all = list.complete && !list.undecided && !list.unseen && s->runs.n <= ALL_RUNS_MOST;
    for (uint32_t i = 0; all && i < s->runs.n; i++)
        wrong += judge_unreported_of(s, x, eval, &list, i);
    expr_eval_free(eval);
    return wrong;
}
