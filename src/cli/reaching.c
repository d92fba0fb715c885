/* reaching.c - the portfolio behind `sheaf reach`. */
#include "cli/attempt.h"
#include "cli/reaching.h"
#include "cli/seeking.h"
#include "flow/flow.h"

#include <stdlib.h>

const char *const reach_phases[] = {"backward", "forward", "both", NULL};

/* A loop of constant length is unrolled, which says all; or it is one loop among others, whose invariant may
 * say it in less. */
enum { FEW_STEPS = 64 };
const ReachTurn reach_turns[REACH_TURNS] = {
    {PHASE_BACKWARD, 0.02, 0}, {PHASE_FORWARD, 0.05, 0}, {PHASE_BACKWARD, 0.25, FEW_STEPS},
    {PHASE_FORWARD, 0.5, 0},   {PHASE_BACKWARD, 1, 0},
};

static const double MINUTE = 60; /* for everything, if nothing else was said */
enum { REASONS_MOST = 32 };

Explore *reach_machine(Reaching *r)
{
    if (!r->machine) {
        ExploreOptions *options = arena_alloc(r->arena, sizeof *options);
        *options = r->options;
        options->explorer = "full";
        options->on_run = NULL;
        options->selects = true;
        r->machine = explore_new(r->program, r->environment, options);
    }
    return r->machine;
}

static bool is_stopped(const Reaching *r) { return r->options.stop && *r->options.stop; }

static uint32_t open_targets(const Reaching *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->reached.n; i++)
        n += r->reached.v[i].status == REACH_OPEN;
    return n;
}

void reach_reason_add(ReachReasons *reasons, Arena *arena, const char *text, uint32_t site)
{
    for (uint32_t i = 0; i < reasons->n; i++)
        if (reasons->v[i].site == site && !strcmp(reasons->v[i].text, text))
            return;
    if (reasons->n < REASONS_MOST)
        vec_push(reasons, (ReachReason){arena_strdup(arena, text), site, false});
}

void reach_reasons_explored(ReachReasons *reasons, Arena *arena, const Ledger *ledger,
                            const IrProgram *program)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < reasons->n; i++)
        if (!reasons->v[i].forward)
            reasons->v[n++] = reasons->v[i];
    reasons->n = n;
    for (uint32_t k = 0; k < ledger_count(ledger) && reasons->n < REASONS_MOST; k++) {
        Str text = {0};
        ledger_entry_text(ledger_entry(ledger, k), program, &text);
        if (ledger_entry(ledger, k)->kind != LEDGER_TIME) /* that its turn was over says nothing */
            vec_push(reasons, (ReachReason){arena_strdup(arena, str_text(&text)), IR_NONE, true});
        str_free(&text);
    }
}

/* ---- a run that reaches targets -------------------------------------------------------------- */

/* Does the path that coverage has end as the site's file does, or the other way round? */
static bool is_same_file(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    const char *longer = n < m ? b : a, *shorter = n < m ? a : b;
    size_t more = n < m ? m - n : n - m;
    return !strcmp(longer + more, shorter) && (!more || longer[more - 1] == '/');
}

static bool ran_natively(const SuiteCoverage *c, const char *file, uint32_t line)
{
    for (uint32_t i = 0; i < c->files.n; i++)
        for (uint32_t k = 0; is_same_file(c->files.v[i].path, file) && k < c->files.v[i].hit.n; k++)
            if (c->files.v[i].hit.v[k] == line)
                return true;
    return false;
}

/* On the native program: a line is looked for in its coverage; of other targets the run must end as it did on
 * the machine. */
static void replay(Reaching *r, const SuiteTest *test, const Target *t, Reached *result)
{
    SuiteOutcome outcome;
    SuiteCoverage coverage = {0};
    Str error = {0};
    suite_replay_test(testcase_replay(r->maker), test, &outcome);
    result->native = REPORT_NOT_REPLAYED;
    if (outcome.verdict == SUITE_NOT_RUN) {
        result->witness = arena_strdup(r->arena, outcome.message);
        return;
    }
    const IrSite *site = t->site == IR_NONE ? NULL : &r->program->sites.v[t->site];
    bool counted = t->is_line && site && suite_replay_coverage(r->maker->replay, &coverage, &error);
    bool ran = counted ? ran_natively(&coverage, ir_text(r->program, site->file), site->line)
                       : outcome.verdict == SUITE_PASSED || outcome.verdict == SUITE_CONFIRMED;
    result->native = ran ? REPORT_CONFIRMED : REPORT_NOT_CONFIRMED;
    if (!ran)
        result->witness =
            counted ? "the native run does not execute that line" : arena_strdup(r->arena, outcome.message);
    if (counted)
        suite_coverage_free(&coverage);
    str_free(&error);
}

uint32_t reach_take_run(Reaching *r, Vm *vm, const ExprPool *pool, const VmTrace *trace,
                        const ExprInput *input, const char *by)
{
    SuiteTest *test = NULL;
    uint32_t reached = 0;
    for (uint32_t i = 0; i < r->targets.n; i++) {
        Reached *result = &r->reached.v[i];
        if (result->status != REACH_OPEN || !target_is_reached(&r->targets.v[i], vm))
            continue;
        reached++;
        vec_clear(&result->reasons);
        result->status = REACH_REACHED;
        result->by = by;
        result->seconds = clock_seconds() - r->begun;
        if (!test) {
            test = testcase_make(r->maker, pool, trace, input);
            results_add(testcase_results(r->maker), test, NULL);
            if (r->on_test)
                r->on_test(r->context, &trace->result, test);
        }
        result->test = arena_strdup(r->arena, test->path[0] ? test->path : "(not written)");
        result->which = r->tests.n;
    }
    if (test)
        vec_push(&r->tests, test);
    return reached;
}

/* After the search, whose time is not for compilers. */
static void replay_all(Reaching *r)
{
    for (uint32_t i = 0; i < r->targets.n && !r->no_replay; i++)
        if (r->reached.v[i].status == REACH_REACHED)
            replay(r, r->tests.v[r->reached.v[i].which], &r->targets.v[i], &r->reached.v[i]);
}

/* ---- backwards ------------------------------------------------------------------------------- */

typedef struct Proposal {
    Reaching *reaching;
    uint32_t target;
    Backward *backward;
    uint32_t failed; /* models of this question that did not reach the target */
    double until;
} Proposal;

enum {
    MODELS_SOUGHT = 8,
    MODEL_RUNS = 100, /* models whose neighbourhood is searched by runs; runs for each */
    SEEK_RUNS = 20000
};                                    /* where nothing else was found */
static const double SEEK_SHARE = 0.2; /* of a target's time */

/* The model of a condition is tried. */
static bool confirm(void *context, const BackwardAnswer *answer)
{
    Proposal *c = context;
    Reaching *r = c->reaching;
    ExprInput input = {0};
    Explore *x = reach_machine(r);
    VmTrace *trace = attempt_run(x, c->backward, answer, &input, c->until);
    r->runs++;
    r->reached.v[c->target].runs++;
    reach_take_run(r, explore_vm(x), explore_pool(x), trace, &input, "backward");
    vm_trace_free(explore_vm(x), trace);
    expr_input_free(&input);
    if (r->reached.v[c->target].status != REACH_REACHED && c->failed++ < MODELS_SOUGHT)
        seek(r, c->backward, c->target, answer, c->until, MODEL_RUNS);
    return r->reached.v[c->target].status == REACH_REACHED;
}

static void add_core(Reaching *r, Backward *bw, const BackwardAnswer *answer, Reached *result)
{
    for (uint32_t i = 0; i < answer->core.n; i++) {
        Str text = {0};
        str_add(&text, answer->core.v[i].what ? answer->core.v[i].what : "");
        backward_condition_text(bw, answer->core.v[i].condition, 0, &text);
        reach_reason_add(&result->reasons, r->arena, str_text(&text), answer->core.v[i].site);
        str_free(&text);
    }
}

static bool has_entry(const Reaching *r)
{
    const char *entry = r->options.symbolic.inputs.entry;
    uint32_t fn = ir_fn_find(r->program, entry ? entry : "main");
    return fn != IR_NONE && r->program->fns.v[fn].defined;
}

static void backward_one(Reaching *r, Proposal *context, uint32_t target, double seconds)
{
    Reached *result = &r->reached.v[target];
    Backward *bw = context->backward;
    uint64_t queries = backward_queries(bw);
    double end = clock_seconds() + seconds;
    context->target = target;
    context->failed = 0;
    context->until = end - SEEK_SHARE * seconds;
    backward_limit(bw, seconds * (1 - SEEK_SHARE));
    BackwardAnswer answer = backward_reach(bw, &r->targets.v[target].places);
    result->steps += answer.steps;
    result->queries += backward_queries(bw) - queries;
    if (answer.status == BACKWARD_UNREACHABLE && result->status == REACH_OPEN) {
        vec_clear(&result->reasons);
        result->status = REACH_UNREACHABLE;
        result->by = "backward";
        result->seconds = clock_seconds() - r->begun;
        add_core(r, bw, &answer, result);
    }
    if (result->status == REACH_OPEN && answer.status == BACKWARD_OPEN)
        seek(r, bw, target, NULL, end, SEEK_RUNS);
    for (uint32_t i = 0; result->status == REACH_OPEN && i < backward_reasons(bw); i++) {
        uint32_t site;
        const char *text = backward_reason(bw, i, &site);
        reach_reason_add(&result->reasons, r->arena, text, site);
    }
    backward_answer_free(&answer);
}

/* Many targets share one graph, which takes a part of the time. */
static void prepare(Reaching *r, Backward *bw, double until)
{
    BackwardPlaces all = {0};
    for (uint32_t i = 0; i < r->targets.n; i++)
        for (uint32_t k = 0; r->reached.v[i].status == REACH_OPEN && k < r->targets.v[i].places.n; k++)
            vec_push(&all, r->targets.v[i].places.v[k]);
    backward_prepare(bw, &all, (until - clock_seconds()) / 4);
    vec_free(&all);
}

/* Each target that is open gets an equal part of what is left until `until`. */
static void backward_round(Reaching *r, double until, uint32_t unroll)
{
    enum { FEW = 4 };
    if (!has_entry(r) || until <= clock_seconds())
        return;
    Proposal context = {.reaching = r};
    BackwardOptions options = {.inputs = &r->options.symbolic.inputs,
                               .environment = r->environment,
                               .solver = r->options.solver,
                               .explain_until = r->deadline,
                               .query_seconds = r->options.solver_time,
                               .max_unroll = unroll,
                               .summaries = unroll > 0,
                               .stop = r->options.stop,
                               .ledger = r->ledger,
                               .confirm = confirm,
                               .context = &context};
    Backward *bw = context.backward = backward_new(r->program, &options);
    if (open_targets(r) > FEW)
        prepare(r, bw, until);
    for (uint32_t i = 0; i < r->targets.n; i++) {
        double left = until - clock_seconds();
        uint32_t after = 0;
        for (uint32_t k = i; k < r->targets.n; k++)
            after += r->reached.v[k].status == REACH_OPEN;
        if (r->reached.v[i].status == REACH_OPEN && left > 0 && !is_stopped(r))
            backward_one(r, &context, i, left / after);
    }
    backward_free(bw);
}

/* ---- forwards -------------------------------------------------------------------------------- */

static void on_run(void *context, const ExploreRun *run)
{
    Reaching *r = context;
    r->runs++;
    if (reach_take_run(r, explore_vm(run->explore), explore_pool(run->explore), run->trace, run->input,
                       "forward") &&
        !open_targets(r))
        explore_end(run->explore, LEDGER_TARGET, "%s", "");
}

/* What the explorer looks for: every place that is still open. */
static void set_sinks(Reaching *r, ExploreOptions *options)
{
    Vec(FlowSite) sites = {0};
    for (uint32_t i = 0; i < r->targets.n; i++)
        for (uint32_t k = 0; r->reached.v[i].status == REACH_OPEN && k < r->targets.v[i].places.n; k++)
            vec_push(&sites, (FlowSite){r->targets.v[i].places.v[k].fn, r->targets.v[i].places.v[k].block,
                                        r->targets.v[i].places.v[k].insn});
    FlowSite *copy = arena_alloc(r->arena, (sites.n + 1) * sizeof *copy);
    if (sites.n)
        memcpy(copy, sites.v, sites.n * sizeof *copy);
    options->sink_sites = copy;
    options->nsink_sites = sites.n;
    vec_free(&sites);
}

/* For all open targets at once. If the exploration was complete, a target that it did not reach is
 * unreachable. */
static void forward_round(Reaching *r, double until)
{
    ExploreOptions options = r->options;
    if (!open_targets(r) || until <= clock_seconds() || is_stopped(r))
        return;
    set_sinks(r, &options);
    options.max_time = until - clock_seconds();
    options.outcome_runs = 0;
    options.selects = true;
    options.on_run = on_run;
    options.context = r;
    Explore *x = explore_new(r->program, r->environment, &options);
    explore_all(x);
    const Ledger *ledger = explore_ledger(x);
    for (uint32_t i = 0; i < r->targets.n; i++) {
        Reached *result = &r->reached.v[i];
        if (result->status != REACH_OPEN)
            continue;
        if (!ledger_count(ledger)) {
            vec_clear(&result->reasons);
            result->status = REACH_UNREACHABLE;
            result->by = "forward";
            result->seconds = clock_seconds() - r->begun;
        } else
            reach_reasons_explored(&result->reasons, r->arena, ledger, r->program);
    }
    ledger_add_all(r->ledger, ledger);
    explore_free(x);
}

/* ---- both ------------------------------------------------------------------------------------ */

void reach_all(Reaching *r)
{
    double now = r->begun = clock_seconds(), all = r->options.max_time > 0 ? r->options.max_time : MINUTE;
    r->deadline = now + all;
    r->ledger = ledger_new();
    while (r->reached.n < r->targets.n)
        vec_push(&r->reached, (Reached){.status = REACH_OPEN, .lost = IR_NONE});
    for (uint32_t i = 0; i < REACH_TURNS; i++) {
        const ReachTurn *turn = &reach_turns[i];
        double until = r->phase == PHASE_BOTH ? now + all * turn->until : r->deadline;
        if (r->phase != PHASE_BOTH && r->phase != turn->phase)
            continue;
        if (turn->phase == PHASE_BACKWARD)
            backward_round(r, until, turn->unroll);
        else
            forward_round(r, until);
        if (r->phase != PHASE_BOTH)
            break;
    }
    replay_all(r);
    for (uint32_t i = 0; i < r->reached.n; i++)
        if (r->reached.v[i].status == REACH_OPEN)
            seek_reasons(r, &r->reached.v[i]);
    for (uint32_t i = 0; i < r->reached.n; i++)
        if (r->reached.v[i].status == REACH_OPEN && !r->reached.v[i].reasons.n)
            reach_reason_add(&r->reached.v[i].reasons, r->arena,
                             "time was up before an input or a proof was found: --max-time", IR_NONE);
}

void reaching_free(Reaching *r)
{
    for (uint32_t i = 0; i < r->reached.n; i++)
        vec_free(&r->reached.v[i].reasons);
    vec_free(&r->reached);
    suite_tests_free(&r->tests);
    ledger_free(r->ledger);
    if (r->machine)
        explore_free(r->machine);
    if (r->seeker)
        explore_free(r->seeker);
}
