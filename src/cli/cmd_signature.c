/* cmd_signature.c - `sheaf signature`: what the output is, when; one row for each way to compute it. */
#include "cli/drive.h"
#include "cli/estimate.h"
#include "cli/progress.h"
#include "report/report.h"

typedef struct SignatureSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    StrVec criteria;
    bool each;
    unsigned faults, rows, explore;
} SignatureSettings;

enum { FAULTS_MET, FAULTS_ALL, FAULTS_TIE };
static const char *const fault_words[] = {"found", "all", "tie", NULL};

enum { ROWS_MERGED, ROWS_ALL };
static const char *const row_words[] = {"merged", "all", NULL};

enum { BY_OUTPUT, BY_STATES };
static const char *const explore_words[] = {"output", "states", NULL};

static const Option signature_options[] = {
    {OPT_GROUP("What is observed")},
    {OPT_LIST(SignatureSettings, criteria), "criterion", 'c', "WHAT",
     .help = "the output: stdout, stderr, status, entry, a name given to sheaf_output, an expression at the "
             "end (x, p->len, s.v[2], *p), or FILE:LINE:EXPRESSION before that line; may be repeated"},
    {OPT_FLAG(SignatureSettings, each), "each", .help = "a table for each output by itself"},
    {OPT_ENUM(SignatureSettings, faults), "faults", .preset = "found", .words = fault_words,
     .help = "failures to list: those found on the way, all of them (explores once more), or none: failing "
             "is an output like any other (tie)"},
    {OPT_ENUM(SignatureSettings, rows), "rows", .preset = "merged", .words = row_words,
     .help = "one row for each output, or one for each way to compute it (all)"},
    {OPT_ENUM(SignatureSettings, explore), "explore", .preset = "output", .words = explore_words,
     .help = "a run for each way to compute the output, or paths up to a state that another path was in "
             "(states)"},
    {OPT_END},
};
static const Option *const signature_tables[] = {signature_options,        exploring_options,
                                                 exploring_handle_options, exploring_output_options,
                                                 program_options,          NULL};

/* ---- criteria -------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    unsigned what;
} streams[] = {{"stdout", EXPLORE_STDOUT},
               {"stderr", EXPLORE_STDERR},
               {"status", EXPLORE_STATUS},
               {"entry", EXPLORE_ENTRY}};

static unsigned stream_bit(const char *word)
{
    for (unsigned i = 0; i < COUNT_OF(streams); i++)
        if (!strcmp(word, streams[i].word))
            return streams[i].what;
    return 0;
}

/* FILE:LINE:EXPRESSION becomes an output of that name. */
static bool is_place(const char *criterion)
{
    const char *last = strrchr(criterion, ':'), *digit = last;
    while (digit && digit > criterion && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    return last && digit < last && digit - 1 > criterion && digit[-1] == ':';
}

static ExploreCriteria all_together(const SignatureSettings *s, const IrProgram *program)
{
    ExploreCriteria c = {0};
    for (uint32_t i = 0; i < s->criteria.n; i++) {
        unsigned bit = stream_bit(s->criteria.v[i]);
        c.what |= bit ? bit : EXPLORE_NAMED;
        if (!bit)
            vec_push(&c.names, s->criteria.v[i]);
    }
    if (!c.what)
        c.what = explore_observed(program, s->exploring.entry);
    return c;
}

/* ---- one signature --------------------------------------------------------------------------- */

typedef struct Signing {
    const SignatureSettings *settings;
    IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options;
    StrVec names; /* outputs that the program named in some run */
    Arena *arena;
    uint64_t inputs; /* input objects that runs used, in all */
    Str text;
    JsonOut json;
    int status;
    Progress progress;
    Estimate estimate;
} Signing;

static void meet_name(Signing *s, const char *name)
{
    for (uint32_t i = 0; i < s->names.n; i++)
        if (!strcmp(s->names.v[i], name))
            return;
    vec_push(&s->names, arena_strdup(s->arena, name));
}

static void on_run(void *context, const ExploreRun *run)
{
    Signing *s = context;
    s->inputs += run->trace->inputs.n;
    for (uint32_t i = 0; i < run->trace->outputs.n; i++)
        if (!run->trace->outputs.v[i].stream)
            meet_name(s, run->trace->outputs.v[i].name);
}

static void on_progress(void *context, const Explore *x)
{
    Signing *s = context;
    double seconds = explore_seconds(x), most = s->options.max_time;
    Str line = {0};
    estimate_note(&s->estimate, seconds, explore_explored(x));
    estimate_text(&s->estimate, most > 0 ? most - seconds : -1, &line);
    str_printf(&line, ", %llu runs, %u behaviours, %llu pending, %.0f s",
               (unsigned long long)explore_count(x, EXPLORE_RUNS), explore_signature(x)->rows.n,
               (unsigned long long)explore_pending(x), seconds);
    progress_show_lines(&s->progress, &line);
    str_free(&line);
}

static Explore *explored(Signing *s, const ExploreCriteria *criteria)
{
    s->options.criteria = *criteria;
    s->options.criteria.tie_faults = s->settings->faults == FAULTS_TIE;
    explore_observe(s->program, &criteria->names);
    s->estimate = (Estimate){0};
    Explore *x = explore_new(s->program, s->environment, &s->options);
    explore_all(x);
    progress_clear(&s->progress);
    return x;
}

static int status_of(const Report *report, const Signature *signature)
{
    for (uint32_t i = 0; i < signature->failures.n; i++)
        if (signature->failures.v[i].end.ending == VM_END_FAULT && !*signature->failures.v[i].end.need)
            return EXIT_FOUND;
    for (uint32_t i = 0; i < signature->rows.n; i++)
        if (signature->rows.v[i].end.ending == VM_END_FAULT && !*signature->rows.v[i].end.need)
            return EXIT_FOUND;
    return report_status(report);
}

/* ---- all ways to fail ------------------------------------------------------------------------ */

static void on_failing_run(void *context, const ExploreRun *run) { explore_failure_add(context, run); }

/* The explorer that finds every place that fails in the fewest runs. */
static const char *fault_finder(void)
{
    for (size_t i = 0; explore_names[i]; i++)
        if (!strcmp(explore_names[i], "dependence"))
            return explore_names[i];
    return "full";
}

static Explore *look_for_failures(const Signing *s, Explore *x)
{
    ExploreOptions options = s->options;
    options.explorer = fault_finder();
    options.context = x;
    options.on_run = on_failing_run;
    options.on_progress = NULL;
    Explore *failing = explore_new(s->program, s->environment, &options);
    explore_all(failing);
    return failing;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void add_json(Signing *s, Explore *x, const Report *report, const ReportRows *rows)
{
    json_object_begin(&s->json, NULL);
    report_json(report, &s->json);
    report_rows_json(rows, &s->json);
    json_object_begin(&s->json, "statistics");
    explore_stats(x, &s->json);
    json_object_end(&s->json);
    json_object_end(&s->json);
}

/* The text or the same as JSON, and what it means for the exit status. */
static void print_table(Signing *s, Explore *x, Explore *failing, const char *title)
{
    Report report;
    ReportRows rows;
    report_init(&report, "signature", s->program, explore_ledger(x));
    report.runs = explore_count(x, EXPLORE_RUNS);
    report.seconds = explore_seconds(x);
    report.coverage = vm_coverage(explore_vm(x));
    report_rows_init(&rows, x, s->settings->rows == ROWS_ALL);
    rows.criterion = title;
    rows.failing = failing;
    rows.verbose = s->settings->exploring.verbose;
    if (s->settings->exploring.format == FORMAT_TEXT)
        report_rows_text(&rows, &s->text);
    else
        add_json(s, x, &report, &rows);
    int status = status_of(&report, rows.signature);
    if (status == EXIT_CLEAN && failing && ledger_count(explore_ledger(failing)))
        status = EXIT_INCOMPLETE;
    s->status = s->status == EXIT_FOUND || status == EXIT_CLEAN ? s->status : status;
    report_rows_free(&rows);
    report_free(&report);
}

static void sign(Signing *s, const ExploreCriteria *criteria, const char *title)
{
    Explore *x = explored(s, criteria);
    Explore *failing = s->settings->faults != FAULTS_ALL ? NULL
                       : s->options.sign                 ? x
                                                         : look_for_failures(s, x);
    print_table(s, x, failing, title);
    if (failing && failing != x)
        explore_free(failing);
    explore_free(x);
}

/* Names of outputs come to light in runs: first of all together, then of each. */
static void sign_each(Signing *s, const ExploreCriteria *all)
{
    for (unsigned i = 0; i < COUNT_OF(streams); i++)
        if (all->what & streams[i].what)
            sign(s, &(ExploreCriteria){.what = streams[i].what}, streams[i].word);
    if (!(all->what & EXPLORE_NAMED))
        return;
    if (!all->names.n)
        explore_free(explored(s, all));
    const StrVec *names = all->names.n ? &all->names : &s->names;
    for (uint32_t i = 0, n = names->n; i < n; i++) {
        ExploreCriteria one = {.what = EXPLORE_NAMED};
        vec_push(&one.names, names->v[i]);
        sign(s, &one, names->v[i]);
        vec_free(&one.names);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static void print_answer(const Signing *s)
{
    if (s->settings->exploring.format == FORMAT_TEXT)
        fputs(str_text(&s->text), stdout);
    else
        puts(str_text(&s->json.text));
}

/* The program, with what is to be seen of its variables in it. A word that no sheaf_output may give is an
 * expression. */
static IrProgram *load(const SignatureSettings *s, const OptionArgs *args)
{
    ProgramSettings observing = s->exploring.program;
    for (uint32_t i = 0; i < s->criteria.n; i++)
        if (is_place(s->criteria.v[i]))
            vec_push(&observing.observed, s->criteria.v[i]);
    IrProgram *program = program_load(&observing, args, s->exploring.entry, s->exploring.entry != NULL);
    uint32_t places = observing.observed.n;
    for (uint32_t i = 0; i < s->criteria.n; i++)
        if (!stream_bit(s->criteria.v[i]) && !is_place(s->criteria.v[i]) &&
            !explore_is_output(program, s->criteria.v[i]))
            vec_push(&observing.observed, s->criteria.v[i]);
    if (observing.observed.n > places) {
        ir_program_free(program);
        program = program_load(&observing, args, s->exploring.entry, s->exploring.entry != NULL);
    }
    vec_free(&observing.observed);
    return program;
}

static void check_criteria(const SignatureSettings *s)
{
    for (uint32_t i = 0; i < s->criteria.n; i++)
        if (!strcmp(s->criteria.v[i], "entry") &&
            (!s->exploring.entry || !strcmp(s->exploring.entry, "main")))
            die("--criterion entry: no function is named with --entry");
}

static int signature_run(const Command *command, void *settings, const OptionArgs *args)
{
    const SignatureSettings *s = settings;
    if (s->exploring.format == FORMAT_SARIF)
        die("--format sarif: a signature has no such form; use json");
    if (s->explore == BY_STATES && s->faults == FAULTS_TIE)
        die("--faults tie: not with --explore states, which lists every way to fail by itself");
    exploring_unused(args, command->name, (const char *const[]){"output", "force", NULL});
    check_criteria(s);
    Signing signing = {.settings = s, .arena = arena_new()};
    VmEnvironment environment;
    exploring_environment(&s->exploring, args, signing.arena, &environment);
    exploring_prepare(&s->exploring, args, signing.arena, &signing.options);
    exploring_bounds(&s->exploring, EXPLORING_BOUND, &signing.options.symbolic.inputs);
    IrProgram *program = load(s, args);
    exploring_check(&s->exploring, program);
    drive_prepare(&s->exploring, args, program, signing.arena, &signing.options.symbolic.inputs);
    signing.program = program;
    signing.environment = &environment;
    signing.options.explorer = explore_words[s->explore];
    signing.options.sign = s->explore == BY_STATES;
    signing.options.labels_of = signing.options.sign ? "output" : NULL;
    signing.options.context = &signing;
    signing.options.on_run = on_run;
    signing.options.on_progress = progress_is_seen() && !s->exploring.quiet ? on_progress : NULL;
    ExploreCriteria all = all_together(s, program);
    if (s->each) {
        json_array_begin(&signing.json, NULL);
        sign_each(&signing, &all);
        json_array_end(&signing.json);
    } else {
        sign(&signing, &all, NULL);
    }
    if (!signing.inputs && signing.status == EXIT_CLEAN)
        warn("the program has no symbolic input: this is what its one run computes");
    print_answer(&signing);
    vec_free(&all.names);
    vec_free(&signing.names);
    str_free(&signing.text);
    str_free(&signing.json.text);
    vec_free(&environment.files);
    exploring_free(&signing.options);
    ir_program_free(program);
    arena_free(signing.arena);
    return signing.status;
}

const Command command_signature = {
    .name = "signature",
    .group = "Find out what code does",
    .synopsis = "PROGRAM... [OPTIONS] [-- ARGUMENTS]",
    .summary = "print what a program computes, and under which condition",
    .description =
        "Prints a table of what the program computes: under which condition on the inputs the output\n"
        "is which expression over them. No two rows hold for the same input. If the answer is\n"
        "'complete', every input that does not fail has a row: a solver has looked for others.\n\n"
        "The output is what the program passes to sheaf_output; else, with --entry F, what F returns\n"
        "and what it writes into memory of its caller; else what the program prints, and its exit\n"
        "status. --criterion chooses something else.\n\n"
        "Failures that were found on the way are listed below the table. There may be others:\n"
        "--faults all looks for every one. Inputs are named as for 'sheaf test'.",
    .example = "  $ sheaf signature clamp.c\n"
               "  3 behaviours (complete, 3 runs, 0.02 s)\n"
               "    when x + y <= 10                out = 2\n"
               "    when x + y > 10 && x - y > 0    out = x\n"
               "    when x + y > 10 && x - y <= 0   out = y\n",
    .options = signature_tables,
    .settings_size = sizeof(SignatureSettings),
    .run = signature_run,
};
