/* subsumed.c - explanations of `states` against runs: see subsumed.h. Everything is found anew, from the
 * traces. */
#include "subsumed.h"

typedef struct Seen {
    Vec(VmDecision) decisions;
    Vec(VmKey) keys;
    Vec(U32Vec) inputs; /* of the states: made by calls */
    VmResult result;
    bool repeats; /* it ended since its state repeats */
} Seen;

struct Subsumed {
    Vec(Seen) runs;
    const ExprPool *pool; /* of their conditions */
    bool moved;           /* several pools */
};

/* ---- runs ------------------------------------------------------------------------------------ */

Subsumed *subsumed_new(void) { return mem_zalloc(sizeof(Subsumed)); }

static void seen_free(Seen *seen)
{
    for (uint32_t i = 0; i < seen->inputs.n; i++)
        vec_free(&seen->inputs.v[i]);
    vec_free(&seen->inputs);
    vec_free(&seen->decisions);
    vec_free(&seen->keys);
}

void subsumed_free(Subsumed *s)
{
    for (uint32_t i = 0; i < s->runs.n; i++)
        seen_free(&s->runs.v[i]);
    vec_free(&s->runs);
    mem_free(s);
}

static Seen seen_of(const Vm *vm, const VmTrace *t)
{
    Seen seen = {.result = t->result, .repeats = t->repeats || t->endless};
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        VmInputList inputs = vm_state_inputs(vm, &t->keys.v[i]);
        U32Vec copy = {0};
        for (uint32_t k = 0; k < inputs.n; k++)
            vec_push(&copy, inputs.v[k]);
        vec_push(&seen.decisions, t->decisions.v[i]);
        vec_push(&seen.keys, t->keys.v[i].key);
        vec_push(&seen.inputs, copy);
    }
    return seen;
}

void subsumed_add(Subsumed *s, const ExploreRun *run)
{
    vec_push(&s->runs, seen_of(explore_vm(run->explore), run->trace));
    s->moved = s->moved || (s->pool && s->pool != explore_pool(run->explore));
    s->pool = explore_pool(run->explore);
}

static bool same_key(VmKey a, VmKey b) { return a.a == b.a && a.b == b.b; }

static bool same_inputs(const U32Vec *a, const U32Vec *b)
{
    return a->n == b->n && (!a->n || !memcmp(a->v, b->v, a->n * sizeof *a->v));
}

/* Is there no state for it? The label of a decision is a matter of the path. */
static bool is_passed(const VmDecision *d) { return d->forced && expr_is_true(d->holds); }

/* Did an earlier run decide all as this one, before its decision k? */
static bool is_known_path(const Subsumed *s, uint32_t run, uint32_t k)
{
    const Seen *r = &s->runs.v[run];
    for (uint32_t i = 0; i < run; i++) {
        const Seen *other = &s->runs.v[i];
        uint32_t same = 0;
        while (same < k && same < other->decisions.n &&
               expr_same(other->decisions.v[same].holds, r->decisions.v[same].holds))
            same++;
        if (same == k && k < other->decisions.n)
            return true;
    }
    return false;
}

/* Where the state of a run's decision was met first. */
static void first_meeting(const Subsumed *s, VmKey key, uint32_t *run, uint32_t *decision)
{
    for (*run = 0; *run < s->runs.n; ++*run)
        for (*decision = 0; *decision < s->runs.v[*run].keys.n; ++*decision)
            if (same_key(s->runs.v[*run].keys.v[*decision], key) &&
                !is_passed(&s->runs.v[*run].decisions.v[*decision]))
                return;
}

static bool is_new_state(const Subsumed *s, uint32_t run, uint32_t k)
{
    uint32_t first, decision = 0;
    first_meeting(s, s->runs.v[run].keys.v[k], &first, &decision);
    return first == run && decision == k;
}

/* ---- one statement --------------------------------------------------------------------------- */

/* Does the run of the input go on from its decision `at` as `by` does from `from` on? */
static const char *goes_on_alike(Explore *x, const ExprInput *input, uint32_t at, const Seen *by,
                                 uint32_t from)
{
    const char *wrong = NULL;
    VmTrace *t = vm_run_input(explore_vm(x), input, NULL);
    if (t->decisions.n - at != by->decisions.n - from)
        wrong = "from the same state more or fewer decisions follow";
    for (uint32_t i = 0; !wrong && from + i < by->decisions.n; i++) {
        const VmDecision *a = &t->decisions.v[at + i], *b = &by->decisions.v[from + i];
        if (a->site != b->site || a->took != b->took || !expr_same(a->holds, b->holds))
            wrong = "from the same state another decision follows";
        else if (!same_key(t->keys.v[at + i].key, by->keys.v[from + i]))
            wrong = "from the same state another state follows";
    }
    if (!wrong && (t->result.ending != by->result.ending || t->result.site != by->result.site ||
                   (t->result.ending == VM_END_FAULT && t->result.fault != by->result.fault)))
        wrong = "from the same state runs end in two ways";
    vm_trace_free(explore_vm(x), t);
    return wrong;
}

/* An input that begins as the run and goes on as the other: if there is one, it is run. */
static const char *judge_suffix(const Subsumed *s, Explore *x, const ExploreSubsumed *is, uint64_t *shown)
{
    const Seen *run = &s->runs.v[is->run - 1], *by = &s->runs.v[is->by - 1];
    const char *wrong = NULL;
    ExprVec list = {0};
    SolverAnswer answer = {0};
    for (uint32_t i = 0; i < is->decision; i++)
        vec_push(&list, run->decisions.v[i].holds);
    for (uint32_t i = is->by_decision; i < by->decisions.n; i++)
        vec_push(&list, by->decisions.v[i].holds);
    SolverQuery query = {.constraints = list.v, .n = list.n, .seconds = 60};
    if (!by->repeats && same_inputs(&run->inputs.v[is->decision], &by->inputs.v[is->by_decision]) &&
        solver_check(explore_solver(x), &query, &answer) == SOLVER_SAT) {
        ++*shown;
        wrong = goes_on_alike(x, &answer.model, is->decision, by, is->by_decision);
    }
    vec_free(&list);
    solver_answer_free(&answer);
    return wrong;
}

static const char *judge_statement(const Subsumed *s, Explore *x, const ExploreSubsumed *is, uint64_t *shown)
{
    const Seen *run = &s->runs.v[is->run - 1], *by = &s->runs.v[is->by - 1];
    const VmDecision *d = &run->decisions.v[is->decision];
    uint32_t first, decision = 0;
    first_meeting(s, run->keys.v[is->decision], &first, &decision);
    if (first + 1 != is->by || decision != is->by_decision)
        return "another run was in that state first";
    if (is->by > is->run || (is->by == is->run && is->by_decision >= is->decision))
        return "the state that is named is no earlier one";
    if (!same_key(run->keys.v[is->decision], by->keys.v[is->by_decision]))
        return "the keys differ";
    if (d->site != is->site || by->decisions.v[is->by_decision].site != is->site)
        return "another place";
    if (!d->count || d->entailed)
        return "there is no alternative";
    if (is_known_path(s, (uint32_t)is->run - 1, is->decision))
        return "a run before had the same path";
    return judge_suffix(s, x, is, shown);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool is_listed(const ExploreSubsumedList *list, uint32_t run, uint32_t k)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i].run == run + 1 && list->v[i].decision == k)
            return true;
    return false;
}

static uint32_t judge_unlisted_of(const Subsumed *s, const ExploreSubsumedList *list, uint32_t run)
{
    const Seen *r = &s->runs.v[run];
    bool listed = false;
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < r->decisions.n; k++) {
        const VmDecision *d = &r->decisions.v[k];
        if (is_passed(d))
            continue;
        bool is_new = is_new_state(s, run, k);
        listed = !is_new && (listed || is_listed(list, run, k));
        if (is_new || listed || !d->count || d->entailed || is_known_path(s, run, k))
            continue;
        printf("  run %u, decision %u: not continued, and nothing is said of it\n", run + 1, k);
        wrong++;
    }
    return wrong;
}

uint32_t subsumed_judge(const Subsumed *s, Explore *x, uint64_t *shown)
{
    ExploreSubsumedList list = explore_subsumed(x);
    uint32_t wrong = 0;
    if (s->moved || s->pool != explore_pool(x))
        return 0; /* conditions of several pools cannot be compared */
    for (uint32_t i = 0; i < list.n; i++) {
        const char *why = judge_statement(s, x, &list.v[i], shown);
        if (!why)
            continue;
        printf("  run %llu, decision %u: %s (by run %llu, decision %u)\n", (unsigned long long)list.v[i].run,
               list.v[i].decision, why, (unsigned long long)list.v[i].by, list.v[i].by_decision);
        wrong++;
    }
    for (uint32_t i = 0; !list.unseen && i < s->runs.n; i++)
        wrong += judge_unlisted_of(s, &list, i);
    return wrong;
}
