/* cmd_reach.c - `sheaf reach`: an input that gets there, or a proof that none does. */
#include "cli/reaching.h"
#include "cli/stored_tests.h"
#include "explore/explore.h"

#include <stdlib.h>

typedef struct ReachSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    StrVec to;
    const char *tests;
    unsigned phase, explorer;
    bool no_replay;
} ReachSettings;

static const Option reach_options[] = {
    {OPT_GROUP("Targets")},
    {OPT_LIST(ReachSettings, to), "to", .argument = "TARGET",
     .help = "FILE:LINE, a function, FUNCTION:LABEL, or uncovered: every branch outcome that no test takes; "
             "may be repeated"},
    {OPT_STRING(ReachSettings, tests), "tests", .argument = "DIR",
     .help = "with --to uncovered: the test suite"},
    {OPT_ENUM(ReachSettings, phase), "phase", .preset = "both", .words = reach_phases,
     .help = "compose conditions backwards from the target, explore forwards from the entry, or both, "
             "alternating"},
    {OPT_ENUM(ReachSettings, explorer), "explore", .preset = "dependence", .words = explore_names,
     .help = "which paths forward exploration runs"},
    {OPT_FLAG(ReachSettings, no_replay), "no-replay", .help = "do not run inputs on the native program"},
    {OPT_END},
};
static const Option *const reach_tables[] = {reach_options, exploring_options, exploring_output_options,
                                             program_options, NULL};

/* ---- what is open in a suite ----------------------------------------------------------------- */

/* Runs the tests on the machine and takes every branch outcome that none of them takes. */
static void add_uncovered(Reaching *r, const char *directory)
{
    SuiteTestVec tests = {0};
    Str error = {0};
    if (directory && !stored_tests_read(directory, &tests, &error))
        die("%s", str_text(&error));
    explore_retrace_inputs(&tests, r->program, &r->options.symbolic.inputs);
    ExploreOptions options = r->options;
    options.explorer = "full";
    Explore *x = explore_new(r->program, r->environment, &options);
    for (uint32_t i = 0; i < tests.n; i++) {
        const char *why;
        uint32_t size = explore_retrace_stdin(tests.v[i], r->program);
        if (size && size != r->options.symbolic.inputs.stdin_size)
            die("%s: standard input has %u bytes: --sym-stdin %u", tests.v[i]->path, size, size);
        VmTrace *trace = explore_retrace(x, tests.v[i], &why);
        vm_coverage_keep(explore_vm(x)); /* the last of the runs that it took */
        if (why)
            warn("%s %s", tests.v[i]->path, why);
        vm_trace_free(explore_vm(x), trace);
    }
    targets_uncovered(r->program, explore_vm(x), r->arena, &r->targets);
    explore_free(x);
    suite_tests_free(&tests);
    str_free(&error);
}

static bool is_uncovered(const char *word) { return !strcmp(word, "uncovered"); }

static void read_targets(Reaching *r, const ReachSettings *s, IrProgram *program)
{
    bool uncovered = false;
    for (uint32_t i = 0; i < s->to.n; i++)
        if (is_uncovered(s->to.v[i]))
            uncovered = true;
        else
            targets_read(s->to.v[i], program, r->arena, &r->targets);
    if (s->tests && !uncovered)
        die("--tests: the suite is for --to uncovered");
    if (uncovered) /* last: it looks at the blocks that there are then */
        add_uncovered(r, s->tests);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void result_json(const Reaching *r, JsonOut *json)
{
    json_object_begin(json, NULL);
    json_string(json, "command", "reach");
    json_bool(json, "finished", true);
    json_uint(json, "runs", r->runs);
    json_double(json, "seconds", clock_seconds() - r->begun);
    reach_targets_json(r, json);
    report_assumed_json(r->ledger, json);
    json_object_end(json);
}

static void sarif(const Reaching *r, Str *out)
{
    static const char *const levels[] = {"note", "note", "warning"};
    Report report;
    report_init(&report, "reach", r->program, r->ledger);
    for (uint32_t i = 0; i < r->targets.n; i++) {
        const Reached *x = &r->reached.v[i];
        ReportNote note = {
            .rule = reach_status_words[x->status], .level = levels[x->status], .site = r->targets.v[i].site};
        note.text =
            arena_printf(report.arena, "%s: %s%s%s", r->targets.v[i].text, reach_status_words[x->status],
                         x->status == REACH_REACHED ? " by " : "", x->status == REACH_REACHED ? x->test : "");
        vec_push(&report.notes, note);
    }
    report_sarif(&report, SHEAF_VERSION, out);
    report_free(&report);
}

static void print_results(const Reaching *r, ExploringFormat format)
{
    Str out = {0};
    JsonOut json = {0};
    switch (format) {
    case FORMAT_TEXT:
        for (uint32_t i = 0; i < r->targets.n; i++)
            reach_target_text(r, i, &out);
        if (r->targets.n != 1)
            reach_summary_text(r, &out);
        if (reach_count(r, REACH_UNREACHABLE))
            ledger_assumptions_text(r->ledger, &out);
        break;
    case FORMAT_SARIF: sarif(r, &out); break;
    case FORMAT_JSON:
        result_json(r, &json);
        str_printf(&out, "%s\n", str_text(&json.text));
        break;
    }
    fputs(str_text(&out), stdout);
    str_free(&out);
    str_free(&json.text);
}

/* Only where there are tests is there a directory. */
static void write_results(Reaching *r)
{
    JsonOut json = {0};
    if (!r->maker->results)
        return;
    result_json(r, &json);
    results_finish(r->maker->results, &json.text, NULL, true);
    str_free(&json.text);
}

static int status_of(const Reaching *r)
{
    if (reach_count(r, REACH_OPEN))
        return EXIT_INCOMPLETE;
    return reach_count(r, REACH_UNREACHABLE) ? EXIT_FOUND : EXIT_CLEAN;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Functions that the entry does not call have lines too. */
static bool names_places(const ReachSettings *s)
{
    for (uint32_t i = 0; i < s->to.n; i++)
        if (!is_uncovered(s->to.v[i]))
            return true;
    return false;
}

static int reach_run(const Command *command, void *settings, const OptionArgs *args)
{
    ReachSettings *s = settings;
    if (!s->to.n)
        die("no target: name one with --to FILE:LINE");
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    TestMaker maker;
    s->exploring.program.assignments = true; /* so that a line that only assigns has code */
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    exploring_unshaped(args, command->name);
    options.explorer = exploring_exhaustive(s->explorer);
    IrProgram *program = program_load(&s->exploring.program, args, s->exploring.entry,
                                      s->exploring.entry != NULL || names_places(s));
    exploring_check(&s->exploring, program);
    testcase_init(&maker, command->name, &s->exploring, args, arena, &environment, program);
    maker.coverage = true;
    Reaching r = {.program = program,
                  .environment = &environment,
                  .options = options,
                  .phase = s->phase,
                  .no_replay = s->no_replay,
                  .maker = &maker,
                  .arena = arena};
    read_targets(&r, s, program);
    if (file_exists(s->exploring.directory)) /* refused now, rather than after the search */
        testcase_results(&maker);
    reach_all(&r);
    write_results(&r);
    testcase_end_replay(&maker); /* first: a closed pipe ends us while we print */
    print_results(&r, (ExploringFormat)s->exploring.format);
    int status = status_of(&r);
    reaching_free(&r);
    targets_free(&r.targets);
    testcase_free(&maker);
    vec_free(&environment.files);
    exploring_free(&r.options);
    ir_program_free(program);
    arena_free(arena);
    return status;
}

const Command command_reach = {
    .name = "reach",
    .synopsis = "PROGRAM... --to TARGET [OPTIONS] [-- ARGUMENTS]",
    .summary = "find an input that gets to a line, or prove that there is none",
    .description =
        "Finds an input on which the program gets to the target: a line, a function, a label, or each\n"
        "branch outcome that a test suite does not take. The input is run on Sheaf's interpreter and\n"
        "natively before it is reported and written as a test. If no input gets there, that is\n"
        "proved, for loops of any length.\n\n"
        "Sheaf works from both ends, alternating: it composes the condition for the target backwards\n"
        "to the entry, and it explores the program forwards.\n\n"
        "Exit status: 0 reached, 1 proved unreachable, 3 open. Of several targets: 3 if one is open,\n"
        "else 1 if one is unreachable.",
    .example = "  $ sheaf reach parser.c --sym-stdin 8 --to parser.c:88\n",
    .options = reach_tables,
    .settings_size = sizeof(ReachSettings),
    .run = reach_run,
};
