/* oracle.c - explored paths against brute force, on random programs.
 *
 * usage: oracle --clang CLANG --runtime FILE [--programs N] [--seed S] [--search WORD] [--patience N]
 * [--interrupt N] [--jobs N] [--kills N] [--no-snapshots], or oracle --source SEED
 *
 * Every program is run natively on all its inputs; then Sheaf explores it. Checked of the explorer `full`:
 *   - the exploration is complete (its ledger is empty);
 *   - every input satisfies the condition of exactly one path, so the conditions are disjoint and total;
 *   - what that path tells (branch sides, exit status, failing statement) is what the native run reported;
 *   - every path is that of some input.
 * A failure names the seed of its program, which repeats it by itself with --programs 1. */
#include "arguments.h"
#include "corpus.h"
#include "interrupted.h"

#include <stdlib.h>

enum { BATCH = 100 };

typedef struct PathSeen {
    ExprVec conditions;
    CorpusOutcome outcome;
    Expr status; /* of its exit status; EXPR_NONE: outcome.status whatever the input */
    bool met;    /* some input satisfies it */
} PathSeen;

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed;
    unsigned patience; /* ExploreOptions.patience */
    unsigned search;   /* ExploreSearch */
    bool snapshots;
    const IrProgram *program;
    Arena *arena; /* of the paths of one program */
    Vec(PathSeen) paths;
    uint64_t runs, failures, faults;
    uint64_t jobs, kills, sent;   /* ExploreOptions.jobs; of them killed; runs that they made */
    Str saved;                    /* of an exploration by several processes, under way; */
    uint64_t seen, seen_later;    /* runs that had been reported then; that its continuation reports */
    uint64_t saves;               /* so many were continued */
    uint64_t interrupt, sessions; /* runs of a session; sessions that went on */
} Check;

/* ---- explored paths -------------------------------------------------------------------------- */

/* What the program reported stands in its memory at the end: the machine shows it. */
static void on_run(void *context, const ExploreRun *run)
{
    Check *c = context;
    const VmTrace *trace = run->trace;
    if (trace->result.ending == VM_END_ASSUMPTION) /* how often that is depends on the solver's values */
        return;
    c->runs++;
    PathSeen path = {0};
    path.status = trace->status;
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        vec_push(&path.conditions, trace->decisions.v[i].holds);
    if (trace->result.ending == VM_END_FAULT) {
        uint32_t site = trace->result.site;
        path.outcome.fault = site == IR_NONE ? UINT32_MAX : c->program->sites.v[site].line;
        c->faults++;
    } else {
        path.outcome.status = (uint8_t)trace->result.status;
    }
    corpus_reported(explore_vm(run->explore), c->arena, &path.outcome);
    vec_push(&c->paths, path);
}

/* Under the input of the evaluation. */
static bool same(ExprEval *ev, const PathSeen *path, const CorpusOutcome *native)
{
    const CorpusOutcome *o = &path->outcome;
    uint8_t status = expr_is_none(path->status) ? o->status : (uint8_t)expr_eval(ev, path->status);
    if (!o->fault && status != native->status)
        return false;
    return o->fault == native->fault && o->nreported == native->nreported &&
           !memcmp(o->reported, native->reported, o->nreported);
}

static void show(const char *what, const CorpusOutcome *o)
{
    printf("  %s: fault %u, status %u, reported", what, o->fault, o->status);
    for (uint32_t i = 0; i + 1 < o->nreported; i += 2)
        printf(" %u%c", o->reported[i], o->reported[i + 1]);
    putchar('\n');
}

static bool holds(ExprEval *ev, const PathSeen *p)
{
    for (uint32_t i = 0; i < p->conditions.n; i++)
        if (!expr_eval_true(ev, p->conditions.v[i]))
            return false;
    return true;
}

/* "" if all is well. */
static const char *judge_input(Check *c, ExprEval *ev, uint32_t k, const CorpusOutcome *native)
{
    ExprInput input = {0};
    corpus_input(k, &input);
    expr_eval_input(ev, &input);
    PathSeen *hit = NULL;
    const char *wrong = "";
    for (uint32_t i = 0; i < c->paths.n; i++) {
        if (!holds(ev, &c->paths.v[i]))
            continue;
        if (hit)
            wrong = "satisfies two paths";
        hit = &c->paths.v[i];
        hit->met = true;
    }
    if (!hit)
        wrong = "satisfies no path";
    else if (!*wrong && !same(ev, hit, native))
        wrong = "does something else natively";
    if (*wrong) {
        uint8_t bytes[GENERATE_INPUTS];
        generate_input(k, bytes);
        printf("  input %d %d %d %s\n", (int8_t)bytes[0], (int8_t)bytes[1], (int8_t)bytes[2], wrong);
        show("native", native);
        if (hit)
            show("path", &hit->outcome);
    }
    expr_input_free(&input);
    return wrong;
}

static bool judge(Check *c, Explore *x, const Corpus *corpus, uint32_t program)
{
    bool good = true;
    ExprEval *ev = expr_eval_new(explore_pool(x));
    for (uint32_t i = 0; i < ledger_count(explore_ledger(x)); i++) {
        Str text = {0};
        ledger_entry_text(ledger_entry(explore_ledger(x), i), c->program, &text);
        printf("  incomplete: %s\n", str_text(&text));
        str_free(&text);
        good = false;
    }
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS && good; k++)
        good = !*judge_input(c, ev, k, corpus_native(corpus, program, k));
    for (uint32_t i = 0; i < c->paths.n && good; i++)
        if (!c->paths.v[i].met) {
            show("no input takes the path", &c->paths.v[i].outcome);
            good = false;
        }
    expr_eval_free(ev);
    return good;
}

/* What was seen of paths goes to the pool of the next session. */
static void move(void *context, ExprImport *import)
{
    Check *c = context;
    for (uint32_t i = 0; i < c->paths.n; i++) {
        PathSeen *p = &c->paths.v[i];
        p->status = expr_is_none(p->status) ? EXPR_NONE : expr_import(import, p->status);
        for (uint32_t k = 0; k < p->conditions.n; k++)
            p->conditions.v[k] = expr_import(import, p->conditions.v[k]);
    }
}

/* Now and then, while several processes explore. */
static void on_progress(void *context, const Explore *x)
{
    Check *c = context;
    Str saved = {0};
    if ((c->runs + explore_count(x, EXPLORE_SENT)) % 3 != 1 || !explore_save((Explore *)x, &saved))
        return;
    str_free(&c->saved);
    c->saved = saved;
    c->seen = c->runs;
}

static void on_later_run(void *context, const ExploreRun *run)
{
    ((Check *)context)->seen_later += run->trace->result.ending != VM_END_ASSUMPTION;
}

/* What was saved meanwhile, continued in one process, comes to the same number of paths, and reports the runs
 * that had not been reported: none twice, though a process may have reported a run before it was saved and
 * what follows from it behind that. */
static bool continues(Check *c, const Interrupted *in, const Explore *x)
{
    ExploreOptions options = in->options;
    options.on_run = on_later_run;
    options.on_progress = NULL;
    options.jobs = 1;
    c->seen_later = 0;
    Explore *again = explore_new_test(c->program, in->environment, &options, &(ExploreTest){.weighs = true});
    bool loaded = explore_load(again, c->saved.v, c->saved.n);
    if (loaded)
        explore_all(again);
    bool same = loaded && explore_count(again, EXPLORE_PATHS) == explore_count(x, EXPLORE_PATHS) &&
                ledger_count(explore_ledger(again)) == ledger_count(explore_ledger(x)) &&
                c->seen + c->seen_later == c->runs;
    if (!same)
        printf(
            "  saved while processes explored: %llu paths, not %llu; %llu and %llu runs reported, not %llu\n",
            (unsigned long long)explore_count(again, EXPLORE_PATHS),
            (unsigned long long)explore_count(x, EXPLORE_PATHS), (unsigned long long)c->seen,
            (unsigned long long)c->seen_later, (unsigned long long)c->runs);
    explore_free(again);
    str_free(&c->saved);
    c->saves++;
    return same;
}

static void check_program(Check *c, const Corpus *corpus, uint32_t number)
{
    CorpusArguments args;
    VmEnvironment environment = corpus_environment(number, &args);
    ExploreOptions options = {.search = c->search,
                              .patience = c->patience,
                              .seed = c->seed + number,
                              .solver_time = 60,
                              .vm = {.max_steps = 10000000, .max_frames = CORPUS_FRAMES},
                              .symbolic = {.size_candidates = 8,
                                           .pointer_candidates = CORPUS_POINTERS,
                                           .snapshot_bytes = c->snapshots ? 64 << 20 : 0},
                              .on_run = on_run,
                              .context = c};
    c->arena = arena_new();
    options.jobs = (uint32_t)c->jobs;
    options.on_progress = c->jobs > 1 ? on_progress : NULL;
    options.fork_after = 1 + options.seed % 4;
    ExploreTest test = {.kills = (unsigned)c->kills, .pauses = c->jobs > 1, .progress = c->jobs > 1};
    Interrupted in = {.test = test,
                      .program = c->program,
                      .environment = &environment,
                      .options = options,
                      .after = c->interrupt,
                      .move = move};
    Explore *x = interrupted_explore(&in);
    c->sessions += in.sessions;
    c->sent += explore_count(x, EXPLORE_SENT);
    bool well = judge(c, x, corpus, number);
    if (c->saved.n)
        well &= continues(c, &in, x);
    if (!well) {
        printf("FAIL seed %llu\n", (unsigned long long)(c->seed + number));
        c->failures++;
    }
    for (uint32_t i = 0; i < c->paths.n; i++)
        vec_free(&c->paths.v[i].conditions);
    vec_clear(&c->paths);
    explore_free(x);
    arena_free(c->arena);
}

static void check_batch(Check *c, uint32_t count)
{
    Corpus *corpus = corpus_new(
        &(CorpusOptions){.clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count});
    c->program = corpus->ir;
    for (uint32_t i = 0; i < count; i++)
        check_program(c, corpus, i);
    corpus_free(corpus);
}

/* For a person who looks into a failure. */
static void print_source(uint64_t seed)
{
    Str text = {0};
    generate_batch(&(GenerateOptions){.seed = seed, .count = 1}, &text);
    fputs(str_text(&text), stdout);
    str_free(&text);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    static const ArgumentWord searches[] = {{"mixed", EXPLORE_MIXED},       {"dfs", EXPLORE_DFS},
                                            {"bfs", EXPLORE_BFS},           {"random", EXPLORE_RANDOM},
                                            {"coverage", EXPLORE_COVERAGE}, {0}};
    if (argc == 3 && !strcmp(argv[1], "--source")) {
        print_source(strtoull(argv[2], NULL, 10));
        exit(0);
    }
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--search", .help = "order of tasks", .choice = &c->search, .words = searches},
        {.name = "--patience",
         .help = "set runs aside that meet so many alternatives",
         .choice = &c->patience},
        {.name = "--interrupt",
         .help = "stop, save and go on after up to so many runs, again and again",
         .number = &c->interrupt},
        {.name = "--kills", .help = "of these processes, killed at random moments", .number = &c->kills},
        {.name = "--jobs", .help = "processes that explore, from the first runs on", .number = &c->jobs},
        {.name = "--no-snapshots", .help = "run each input from the start", .clear = &c->snapshots},
        {0},
    };
    arguments_read("oracle",
                   "The explorer `full` against brute force. `--source SEED` alone prints a program.", table,
                   argc, argv);
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1, .snapshots = true};
    read_arguments(&c, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    vec_free(&c.paths);
    printf("%llu programs, %llu paths, %llu of them faults\n", (unsigned long long)c.programs,
           (unsigned long long)c.runs, (unsigned long long)c.faults);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    if (c.jobs > 1)
        printf("%llu runs by other processes, %llu programs continued\n", (unsigned long long)c.sent,
               (unsigned long long)c.saves);
    if (c.jobs > 1 && !c.sent) {
        printf("FAIL: one process explored\n");
        return 1;
    }
    if (c.interrupt && !c.sessions) {
        printf("FAIL: nothing was interrupted\n");
        return 1;
    }
    return c.failures != 0;
}
