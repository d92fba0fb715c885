/* cmd_test.c - `sheaf test`: every fault with an input that was replayed natively, and tests that cover what
 * was reached. */
#include "cli/drive.h"
#include "cli/testing.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const tests_words[] = {"covering", "all", "none", NULL};
static const char *const fault_words[] = {"isolate", "tie", NULL};
static const char *const emit_words[] = {"testcomp", "c", NULL};

static const Option test_options[] = {
    {OPT_GROUP("Tests")},
    {OPT_ENUM(TestSettings, explorer), "explore", .preset = "dependence", .words = explore_names,
     .help =
         "which paths to run: all (full), one for each output (output), one for each combination on "
         "which a fault can depend (dependence), those that a change affects (change), one for each state "
         "that paths have in common (states)"},
    {OPT_ENUM(TestSettings, tests), "tests", .preset = "covering", .words = tests_words,
     .help = "which tests become files, besides one for each fault: a few that cover every line and branch "
             "outcome that was reached (with --explore output, all rows), all, or none; the others are in "
             "DIR/store.db ('sheaf export')"},
    {OPT_FLAG(TestSettings, resume), "resume",
     .help = "go on with the run in DIR that was interrupted, killed or ended by a limit"},
    {OPT_FLAG(TestSettings, no_reuse), "no-reuse",
     .help = "explore even if DIR holds the answer of this very command, and no code that is reached has "
             "changed since"},
    {OPT_SIZE(TestSettings, max_store), "max-store", .argument = "SIZE", .preset = "1G",
     .help = "tests in DIR/store.db beyond which only those are added that cover something new; 0: no limit"},
    {OPT_UINT(TestSettings, max_tests), "max-tests", .argument = "N",
     .help = "stop after N tests that cover something new (with --tests all: after N tests); 0: no limit"},
    {OPT_UINT(TestSettings, jobs), "jobs", 'j', "N", "0",
     .help = "processes that explore, where an exploration is large enough; 0: one for each processor. The "
             "answer is the same. With --explore full, output and dependence; others use one"},
    {OPT_STRING(TestSettings, store), "store", .argument = "URL",
     .help = "explore together with every 'sheaf worker' on this database: postgresql://HOST/DATABASE; for "
             "--explore full, which it implies, and output"},
    {OPT_FLAG(TestSettings, stop_at_first_fault), "stop-at-first-fault",
     .help = "stop when a fault is found"},
    {OPT_SET(TestSettings, emit), "emit", .words = emit_words,
     .help = "also write the tests as Test-Comp XML or as one C file"},
    {OPT_FLAG(TestSettings, no_replay), "no-replay", .help = "do not run faults on the native program"},
    {OPT_FLAG(TestSettings, callers), "callers",
     .help = "with --entry F: does each call of F in the program pass what F needs? Each caller is explored, "
             "for up to --max-time or 10 s"},
    {OPT_STRING(TestSettings, to), "to", .argument = "uncovered",
     .help = "afterwards find an input for each branch outcome that no test takes, or prove that there is "
             "none ('sheaf reach')"},
    {OPT_ENUM(TestSettings, compared), "compare", .words = explore_names,
     .help = "explore a second time with this explorer, and compare the costs"},
    {OPT_STRING(TestSettings, compare_csv), "compare-csv", .argument = "FILE",
     .help = "with --compare: write distinct behaviours over time, for --search dfs, bfs and random"},
    {OPT_STRING(TestSettings, compare_plot), "compare-plot", .argument = "FILE",
     .help = "with --compare: the same as a diagram (SVG)"},
    {OPT_GROUP("With --explore dependence")},
    {OPT_LIST(TestSettings, sinks), "sinks", .argument = "WHAT,...",
     .help = "decisions are combined if one of these depends on them: faults (always), outputs, all, "
             "FILE:LINE; may be repeated"},
    {OPT_ENUM(TestSettings, faults), "faults", .preset = "isolate", .words = fault_words,
     .help = "does what follows a fault check depend on it? isolate: no; tie: yes, with more runs"},
    {OPT_UINT(TestSettings, outcome_runs), "outcome-runs", .argument = "N", .preset = "1024",
     .help = "after the last fault: N runs, plus two for each run so far, for branch outcomes that no run "
             "took; 0: no limit"},
    {OPT_FLAG(TestSettings, explain_pruning), "explain-pruning",
     .help =
         "for each alternative that got no run of its own: which run covers it; with states, for each path "
         "that was not continued: which run was in the same state"},
    {OPT_GROUP("With --explore change")},
    {OPT_LIST(TestSettings, change.old), "old", .argument = "FILE",
     .help = "the program before the change; may be repeated"},
    {OPT_ENUM(TestSettings, change.impact), "impact", .preset = "all", .words = change_impact_words,
     .help =
         "what counts as affected: all, through memory and calls, or local, within the changed functions"},
    {OPT_ENUM(TestSettings, change.prune), "prune", .preset = "complete", .words = change_prune_words,
     .help = "what is left out: complete keeps every sequence of affected blocks, published is DiSE's rule, "
             "none leaves out nothing"},
    {OPT_ENUM(TestSettings, change.order), "order", .preset = "default", .words = change_order_words,
     .help = "which branch outcome is tried first"},
    {OPT_END},
};
const Option *const test_tables[] = {
    test_options, exploring_options, exploring_handle_options, exploring_output_options, program_options,
    NULL};

static void use_processes(Testing *t, ExploreOptions *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = t->settings->jobs ? t->settings->jobs : processors > 0 ? (uint64_t)processors : 1;
    options->jobs = jobs < UINT32_MAX ? (uint32_t)jobs : UINT32_MAX;
    options->wants = testing_wants;
    options->note = testing_note;
    options->noted = testing_noted;
}

/* -v: why they are not used though they were asked for. */
static void say_alone(const Testing *t, const Explore *x)
{
    const char *why = explore_alone(x);
    if (t->settings->exploring.verbose && t->settings->jobs > 1 && why)
        warn("--jobs: one process explored: %s", why);
}

/* One line each. */
static void add_workers(const Explore *x, Str *out)
{
    for (uint32_t i = 0; i < explore_workers(x); i++) {
        ExploreWorker w = explore_worker(x, i);
        str_printf(out, "\n  process %u: %llu runs, ", i + 1, (unsigned long long)w.runs);
        if (w.gone || w.idle)
            str_add(out, w.gone ? "ended" : "idle");
        else
            str_printf(out, "%llu pending", (unsigned long long)w.pending);
    }
}

static void show_progress(Testing *t, const Explore *x)
{
    VmCoverage c = vm_coverage(explore_vm(x));
    double seconds = explore_seconds(x);
    Str lines = {0};
    estimate_note(&t->estimate, seconds, explore_explored(x));
    if (t->bound)
        str_printf(&lines, "bound %u: ", t->bound);
    estimate_text(&t->estimate, t->until > 0 ? t->until - clock_seconds() : -1, &lines);
    str_printf(&lines,
               ", %llu runs, %llu tests, %u fault%s, branches %u/%u, %llu pending, solver %.0f %%, %.0f s",
               (unsigned long long)explore_runs_so_far(x), (unsigned long long)t->report.tests,
               t->report.faults.n, t->report.faults.n == 1 ? "" : "s", c.branches_covered, c.branches,
               (unsigned long long)explore_pending(x),
               seconds > 0 ? 100 * explore_solver_seconds(x) / seconds : 0, seconds);
    add_workers(x, &lines);
    progress_show_lines(&t->progress, &lines);
    str_free(&lines);
}

static void on_progress(void *context, const Explore *x)
{
    Testing *t = context;
    if (t->is_shown)
        show_progress(t, x);
    checkpoint_save(&t->checkpoint, (Explore *)x);
}

/* ---- branch outcomes that no test takes ------------------------------------------------------ */

/* Exploration has had its turn: what is left is asked for backwards, in as much time. */
static void reach_uncovered(Testing *t, Explore *x, const ExploreOptions *options)
{
    Reaching *r = &t->reaching;
    *r = (Reaching){.program = t->program,
                    .environment = t->environment,
                    .options = *options,
                    .phase = PHASE_BACKWARD,
                    .no_replay = t->settings->no_replay,
                    .maker = &t->maker,
                    .arena = t->arena,
                    .on_test = testing_on_reached,
                    .context = t};
    r->options.symbolic.inputs.shape = VM_SHAPE_BYTES; /* whether there is any call that gets there */
    r->options.max_time = t->settings->exploring.max_time;
    targets_uncovered(t->program, explore_vm(x), t->arena, &r->targets);
    reach_all(r);
    bool all = !ledger_count(explore_ledger(x)) && !ledger_shape_count(explore_ledger(x));
    for (uint32_t i = 0; i < r->reached.n && all; i++)
        if (r->reached.v[i].status == REACH_OPEN) { /* every path was explored */
            r->reached.v[i].status = REACH_UNREACHABLE;
            r->reached.v[i].by = "forward";
        }
}

/* The program looked at no input at all: an answer about one run. Was an input given that it does not
 * want? */
static void no_input(const VmInputs *inputs)
{
    if (inputs->stdin_symbolic)
        warn("--sym-stdin: the program did not read its standard input");
    if (!inputs->stdin_symbolic && !inputs->files.n)
        warn("the program names no input: sheaf_symbolic(&x, sizeof x, \"x\") from <sheaf.h> does, and so do "
             "--sym-stdin N, "
             "--sym-args MIN MAX LEN, --sym-file NAME:N and --entry F");
}

/* A symbolic file that no run opened, so that the answer is not about it; a concrete one that is not in the
 * tests. */
static void check_files(Testing *t, const VmInputs *inputs)
{
    for (uint32_t i = 0; i < t->environment->files.n; i++)
        if (t->environment->files.v[i].size > EXPLORE_TEST_FILE_MOST) {
            t->unsettled = true;
            warn("--file %s: too large to be copied into every test; 'sheaf replay' needs it with --file",
                 t->environment->files.v[i].name);
        }
    for (uint32_t i = 0; i < inputs->files.n; i++)
        if (!testing_was_read(t, inputs->files.v[i].name)) {
            t->unsettled = true;
            warn("--sym-file %s: no run opened that file", inputs->files.v[i].name);
        }
}

/* C that calls the entry needs to know its parameters. */
static void describe_entry(Testing *t)
{
    if (!t->settings->exploring.entry || !(t->settings->emit & 2))
        return;
    SuiteProgram *p = &t->maker.suite_program;
    t->native = program_frontend(&t->settings->exploring.program, t->args, t->arena);
    p->declares = true;
    p->ir = t->program;
    p->frontend = &t->native;
    if (!suite_program_entry(p, &t->native, t->arena))
        die("--emit c: no C source declares '%s'", p->entry);
    drive_describe(p, t->program, &t->native, t->arena);
}

static void check_directory(const Testing *t)
{
    static const char *const names[] = {"result.json", "stats.json", "tests.c", SUITE_STORE};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        exploring_check_file(&t->settings->exploring, t->args, t->program, "--output",
                             arena_printf(t->arena, "%s/%s", t->settings->exploring.directory, names[i]));
}

static void check_compare(const Testing *t)
{
    const TestSettings *s = t->settings;
    if (s->compare && !strcmp(s->compare, explore_names[s->explorer]))
        die("--compare %s: that is what --explore says already", s->compare);
    if (s->compare && !strcmp(s->compare, "change"))
        die("--compare change: explore it by --explore change --old FILE, and compare with another");
    curves_check(&s->exploring, t->args, t->program, s->compare, s->compare_csv, s->compare_plot);
}

/* Options that would mean nothing are refused. */
static void guide(const TestSettings *s, const OptionArgs *args, const IrProgram *program, Arena *arena,
                  ExploreOptions *options)
{
    bool guided = !strcmp(options->explorer, "dependence");
    bool compared = s->compare && !strcmp(s->compare, "dependence");
    if (!guided && !compared && (s->sinks.n || s->faults != FAULTS_ISOLATE))
        die("--%s is for --explore dependence", s->sinks.n ? "sinks" : "faults");
    if (!guided && !compared && options_given(args, "outcome-runs"))
        die("--outcome-runs is for --explore dependence");
    if (!guided && strcmp(options->explorer, "states") && s->explain_pruning)
        die("--explain-pruning is for --explore dependence and --explore states");
    options->criteria.tie_faults = s->faults == FAULTS_TIE;
    options->explain = s->explain_pruning;
    options->outcome_runs = s->outcome_runs;
    sinks_read(&s->sinks, program, arena, options);
}

/* Does the program itself pass what the entry needs? */
static void check_callers(Testing *t, const ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    t->callers = (Callers){.program = t->program,
                           .environment = t->environment,
                           .settings = &s->exploring,
                           .args = t->args,
                           .options = *options,
                           .report = &t->report,
                           .maker = &t->maker,
                           .arena = t->arena,
                           .no_replay = s->no_replay,
                           .fn = ir_fn_find(t->program, s->exploring.entry),
                           .until = t->callers.until};
    callers_check(&t->callers);
    t->report.tests += t->callers.tests;
}

/* Options that would mean nothing, or that other tests than those of the entry would break. */
static void refuse_callers(const TestSettings *s)
{
    if (s->callers && (!s->exploring.entry || !strcmp(s->exploring.entry, "main")))
        die("--callers: of which function? Name it with --entry");
    if (s->callers && s->emit)
        die("--callers: the tests of callers are of other functions, and not for --emit");
    if (s->callers && s->exploring.shape != VM_SHAPE_TYPES)
        die("--callers: needs are what --shape types finds");
}

static void testing_free(Testing *t)
{
    covering_free(&t->covering);
    ranking_free(&t->ranking);
    str_free(&t->state);
    str_free(&t->findings);
    testing_replays_free(t);
    str_free(&t->statistics);
    callers_free(&t->callers);
    if (t->settings->to) {
        reaching_free(&t->reaching);
        targets_free(&t->reaching.targets);
    }
    testcase_free(&t->maker);
    vec_free(&t->native.inputs);
    vec_free(&t->native.cflags);
    vec_free(&t->files_used);
    map_free(&t->run_tests.index);
    vec_free(&t->run_tests.paths);
    compare_free(&t->comparison);
    report_free(&t->report);
}

/* ---- deeper and deeper ----------------------------------------------------------------------- */

/* Why the answer is about a smaller bound. */
static void note_unfinished(Testing *t, const Explore *x, uint32_t bound)
{
    Str why = {0};
    const Ledger *l = explore_ledger(x);
    ledger_entry_text(ledger_entry(l, 0), t->program, &why);
    t->report.unfinished = arena_printf(t->arena, "bound %u was not finished: %s%s", bound, str_text(&why),
                                        ledger_count(l) > 1 ? ", and more" : "");
    str_free(&why);
}

/* What is left of the limits after the explorations so far; false: nothing. */
static bool limits_left(const Testing *t, ExploreOptions *options, double end, uint64_t runs)
{
    const ExploringSettings *s = &t->settings->exploring;
    options->max_time = end > 0 ? end - clock_seconds() : 0;
    options->max_runs = s->max_runs > runs ? s->max_runs - runs : 0;
    return (end <= 0 || options->max_time > 0) && (!s->max_runs || options->max_runs);
}

/* The program within the shapes of one bound after the other, up to the last that is complete; without
 * shapes, once. Coverage and tests are those of all. */
static Explore *explore_deepening(Testing *t, ExploreOptions *options)
{
    const ExploringSettings *s = &t->settings->exploring;
    bool again = testing_deepens(t);
    double share = t->settings->callers ? 0.5 : 1; /* its callers need time, too */
    double end = s->max_time > 0 ? clock_seconds() + share * s->max_time : 0;
    Explore *best = NULL;
    options->max_time = share * s->max_time;
    options->time_limit = s->max_time;
    t->until = end;
    t->callers.until = end > 0 ? end + (1 - share) * s->max_time : 0;
    exploring_aliases(s, t->program, &options->symbolic.inputs);
    for (uint32_t bound = again ? 1 : EXPLORING_BOUND;; bound++) {
        exploring_bounds(s, bound, &options->symbolic.inputs);
        if (best && !limits_left(t, options, end, t->report.runs)) {
            t->report.unfinished = arena_printf(t->arena, "bound %u was not begun: %s", bound,
                                                end > 0 ? "--max-time" : "--max-runs");
            return best;
        }
        map_clear(&t->run_tests.index); /* runs are counted anew */
        t->estimate = (Estimate){0};
        t->bound = again ? bound : 0;
        if (options->board)
            fleet_ask_bound(&t->asking, bound, &options->symbolic.inputs);
        Explore *x = explore_new(t->program, t->environment, options);
        covering_begin(&t->covering);
        uint64_t paths = t->report.paths;
        t->report.ledger = explore_ledger(x);
        ReportNeedVec needs = {0};
        if (best) {
            needs = report_needs_begin(&t->report);
            vm_coverage_add(explore_vm(x), explore_vm(best));
        }
        if (t->state.n && !explore_load(x, str_text(&t->state), t->state.n))
            die("--resume: what was pending cannot be read: --force begins anew");
        explore_all(x);
        checkpoint_end(&t->checkpoint, x);
        testing_settle(t, x);
        t->report.paths = explore_count(x, EXPLORE_PATHS);
        t->report.runs += explore_count(x, EXPLORE_RUNS);
        t->report.seconds += explore_seconds(x);
        bool complete = !ledger_count(explore_ledger(x)), cut = testing_was_cut(explore_ledger(x));
        if (best)
            report_needs_end(&t->report, &needs, complete);
        if (best && !complete && !ledger_count(explore_ledger(best))) {
            note_unfinished(t, x, bound);
            vm_coverage_add(explore_vm(best), explore_vm(x));
            explore_free(x);
            map_clear(&t->run_tests.index);
            t->report.paths = paths;
            return best;
        }
        if (best)
            explore_free(best);
        best = x;
        if (!again || cut || !ledger_shape_bounded(explore_ledger(x)) || bound == EXPLORING_BOUND_MOST)
            return best;
    }
}

/* What the answer says beyond its faults and tests. */
static void settle_report(Testing *t, const Explore *x, const ExploreOptions *options)
{
    const char *explorer = options->explorer;
    report_needs_settle(&t->report);
    if (t->settings->callers)
        check_callers(t, options);
    t->report.no_input = !t->inputs && explore_count(x, EXPLORE_RUNS) == 1;
    const char *entry = t->settings->exploring.entry;
    if (t->report.no_input && (!entry || !strcmp(entry, "main"))) /* a function may have no parameters */
        no_input(&options->symbolic.inputs);
    check_files(t, &options->symbolic.inputs);
    t->report.coverage = vm_coverage(explore_vm(x));
    t->report.faults_sought =
        !strcmp(explorer, "full") || !strcmp(explorer, "dependence") || !strcmp(explorer, "states");
    t->report.faults_skipped = !t->report.faults_sought;
    if (!strcmp(explorer, "change"))
        t->report.scope =
            options->prune == EXPLORE_PRUNE_PUBLISHED ? "the rule as published" : "what the change affects";
    t->report.faults_done = explore_faults_done(x);
}

static int explore_and_report(Testing *t, ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    use_processes(t, options);
    if (s->store) /* before old results go: the database may be of no use */
        testing_use_fleet(t, options);
    testing_open(t, options);
    Explore *x = explore_deepening(t, options);
    options->board = NULL; /* what follows has other observers */
    options->jobs = 1;
    options->wants = NULL;
    say_alone(t, x);
    t->report.ledger = explore_ledger(x);
    progress_clear(&t->progress);
    if (s->to)
        reach_uncovered(t, x, options);
    settle_report(t, x, options);
    if (s->compare)
        compare_explorers(t->program, t->environment, options, s->compare, &t->comparison);
    testing_write(t, x);
    bool served = !s->store || fleet_ask_end(&t->asking);
    testcase_end_replay(&t->maker); /* first: a closed pipe ends us while we print */
    bool written =
        curves_write(t->program, t->environment, options, s->compare, s->compare_csv, s->compare_plot);
    testing_print(t, x);
    int status = written && served ? testing_status(t) : EXIT_USAGE;
    explore_free(x);
    return status;
}

/* Code that no run comes to has changed, or lines have moved: what was found before is what would be found.
 */
static bool report_again(Testing *t, const ReuseAnswer *before, ExploreOptions *options, int *status)
{
    Explore *x = before->key ? testing_take_findings(t, before, options) : NULL;
    if (!x)
        return false;
    if (t->settings->exploring.format == FORMAT_TEXT)
        printf("unchanged since %s is all code that is reached: nothing was explored (--no-reuse explores)\n",
               before->since);
    testing_write(t, x);
    testcase_end_replay(&t->maker);
    testing_print(t, x);
    *status = testing_status(t);
    explore_free(x);
    return true;
}

static int test_run(const Command *command, void *settings, const OptionArgs *args)
{
    TestSettings *s = settings;
    s->compare = options_given(args, "compare") ? explore_names[s->compared] : NULL;
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    options.explorer = s->store ? testing_shared_explorer(s, args) : explore_names[s->explorer];
    IrProgram *program =
        program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    exploring_check(&s->exploring, program);
    drive_prepare(&s->exploring, args, program, arena, &options.symbolic.inputs);
    if (s->store)
        program = fleet_ask_program(program, &options.symbolic.inputs);
    Testing t = {
        .settings = s, .args = args, .arena = arena, .environment = &environment, .program = program};
    testcase_init(&t.maker, "test", &s->exploring, args, arena, &environment, program);
    t.maker.emit = (s->emit & 1 ? SUITE_EMIT_TESTCOMP : 0) | (s->emit & 2 ? SUITE_EMIT_C : 0);
    if (s->to && strcmp(s->to, "uncovered"))
        die("--to %s: of 'sheaf test' it takes only 'uncovered'; 'sheaf reach' gets to lines", s->to);
    describe_entry(&t);
    check_compare(&t);
    check_directory(&t);
    guide(s, args, program, arena, &options);
    changing_prepare(&s->change, &s->exploring, args, program, arena, &options);
    options.context = &t;
    options.on_run = testing_on_run;
    options.selects = true;
    options.on_progress = on_progress;
    report_init(&t.report, "test", program, NULL);
    refuse_callers(s);
    if (s->store)
        testing_refuse_store(&t, &options);
    int status;
    ReuseAnswer before = {0};
    t.job = job_of(command, args, t.maker.program_hash, program, &environment, arena);
    if (testing_is_of_reached(s))
        ir_program_reduce(program, options.symbolic.inputs.entry);
    if (!testing_give_again(&t, command, &before, &status) && !report_again(&t, &before, &options, &status))
        status = explore_and_report(&t, &options);
    testing_free(&t);
    vec_free(&environment.files);
    exploring_free(&options);
    ir_program_free(program);
    arena_free(arena);
    return status;
}
const Command command_test = {
    .name = "test",
    .group = "Find faults and write tests",
    .synopsis = "PROGRAM... [OPTIONS] [-- ARGUMENTS]",
    .summary = "find inputs that fail, and write tests for the rest",
    .description =
        "Finds inputs that make the program fail, and writes tests that cover the rest of it. Each\n"
        "fault comes with an input, which is run on the natively compiled program before it is\n"
        "reported.\n\n"
        "Inputs are what the options under 'Inputs' make symbolic, the data of\n"
        "LLVMFuzzerTestOneInput, and what the program marks with sheaf_symbolic (or with KLEE's or\n"
        "Test-Comp's functions).\n\n"
        "Not every path is run: --explore dependence, the default, runs each combination of decisions\n"
        "on which a fault can depend. The tests of all paths are in DIR/store.db; those become files\n"
        "that show a fault, and as many more as cover every line and branch outcome that was reached.\n"
        "Whatever ends a run, --resume goes on with it. The same command again gives the same answer\n"
        "at once, if no code that is reached has changed.\n\n"
        "The answer ends with 'complete' (nothing else fails on such inputs), or with the reasons why\n"
        "it is incomplete and the options that lift them.",
    .example = "  $ sheaf test parser.c --sym-stdin 8\n"
               "  $ sheaf test list.c --entry list_insert\n",
    .options = test_tables,
    .settings_size = sizeof(TestSettings),
    .run = test_run,
};
