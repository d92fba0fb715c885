/* dependence.c - the faults that the explorer `dependence` finds against brute force, on random programs.
 *
 * usage: dependence --clang CLANG --runtime FILE [--programs N] [--seed S] [--sinks faults|outputs|all]
 * [--faults isolate|tie]
 *                   [--search mixed|dfs|bfs|random|coverage] [--no-snapshots] [--memory BYTES] [--uninit]
 * [--patience N] [--turns N] [--interrupt N] [--off RULES]
 *                   [--explain] [--labels-off RULES] [--expect-failures]
 *
 * Every program is run natively on all its inputs; then it is explored. Checked:
 *   - the exploration is complete: the ledger is empty;
 *   - the statements that fail are those that fail natively for some input, none more and none less;
 *   - as many sides of branches are taken as the explorer `full` takes, which its own oracle holds against
 * all inputs.
 *   - with --memory: in some program that was explored completely a task was spilled. So little memory is a
 * limit for the solver and the graph of states too: of programs in which the ledger says so no more is
 * asked;
 *   - with --explore states: one state and one outcome have one successor, and states with one key are equal;
 *   - with --explain: as many runs are made, and what is said of alternatives without a run is true
 * (explained.h, subsumed.h).
 * --off leaves rules of the explorer out, --labels-off rules of labels, to see that all this can fail.
 * A failure names the seed of its program, which repeats it by itself with --programs 1. */
#include "arguments.h"
#include "corpus.h"
#include "explained.h"
#include "subsumed.h"
#include "interrupted.h"
#include "flow/flow.h"

#include <stdlib.h>

enum { BATCH = 10, NOWHERE = 1000000 };

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed;
    bool snapshots, explain, uninit, expect_failures;
    unsigned off, labels_off, sinks, tie;
    unsigned search; /* ExploreSearch */
    unsigned states; /* the explorer is `states` */
    uint64_t memory;
    uint64_t jobs, kills, sent;   /* ExploreOptions.jobs; of them killed; runs that they made */
    uint64_t interrupt, sessions; /* runs of a session; sessions that went on */
    unsigned patience;            /* ExploreOptions.patience */
    unsigned turns;               /* not 0: when another lane begins depends on this, and on the program; */
    const IrProgram *program;
    Flow *flow;
    BitSet faults;        /* statements that fail */
    Explained *explained; /* runs of an exploration with explanations */
    Subsumed *subsumed;   /* the same, of `states` */
    const char *wrong;
    uint64_t runs, full_runs, failures, found, reused, fewer, spilled;
    uint64_t exhaustive; /* runs of exhaustive exploration */
    uint64_t left_out;   /* alternatives that were explained, */
    uint64_t spread;     /* of these: not by one run */
    uint64_t shown;      /* of `states`: shown by a run from the state that is named */
    uint64_t limited;    /* programs in which the solver had too little memory */
    uint64_t unresolved; /* pointers that were not followed to all objects */
} Check;

/* ---- what runs show -------------------------------------------------------------------------- */

static void on_run(void *context, const ExploreRun *run)
{
    Check *c = context;
    const VmResult *r = &run->trace->result;
    if (r->ending == VM_END_FAULT && !run->repeated) /* of those that are, nothing is reported */
        bitset_add(&c->faults, r->site == IR_NONE ? NOWHERE : c->program->sites.v[r->site].line);
}

static void on_explained_run(void *context, const ExploreRun *run)
{
    explained_add(((Check *)context)->explained, run);
}

static void on_subsumed_run(void *context, const ExploreRun *run)
{
    subsumed_add(((Check *)context)->subsumed, run);
}

/* ---- against all inputs ---------------------------------------------------------------------- */

static void complain(Check *c, const char *wrong, uint32_t statement)
{
    printf("  statement %u: %s\n", statement, wrong);
    c->wrong = wrong;
}

static void judge(Check *c, Explore *x, const Corpus *corpus, uint32_t program)
{
    BitSet faults = {0};
    for (uint32_t i = 0; i < ledger_count(explore_ledger(x)); i++) {
        const LedgerEntry *e = ledger_entry(explore_ledger(x), i);
        Str text = {0};
        if (e->kind ==
            LEDGER_POINTER) { /* an unresolved one: the batch has the objects of all its programs */
            c->unresolved++;
            continue;
        }
        ledger_entry_text(e, c->program, &text);
        printf("  incomplete: %s\n", str_text(&text));
        str_free(&text);
        c->wrong = "incomplete";
    }
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++) {
        const CorpusOutcome *native = corpus_native(corpus, program, k);
        if (native->fault)
            bitset_add(&faults, native->fault);
    }
    c->found += bitset_count(&faults);
    for (uint32_t i = bitset_next(&faults, 0); i != UINT32_MAX; i = bitset_next(&faults, i + 1))
        if (!bitset_has(&c->faults, i))
            complain(c, "a fault is lost", i);
    for (uint32_t i = bitset_next(&c->faults, 0); i != UINT32_MAX; i = bitset_next(&c->faults, i + 1))
        if (!bitset_has(&faults, i))
            complain(c, "a fault that no input has", i);
    bitset_free(&faults);
}

static bool is_limited(const Check *c, Explore *x)
{
    for (uint32_t i = 0; i < ledger_count(explore_ledger(x)); i++) {
        LedgerKind kind = ledger_entry(explore_ledger(x), i)->kind;
        if (kind != LEDGER_SOLVER_MEMORY && !(c->states && kind == LEDGER_TASKS))
            return false;
    }
    return ledger_count(explore_ledger(x)) != 0;
}

/* ---- programs -------------------------------------------------------------------------------- */

typedef enum How { GUIDED, EXPLAINED, FULL } How;

/* When the lane of exhaustive exploration begins, and whether alone, else how they take turns: by the
 * program. */
static ExploreTest schedule(const Check *c, uint64_t seed)
{
    uint64_t n = c->turns + seed;
    if (!c->turns)
        return (ExploreTest){0};
    return (ExploreTest){.beside_after = 1 + n % 7,
                         .apart_after = c->jobs > 2 ? n % 11 : 0,
                         .turns = 1 + (unsigned)(n / 7 % 3),
                         .waits = c->jobs > 1 && n % 2};
}

static Explore *explored(Check *c, const VmEnvironment *environment, uint64_t seed, How how)
{
    bool full = how == FULL;
    ExploreOptions options = {.explorer = full        ? "full"
                                          : c->states ? "states"
                                                      : "dependence",
                              .search = c->search,
                              .seed = seed,
                              .solver_time = 60,
                              .max_runs = 20000,
                              .max_memory = full ? 0 : c->memory,
                              .vm = {.max_steps = 10000000,
                                     .max_frames = CORPUS_FRAMES,
                                     .checks = (uint64_t)c->uninit << VM_FAULT_UNINIT},
                              .symbolic = {.size_candidates = 8,
                                           .pointer_candidates = CORPUS_POINTERS,
                                           .flow = full || c->states ? NULL : c->flow,
                                           .rules_off = c->labels_off,
                                           .verify = c->states && !full,
                                           .snapshot_bytes = c->snapshots ? 64 << 20 : 0},
                              .criteria = {.tie_faults = c->tie},
                              .sinks = c->sinks,
                              .patience = c->patience,
                              .explain = how == EXPLAINED,
                              .on_run = how == GUIDED      ? on_run
                                        : how != EXPLAINED ? NULL
                                        : c->states        ? on_subsumed_run
                                                           : on_explained_run,
                              .context = c};
    options.jobs = full ? 1 : (uint32_t)c->jobs;
    options.fork_after = 1;
    options.max_runs = c->jobs > 1 ? 0 : options.max_runs; /* with it there is one process */
    ExploreTest test = schedule(c, seed);
    test.rules_off = c->off;
    test.kills = (unsigned)c->kills;
    test.pauses = c->jobs > 2;
    Interrupted in = {.program = c->program,
                      .environment = environment,
                      .options = options,
                      .test = test,
                      .after = how == GUIDED ? c->interrupt : 0};
    Explore *x = interrupted_explore(&in);
    c->sessions += in.sessions;
    return x;
}

static void judge_explained(Check *c, Explore *x)
{
    if (explained_judge(c->explained, x, c->tie))
        c->wrong = "an explanation is not true";
    ExplorePrunedList list = explore_pruned(x);
    c->left_out += list.n;
    for (uint32_t i = 0; i < list.n; i++)
        c->spread += list.v[i].why == EXPLORE_SPREAD;
}

static void judge_subsumed(Check *c, Explore *x)
{
    if (subsumed_judge(c->subsumed, x, &c->shown))
        c->wrong = "an explanation is not true";
    c->left_out += explore_subsumed(x).n;
}

/* To explain is to observe; and what is said is true. */
static void check_explained(Check *c, const VmEnvironment *environment, uint64_t seed, uint64_t runs)
{
    c->explained = explained_new();
    c->subsumed = subsumed_new();
    Explore *x = explored(c, environment, seed, EXPLAINED);
    uint64_t explained = explore_count(x, EXPLORE_RUNS);
    if (explained != runs) {
        printf("  %llu runs, with explanations %llu\n", (unsigned long long)runs,
               (unsigned long long)explained);
        c->wrong = "explanations change the runs";
    }
    if (c->states)
        judge_subsumed(c, x);
    else
        judge_explained(c, x);
    explore_free(x);
    explained_free(c->explained);
    subsumed_free(c->subsumed);
}

static void check_program(Check *c, const Corpus *corpus, uint32_t number)
{
    CorpusArguments args;
    VmEnvironment environment = corpus_environment(number, &args);
    uint64_t seed = c->seed + number;
    c->wrong = NULL;
    vec_clear(&c->faults);
    Explore *x = explored(c, &environment, seed, GUIDED), *full = explored(c, &environment, seed, FULL);
    uint64_t runs = explore_count(x, EXPLORE_RUNS), all = explore_count(full, EXPLORE_RUNS);
    uint32_t covered = vm_coverage(explore_vm(x)).branches_covered,
             most = vm_coverage(explore_vm(full)).branches_covered;
    c->runs += runs;
    c->full_runs += all;
    c->reused += explore_count(x, EXPLORE_REUSED);
    c->exhaustive += explore_count(x, EXPLORE_EXHAUSTIVE);
    c->sent += explore_count(x, EXPLORE_SENT);
    c->fewer += runs < all;
    bool limited = c->memory && is_limited(c, x);
    if (limited)
        c->limited++;
    else
        judge(c, x, corpus, number);
    c->spilled += limited ? 0 : explore_count(x, EXPLORE_SPILLED);
    if (!limited && !c->wrong && covered != most) {
        printf("  %u sides of branches are taken, by full %u\n", covered, most);
        c->wrong = "sides of branches";
    }
    if (c->states && explore_count(x, EXPLORE_DIVERGED))
        c->wrong = "a state has several successors for one outcome";
    if (c->explain)
        check_explained(c, &environment, seed, runs);
    if (c->wrong) {
        printf("FAIL seed %llu: %s\n", (unsigned long long)seed, c->wrong);
        c->failures++;
    }
    explore_free(x);
    explore_free(full);
}

static void check_batch(Check *c, uint32_t count)
{
    Corpus *corpus = corpus_new(&(CorpusOptions){
        .clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count, .quiet = true});
    c->program = corpus->ir;
    c->flow = flow_new(c->program, NULL);
    for (uint32_t i = 0; i < count; i++)
        check_program(c, corpus, i);
    flow_free(c->flow);
    corpus_free(corpus);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    static const ArgumentWord sinks[] = {{"faults", FLOW_SINK_FAULTS},
                                         {"outputs", FLOW_SINK_FAULTS | FLOW_SINK_OUTPUTS},
                                         {"all", FLOW_SINK_ALL},
                                         {0}};
    static const ArgumentWord explorers[] = {{"dependence", false}, {"states", true}, {0}};
    static const ArgumentWord faults[] = {{"isolate", false}, {"tie", true}, {0}};
    static const ArgumentWord searches[] = {{"mixed", EXPLORE_MIXED},       {"dfs", EXPLORE_DFS},
                                            {"bfs", EXPLORE_BFS},           {"random", EXPLORE_RANDOM},
                                            {"coverage", EXPLORE_COVERAGE}, {0}};
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--sinks", .help = "what is looked for", .choice = &c->sinks, .words = sinks},
        {.name = "--faults", .help = "how faults are kept apart", .choice = &c->tie, .words = faults},
        {.name = "--explore", .help = "the explorer", .choice = &c->states, .words = explorers},
        {.name = "--search", .help = "order of tasks", .choice = &c->search, .words = searches},
        {.name = "--memory", .help = "bytes that the exploration may take", .number = &c->memory},
        {.name = "--uninit", .help = "uses of what is not initialised are faults", .set = &c->uninit},
        {.name = "--no-snapshots", .help = "run each input from the start", .clear = &c->snapshots},
        {.name = "--explain",
         .help = "explain what is left out: true, and the same number of runs",
         .set = &c->explain},
        {.name = "--patience",
         .help = "set runs aside that meet so many alternatives",
         .choice = &c->patience},
        {.name = "--turns",
         .help = "a lane of exhaustive exploration, by turns, from a run on that depends on this number",
         .choice = &c->turns},
        {.name = "--jobs",
         .help = "processes: 2, and one of them has the lane that --turns begins; more explore together",
         .number = &c->jobs},
        {.name = "--kills", .help = "so many processes are killed at random moments", .number = &c->kills},
        {.name = "--interrupt",
         .help = "stop, save and go on after up to so many runs, again and again",
         .number = &c->interrupt},
        {.name = "--off", .help = "rules of the explorer left out, as bits", .choice = &c->off},
        {.name = "--labels-off", .help = "rules of labels left out, as bits", .choice = &c->labels_off},
        {.name = "--expect-failures", .help = "fail if no program does", .set = &c->expect_failures},
        {0},
    };
    arguments_read("dependence", "Faults that the explorer `dependence` finds, against brute force.", table,
                   argc, argv);
    if (!c->uninit && c->seed + c->programs > GENERATE_UNSET && c->seed < GENERATE_LOOPS)
        die("dependence: programs from seed %d on use what is not initialised: --uninit is needed",
            GENERATE_UNSET);
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1, .snapshots = true, .sinks = FLOW_SINK_FAULTS};
    read_arguments(&c, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    printf("%llu programs, %llu faults, %llu runs (full: %llu), fewer than full for %llu programs, %llu "
           "tasks reused a run\n",
           (unsigned long long)c.programs, (unsigned long long)c.found, (unsigned long long)c.runs,
           (unsigned long long)c.full_runs, (unsigned long long)c.fewer, (unsigned long long)c.reused);
    printf("%llu tasks spilled, %llu programs beyond the solver's memory, %llu runs of exhaustive "
           "exploration, %llu "
           "unresolved pointers\n",
           (unsigned long long)c.spilled, (unsigned long long)c.limited, (unsigned long long)c.exhaustive,
           (unsigned long long)c.unresolved);
    if (c.explain && c.states)
        printf("%llu paths not continued, %llu of these shown by a run\n", (unsigned long long)c.left_out,
               (unsigned long long)c.shown);
    else if (c.explain)
        printf("%llu alternatives explained, %llu of them not by one run\n", (unsigned long long)c.left_out,
               (unsigned long long)c.spread);
    if (c.jobs > 2)
        printf("%llu runs by other processes\n", (unsigned long long)c.sent);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures - c.limited),
           (unsigned long long)c.failures);
    vec_free(&c.faults);
    if (c.explain && (!c.left_out || (c.states && !c.shown))) {
        printf("FAIL: nothing was explained\n");
        return 1;
    }
    if (c.turns && !c.exhaustive && !c.off) {
        printf("FAIL: no lane of exhaustive exploration began\n");
        return 1;
    }
    if (c.jobs > 2 && !c.sent) {
        printf("FAIL: one process explored\n");
        return 1;
    }
    if (c.interrupt && !c.sessions) {
        printf("FAIL: nothing was interrupted\n");
        return 1;
    }
    if (c.memory && !c.spilled) {
        printf("FAIL: nothing was spilled\n");
        return 1;
    }
    return (c.failures != 0) != c.expect_failures;
}
