/* proving.c - the portfolio behind `sheaf prove`: a proof backwards and a fault forwards, alternating. */
#include "cli/attempt.h"
#include "cli/proving.h"

#include <stdlib.h>

static const double MINUTE = 60;

static bool is_done(const Proving *p)
{
    return p->status != PROVE_OPEN || (p->options.stop && *p->options.stop);
}

static void decide(Proving *p, ProveStatus status, const char *by)
{
    p->status = status;
    p->by = by;
    vec_clear(&p->reasons);
}

/* ---- a fault --------------------------------------------------------------------------------- */

/* A number that a function returned, by its name: __VERIFIER_nondet_uint. */
static const char *number_text(Arena *arena, const char *of, uint64_t bits, uint32_t size)
{
    const char *type = strrchr(of, '_');
    if (!text_starts_with(of, "__VERIFIER_nondet_") || size > 8 || !strcmp(type, "_float") ||
        !strcmp(type, "_double") || !strcmp(type, "_pointer"))
        return NULL;
    if (type[1] == 'u' || !strcmp(type, "_size_t") || !strcmp(type, "_bool"))
        return arena_printf(arena, "%lluU", (unsigned long long)bits);
    int64_t value = bits_signed64(bits, 8 * size);
    return value == INT64_MIN ? NULL : arena_printf(arena, "%lld", (long long)value);
}

static void keep_inputs(Proving *p, const ExprPool *pool, const VmTrace *trace, const ExprInput *input)
{
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const VmInputUse *use = &trace->inputs.v[i];
        uint64_t bits = 0;
        for (uint32_t k = 0; k < use->size && k < 8; k++)
            bits |= (uint64_t)expr_input_byte(input, expr_object_info(pool, use->object)->at + k) << 8 * k;
        if (use->origin == VM_INPUT_CALL && use->of)
            vec_push(&p->inputs, (ProveInput){use->site, number_text(p->arena, use->of, bits, use->size)});
    }
}

/* A run that fails refutes; it is written as a test and replayed. */
static void refute(Proving *p, const ExprPool *pool, const VmTrace *trace, const ExprInput *input,
                   const char *by)
{
    bool fresh;
    SuiteOutcome outcome;
    ReportFault *f = report_fault(&p->report, &trace->result, &fresh);
    SuiteTest *test = testcase_make(p->maker, pool, trace, input);
    results_add(testcase_results(p->maker), test, NULL);
    testcase_name(p->maker, test, f);
    keep_inputs(p, pool, trace, input);
    if (!p->no_replay) {
        suite_replay_test(testcase_replay(p->maker), test, &outcome);
        f->verdict = outcome.verdict == SUITE_NOT_RUN     ? REPORT_NOT_REPLAYED
                     : outcome.verdict == SUITE_CONFIRMED ? REPORT_CONFIRMED
                                                          : REPORT_NOT_CONFIRMED;
        f->witness = outcome.message[0] ? arena_strdup(p->arena, outcome.message) : NULL;
    }
    suite_test_free(test);
    decide(p, PROVE_REFUTED, by);
}

/* ---- backwards ------------------------------------------------------------------------------- */

static Backward *begin_backward(const Proving *p, double seconds, uint32_t unroll,
                                bool (*confirm)(void *, const BackwardAnswer *), void *context)
{
    BackwardOptions options = {.inputs = &p->options.symbolic.inputs,
                               .environment = p->environment,
                               .solver = p->options.solver,
                               .query_seconds = p->options.solver_time,
                               .max_seconds = seconds,
                               .max_unroll = unroll,
                               .summaries = unroll > 0,
                               .checks = p->options.vm.checks,
                               .stop = p->options.stop,
                               .ledger = p->ledger,
                               .confirm = confirm,
                               .context = context};
    return backward_new(p->program, &options);
}

static void add_reasons(Proving *p, const Backward *bw)
{
    for (uint32_t i = 0; i < backward_reasons(bw); i++) {
        uint32_t site;
        const char *text = backward_reason(bw, i, &site);
        reach_reason_add(&p->reasons, p->arena, text, site);
    }
}

/* Checks that a proof backwards says nothing of. */
static bool is_covered(Proving *p)
{
    static const char *const others[] = {"uninit", "leak", "overlap"};
    bool covered = true;
    for (uint32_t i = 0; i < p->check_words.n; i++)
        for (size_t k = 0; k < COUNT_OF(others); k++)
            if (!strcmp(p->check_words.v[i], others[k])) {
                reach_reason_add(&p->reasons, p->arena,
                                 arena_printf(p->arena,
                                              "--check %s: only exploring every path proves it, conditions "
                                              "composed backwards do not cover it",
                                              others[k]),
                                 IR_NONE);
                covered = false;
            }
    return covered;
}

static bool has_entry(const Proving *p)
{
    const char *entry = p->options.symbolic.inputs.entry;
    uint32_t fn = ir_fn_find(p->program, entry ? entry : "main");
    return fn != IR_NONE && p->program->fns.v[fn].defined;
}

/* ---- an input for a check that is open ------------------------------------------------------- */

typedef struct Proposal {
    Proving *proving;
    Backward *backward;
    double until;
} Proposal;

static Explore *machine(Proving *p)
{
    if (!p->machine) {
        ExploreOptions *options = arena_alloc(p->arena, sizeof *options);
        *options = p->options;
        options->explorer = "full";
        p->machine = explore_new(p->program, p->environment, options);
    }
    return p->machine;
}

static bool confirm(void *context, const BackwardAnswer *answer)
{
    Proposal *c = context;
    Proving *p = c->proving;
    Explore *x = machine(p);
    ExprInput input = {0};
    VmTrace *trace = attempt_run(x, c->backward, answer, &input, c->until);
    p->runs++;
    if (trace->result.ending == VM_END_FAULT)
        refute(p, explore_pool(x), trace, &input, "backward");
    vm_trace_free(explore_vm(x), trace);
    expr_input_free(&input);
    return p->status == PROVE_REFUTED;
}

static void backward_round(Proving *p, double until, uint32_t unroll)
{
    double left = until - clock_seconds();
    if (is_done(p) || left <= 0 || !has_entry(p))
        return;
    Proposal context = {.proving = p, .until = until};
    Backward *bw = context.backward = begin_backward(p, left, unroll, confirm, &context);
    bool clean = backward_prove(bw, &p->checks);
    clean = clean && clock_seconds() < until; /* a proof that the end of its turn cut short is none */
    if (!clean)
        add_reasons(p, bw);
    else if (is_covered(p))
        decide(p, PROVE_PROVED, "backward");
    if (p->status == PROVE_PROVED)
        p->ninvariants = backward_invariants(bw, p->arena, &p->invariants);
    backward_free(bw);
}

/* ---- forwards -------------------------------------------------------------------------------- */

static void on_run(void *context, const ExploreRun *run)
{
    Proving *p = context;
    p->runs++;
    if (run->trace->result.ending != VM_END_FAULT || p->status == PROVE_REFUTED)
        return;
    refute(p, explore_pool(run->explore), run->trace, run->input, "forward");
    explore_end(run->explore, LEDGER_FIRST_FAULT, "%s", "");
}

/* A fault refutes; if every path was explored and there is none, that proves. */
static void forward_round(Proving *p, double until)
{
    ExploreOptions options = p->options;
    double left = until - clock_seconds();
    if (is_done(p) || left <= 0)
        return;
    options.max_time = left;
    options.outcome_runs = 1; /* branch outcomes are of no interest here */
    options.on_run = on_run;
    options.context = p;
    Explore *x = explore_new(p->program, p->environment, &options);
    explore_all(x);
    const Ledger *ledger = explore_ledger(x);
    ledger_add_all(p->ledger, ledger);
    bool every = !ledger_count(ledger) || explore_faults_done(x);
    if (p->status == PROVE_OPEN && every)
        decide(p, PROVE_PROVED, "forward");
    if (p->status == PROVE_OPEN)
        reach_reasons_explored(&p->reasons, p->arena, ledger, p->program);
    explore_free(x);
}

/* ---- both ------------------------------------------------------------------------------------ */

void prove_all(Proving *p)
{
    double now = p->begun = clock_seconds(), all = p->options.max_time > 0 ? p->options.max_time : MINUTE;
    p->ledger = ledger_new();
    report_init(&p->report, "prove", p->program, p->ledger);
    for (uint32_t i = 0; i < REACH_TURNS; i++) {
        const ReachTurn *turn = &reach_turns[i];
        double until = p->phase == PHASE_BOTH ? now + all * turn->until : now + all;
        if (p->phase != PHASE_BOTH && p->phase != turn->phase)
            continue;
        if (turn->phase == PHASE_BACKWARD)
            backward_round(p, until, turn->unroll);
        else
            forward_round(p, until);
        if (p->phase != PHASE_BOTH)
            break;
    }
    if (p->status == PROVE_OPEN && !p->reasons.n)
        reach_reason_add(&p->reasons, p->arena, "time was up before a proof or a fault was found: --max-time",
                         IR_NONE);
}

void proving_free(Proving *p)
{
    vec_free(&p->checks);
    vec_free(&p->reasons);
    vec_free(&p->check_words);
    vec_free(&p->inputs);
    report_free(&p->report);
    ledger_free(p->ledger);
    if (p->machine)
        explore_free(p->machine);
}
