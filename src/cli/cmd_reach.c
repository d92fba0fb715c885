/* cmd_reach.c - `sheaf reach`: an input that gets there, or a proof that none does. */
#include "cli/reaching.h"
#include "cli/retrace.h"

#include <stdlib.h>

typedef struct ReachSettings {
    ExploringSettings exploring;              /* first: exploring_options write here */
    StrVec to;
    const char *tests;
    unsigned phase, explorer;
    bool no_replay;
} ReachSettings;

static const Option reach_options[] = {
    {OPT_GROUP("Targets")},
    {OPT_LIST(ReachSettings, to), "to", .argument = "TARGET",
     .help = "FILE:LINE, a function, FUNCTION:LABEL, or uncovered: every branch outcome that no test takes; may be repeated"},
    {OPT_STRING(ReachSettings, tests), "tests", .argument = "DIR", .help = "with --to uncovered: the test suite"},
    {OPT_ENUM(ReachSettings, phase), "phase", .preset = "both", .words = reach_phases,
     .help = "how: conditions composed backwards from the target, runs forwards from the entry, or both by turns"},
    {OPT_ENUM(ReachSettings, explorer), "explore", .preset = "dependence", .words = explore_names, .help = "which paths forward exploration runs"},
    {OPT_FLAG(ReachSettings, no_replay), "no-replay", .help = "report inputs without running them on the native program"},
    {OPT_END},
};
static const Option *const reach_tables[] = {reach_options, exploring_options, exploring_output_options, program_options, NULL};

/* ---- what is open in a suite --------------------------------------------------------------------------------- */

/* Runs the tests on the machine and takes every branch outcome that none of them takes. */
static void add_uncovered(Reaching *r, const char *directory)
{
    SuiteTestVec tests = {0};
    Str error = {0};
    if (directory && !suite_read(directory, &tests, &error))
        die("%s", str_text(&error));
    retrace_inputs(&tests, r->program, &r->options.symbolic.inputs);
    ExploreOptions options = r->options;
    options.explorer = "full";
    Explore *x = explore_new(r->program, r->environment, &options);
    for (uint32_t i = 0; i < tests.n; i++) {
        const char *why;
        uint32_t size = retrace_stdin(tests.v[i], r->program);
        if (size && size != r->options.symbolic.inputs.stdin_size)
            die("%s: standard input has %u bytes: --sym-stdin %u", tests.v[i]->path, size, size);
        VmTrace *trace = retrace_test(x, tests.v[i], &why);
        vm_coverage_keep(explore_vm(x));      /* the last of the runs that it took */
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
    if (uncovered)                            /* last: it looks at the blocks that there are then */
        add_uncovered(r, s->tests);
}

/* ---- answers ---------------------------------------------------------------------------------------------------- */

static const char *const status_words[] = {"open", "reached", "unreachable"};

static const char *function_of(const IrProgram *p, const Target *t) { return ir_text(p, p->fns.v[t->places.v[0].fn].name); }

static void place_text(const IrProgram *p, uint32_t site, Str *out)
{
    char where[512];
    if (site != IR_NONE)
        str_printf(out, "%s: ", ir_site_text(p, site, where, sizeof where));
}

static void native_text(const Reached *x, Str *out)
{
    static const char *const verdicts[] = {"not replayed", "confirmed natively", "not confirmed natively"};
    str_printf(out, "%s", verdicts[x->native]);
    if (x->witness)
        str_printf(out, " (%s)", x->witness);
}

static void target_text(const Reaching *r, uint32_t i, Str *out)
{
    static const char *const heads[] = {"OPEN", "REACHED", "UNREACHABLE"};
    const Target *t = &r->targets.v[i];
    const Reached *x = &r->reached.v[i];
    str_printf(out, "%-11s  %s in %s", heads[x->status], t->text, function_of(r->program, t));
    if (x->status == REACH_UNREACHABLE)
        str_add(out, !strcmp(x->by, "forward") ? ": proved, all paths were explored" : ": proved, on no input does a run come there");
    str_add_char(out, '\n');
    if (x->status == REACH_REACHED) {
        str_printf(out, "             input %s   ", x->test);
        native_text(x, out);
        str_add_char(out, '\n');
    }
    if (x->status == REACH_UNREACHABLE && x->reasons.n)
        str_add(out, "             these contradict each other:\n");
    for (uint32_t k = 0; k < x->reasons.n; k++) {
        str_add(out, "             ");
        place_text(r->program, x->reasons.v[k].site, out);
        str_printf(out, "%s\n", x->reasons.v[k].text);
    }
}

static uint32_t count(const Reaching *r, ReachStatus status)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->reached.n; i++)
        n += r->reached.v[i].status == status;
    return n;
}

static void summary_text(const Reaching *r, Str *out)
{
    str_printf(out, "%u target%s: %u reached, %u proved unreachable, %u open\n", r->targets.n, r->targets.n == 1 ? "" : "s",
               count(r, REACH_REACHED), count(r, REACH_UNREACHABLE), count(r, REACH_OPEN));
}

static void target_json(const Reaching *r, uint32_t i, JsonOut *json)
{
    static const char *const verdicts[] = {"not replayed", "confirmed", "not confirmed"};
    const Target *t = &r->targets.v[i];
    const Reached *x = &r->reached.v[i];
    json_object_begin(json, NULL);
    json_string(json, "target", t->text);
    report_site_json(r->program, t->site, json);
    json_string(json, "function", function_of(r->program, t));
    json_string(json, "status", status_words[x->status]);
    json_string(json, "by", x->by);
    if (x->status == REACH_REACHED) {
        json_string(json, "test", x->test);
        json_string(json, "native", verdicts[x->native]);
        json_string(json, "witness", x->witness);
    }
    json_uint(json, "steps", x->steps);
    json_uint(json, "queries", x->queries);
    json_double(json, "seconds", x->seconds);
    json_array_begin(json, x->status == REACH_UNREACHABLE ? "core" : "reasons");
    for (uint32_t k = 0; k < x->reasons.n; k++) {
        json_object_begin(json, NULL);
        json_string(json, "text", x->reasons.v[k].text);
        report_site_json(r->program, x->reasons.v[k].site, json);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void result_json(const Reaching *r, JsonOut *json)
{
    json_object_begin(json, NULL);
    json_string(json, "command", "reach");
    json_bool(json, "finished", true);
    json_uint(json, "runs", r->runs);
    json_double(json, "seconds", clock_seconds() - r->begun);
    json_array_begin(json, "targets");
    for (uint32_t i = 0; i < r->targets.n; i++)
        target_json(r, i, json);
    json_array_end(json);
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
        ReportNote note = {.rule = status_words[x->status], .level = levels[x->status], .site = r->targets.v[i].site};
        note.text = arena_printf(report.arena, "%s: %s%s%s", r->targets.v[i].text, status_words[x->status],
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
            target_text(r, i, &out);
        if (r->targets.n != 1)
            summary_text(r, &out);
        if (count(r, REACH_UNREACHABLE))
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
    results_finish(r->maker->results, &json.text, NULL);
    str_free(&json.text);
}

static int status_of(const Reaching *r)
{
    if (count(r, REACH_OPEN))
        return EXIT_INCOMPLETE;
    return count(r, REACH_UNREACHABLE) ? EXIT_FOUND : EXIT_CLEAN;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

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
    s->exploring.program.assignments = true;  /* so that a line that only assigns has code */
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    options.explorer = exploring_exhaustive(s->explorer);
    IrProgram *program = program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL || names_places(s));
    exploring_check(&s->exploring, program);
    testcase_init(&maker, command->name, &s->exploring, args, arena, &environment, program);
    maker.coverage = true;
    Reaching r = {.program = program, .environment = &environment, .options = options, .phase = s->phase,
                  .no_replay = s->no_replay, .maker = &maker, .arena = arena};
    read_targets(&r, s, program);
    if (file_exists(s->exploring.directory))  /* refused now, rather than after the search */
        testcase_results(&maker);
    reach_all(&r);
    write_results(&r);
    testcase_end_replay(&maker);              /* first: a closed pipe ends us while we print */
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
    .summary = "an input that gets to a line, or a proof that none does",
    .description = "Looks for an input on which the program comes to the target: a line, a function, a label, or each branch outcome that a\n"
                   "test suite leaves open. Conditions are composed backwards from the target to the entry; what they propose is run, on Sheaf's\n"
                   "machine and natively, before it is reported and written as a test. Where no input satisfies them, the target is proved\n"
                   "unreachable, whatever loops there are. Forward exploration takes over by turns.\n\n"
                   "Exit status: 0 reached, 1 proved unreachable, 3 open; of several targets 3 if one is open, else 1 if one is unreachable.",
    .example = "  $ sheaf reach parser.c --sym-stdin 8 --to parser.c:88\n",
    .options = reach_tables,
    .settings_size = sizeof(ReachSettings),
    .run = reach_run,
};
