/* cmd_diff.c - `sheaf diff`: what a change changes, with proof or witness. */
#include "cli/both.h"
#include "cli/progress.h"
#include "cli/stored_tests.h"

#include <errno.h>

typedef struct DiffSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    const char *build;
    StrVec accept, tests;
    unsigned fail_on, pin;
    uint64_t emit;
    bool no_replay;
} DiffSettings;

enum { FORMAT_MARKDOWN = FORMAT_SARIF + 1 };
static const char *const form_words[] = {"text", "json", "sarif", "markdown", NULL};
enum { FAIL_FAULT, FAIL_DIFFERENT, FAIL_OPEN };
static const char *const fail_words[] = {"fault", "different", "open", NULL};
static const char *const emit_words[] = {"c", NULL};
static const char *const pin_words[] = {"old", "new", NULL}; /* by version */

static const Option diff_options[] = {
    {OPT_GROUP("Versions")},
    {OPT_STRING(DiffSettings, build), "build", .argument = "COMMAND",
     .help = "run this first in the copy of each revision, if its build generates files"},
    {OPT_GROUP("Answer")},
    {OPT_ENUM(DiffSettings, fail_on), "fail-on", .preset = "open", .words = fail_words,
     .help = "when to exit with status 1: for new faults, or for any difference; open: also with status 3 "
             "for what is open"},
    {OPT_LIST(DiffSettings, accept), "accept", .argument = "FILE",
     .help = "differences that were approved, one key of --format json on each line; may be repeated"},
    {OPT_LIST(DiffSettings, tests), "tests", .argument = "DIR",
     .help = "existing tests: say which of them run what changed, and write only tests that are missing; may "
             "be repeated"},
    {OPT_SET(DiffSettings, emit), "emit", .words = emit_words,
     .help = "also write the tests as C, one file for each function, which passes on the version that --pin "
             "names and fails on the other"},
    {OPT_ENUM(DiffSettings, pin), "pin", .preset = "new", .words = pin_words,
     .help = "with --emit c: the version whose behaviour the tests expect"},
    {OPT_FLAG(DiffSettings, no_replay), "no-replay",
     .help = "do not run differences natively on both builds"},
    {OPT_STRING(DiffSettings, exploring.directory), "output", 'o', "DIR", "sheaf-out",
     .help = "where tests are written"},
    {OPT_FLAG(DiffSettings, exploring.force), "force", .help = "replace the results in DIR"},
    {OPT_ENUM(DiffSettings, exploring.format), "format", .preset = "text", .words = form_words,
     .help = "format of the answer"},
    {OPT_FLAG(DiffSettings, exploring.quiet), "quiet", 'q', .help = "do not show progress"},
    {OPT_COUNT(DiffSettings, exploring.verbose), "verbose", 'v',
     .help = "also print rows, runs, and all reasons why an answer is open"},
    {OPT_END},
};
static const Option *const diff_tables[] = {diff_options, exploring_options, program_options, NULL};

/* ---- approved differences -------------------------------------------------------------------- */

static void accept_line(Diff *d, const char *line)
{
    for (uint32_t i = 0; i < d->fns.n; i++)
        for (uint32_t k = 0; k < d->fns.v[i].findings.n; k++) {
            Str key = {0};
            report_diff_key(d, &d->fns.v[i], &d->fns.v[i].findings.v[k], &key);
            d->fns.v[i].findings.v[k].accepted |= !strcmp(str_text(&key), line);
            str_free(&key);
        }
}

static void accept_file(Diff *d, const char *path)
{
    Str text = {0};
    if (!file_read(path, 1 << 20, &text))
        die("--accept %s: %s", path, strerror(errno));
    for (char *line = text.v, *end; line && *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end ? (*end = 0, 1) : 0;
        if (*line && *line != '#')
            accept_line(d, line);
    }
    str_free(&text);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void print_answer(const ReportDiff *r, unsigned format)
{
    Str out = {0};
    JsonOut json = {0};
    switch (format) {
    case FORMAT_TEXT: report_diff_text(r, &out); break;
    case FORMAT_MARKDOWN: report_diff_markdown(r, &out); break;
    case FORMAT_SARIF: report_diff_sarif(r, SHEAF_VERSION, &out); break;
    default:
        json_object_begin(&json, NULL);
        report_diff_json(r, &json);
        json_object_end(&json);
        str_printf(&out, "%s\n", str_text(&json.text));
    }
    fputs(str_text(&out), stdout);
    str_free(&out);
    str_free(&json.text);
}

static int status_of(const Diff *d, unsigned fail_on)
{
    DiffVerdict verdict = diff_verdict(d);
    if (fail_on == FAIL_FAULT)
        return diff_count(d, DIFF_NEW_FAULT) ? EXIT_FOUND : EXIT_CLEAN;
    if (verdict == DIFF_DIFFERENT)
        return EXIT_FOUND;
    return verdict == DIFF_OPEN && fail_on == FAIL_OPEN ? EXIT_INCOMPLETE : EXIT_CLEAN;
}

/* The command under way. */
typedef struct Diffing {
    Both both; /* first: both_confirm's context */
    const DiffSettings *settings;
    Arena *arena;
    Obtained obtained;
    IrProgram *program[2];
    Versions *versions;
    OptionArgs arguments; /* of the programs: what stands behind "--" are paths */
    VmEnvironment environment;
    DiffOptions options;
    SuiteTestVec suite; /* of --tests */
    Progress progress;
    Diff *diff;
} Diffing;

static void on_progress(void *context, const DiffFn *f)
{
    Diffing *d = context;
    progress_show(&d->progress, "comparing %s", diff_fn_name(d->diff, f->pair));
}

static void read_suite(const StrVec *paths, SuiteTestVec *out)
{
    Str error = {0};
    for (uint32_t i = 0; i < paths->n; i++)
        if (!stored_tests_read(paths->v[i], out, &error))
            die("%s", str_text(&error));
}

/* ---- the command ----------------------------------------------------------------------------- */

static void write_result(Both *b, const ReportDiff *r)
{
    JsonOut json = {0};
    if (!b->maker[VERSIONS_NEW].results)
        return;
    json_object_begin(&json, NULL);
    report_diff_json(r, &json);
    json_object_end(&json);
    results_finish(b->maker[VERSIONS_NEW].results, &json.text, NULL, true);
    str_free(&json.text);
}

static void check_settings(const DiffSettings *s, const OptionArgs *args)
{
    if (s->tests.n && s->no_replay)
        die("--tests runs tests natively on both builds: not with --no-replay");
    if (s->emit && s->no_replay)
        die("--emit c writes what tests show natively: not with --no-replay");
    if (options_given(args, "pin") && !s->emit)
        die("--pin says what the tests of --emit c expect: name that, too");
}

/* Without a word of the user: of bytes, and by types where that leaves an answer open. */
static void set_shapes(const DiffSettings *s, const OptionArgs *args, DiffOptions *options)
{
    enum { BOUND = 3 };
    bool said = options_given(args, "shape");
    exploring_bounds(&s->exploring, BOUND, &options->joint.explore.symbolic.inputs);
    options->by_bytes = !said || s->exploring.shape == VM_SHAPE_BYTES;
    options->by_types = !said || s->exploring.shape == VM_SHAPE_TYPES;
}

/* Obtains, loads and pairs the versions. */
static void open_versions(Diffing *d, const Command *command, const OptionArgs *args)
{
    const DiffSettings *s = d->settings;
    obtain_versions(&s->exploring.program, args, s->build, &d->obtained);
    vec_push(&d->arguments.plain, "program");
    exploring_environment(&s->exploring, &d->arguments, d->arena, &d->environment);
    exploring_prepare(&s->exploring, args, d->arena, &d->options.joint.explore);
    exploring_unused(args, command->name, (const char *const[]){"aliases", "all-aliases", NULL});
    set_shapes(s, args, &d->options);
    for (unsigned v = 0; v < 2; v++)
        d->program[v] = program_load_options(
            &s->exploring.program, v ? &d->obtained.new.program : &d->obtained.old.program, NULL, true);
    versions_outline(d->program[VERSIONS_OLD], d->program[VERSIONS_NEW],
                     joint_checks(d->options.joint.explore.vm.checks));
    d->versions = versions_pair(d->program[VERSIONS_OLD], d->program[VERSIONS_NEW], 0);
    const char *entry = s->exploring.entry, *lacks = entry ? diff_entry_lacks(d->versions, entry) : NULL;
    if (lacks)
        die("%s %s", lacks, entry);
}

/* What native runs of both need. */
static void open_both(Diffing *d, const Command *command, const OptionArgs *args)
{
    const DiffSettings *s = d->settings;
    Both *both = &d->both;
    both_init(both, command->name, &s->exploring, args, d->arena, &d->environment, &d->obtained, d->program);
    both->written = true;
    both->suite = s->tests.n ? &d->suite : NULL;
    both->emit = s->emit;
    both->pinned = s->pin;
    both_name_suite(both, d->versions, &d->suite);
    if (!d->versions->identical && file_exists(s->exploring.directory))
        testcase_results(&both->maker[VERSIONS_NEW]); /* refused now, rather than after the search */
}

static void compare(Diffing *d)
{
    const DiffSettings *s = d->settings;
    DiffOptions *o = &d->options;
    o->entry = s->exploring.entry;
    o->joint.environment = &d->environment;
    o->max_time = s->exploring.max_time;
    o->confirm = s->no_replay ? NULL : both_confirm;
    o->unended = s->no_replay ? NULL : both_unended;
    o->on_alike = both_alike;
    o->context = d;
    o->on_progress = progress_is_seen() && !s->exploring.quiet ? on_progress : NULL;
    d->diff = diff_new(d->versions, o);
    diff_all(d->diff);
    progress_clear(&d->progress);
    for (uint32_t i = 0; i < s->accept.n; i++)
        accept_file(d->diff, s->accept.v[i]);
}

/* Writes and prints the answer. */
static void give_answer(Diffing *d)
{
    const DiffSettings *s = d->settings;
    ReportDiff report = {.diff = d->diff,
                         .name = {d->obtained.old.name, d->obtained.new.name},
                         .verbose = s->exploring.verbose,
                         .suite = s->tests.n > 0,
                         .emits = s->emit,
                         .pinned = d->both.pinned};
    if (d->both.suite)
        both_try_suite(&d->both, d->versions, &report.tests);
    both_emit(&d->both, &report.emitted);
    for (uint32_t i = 0; i < d->obtained.notes.n; i++)
        vec_push(&report.notes, d->obtained.notes.v[i].text);
    write_result(&d->both, &report);
    print_answer(&report, s->exploring.format);
    vec_free(&report.notes);
    vec_free(&report.tests);
    vec_free(&report.emitted);
}

static void close_all(Diffing *d)
{
    suite_tests_free(&d->suite);
    diff_free(d->diff);
    both_free(&d->both);
    versions_free(d->versions);
    for (unsigned v = 0; v < 2; v++)
        ir_program_free(d->program[v]);
    vec_free(&d->environment.files);
    vec_free(&d->arguments.plain);
    exploring_free(&d->options.joint.explore);
    obtain_free(&d->obtained);
    arena_free(d->arena);
}

static int diff_run(const Command *command, void *settings, const OptionArgs *args)
{
    Diffing d = {.settings = settings, .arena = arena_new()};
    check_settings(d.settings, args);
    read_suite(&d.settings->tests, &d.suite);
    open_versions(&d, command, args);
    open_both(&d, command, args);
    compare(&d);
    give_answer(&d);
    int status = status_of(d.diff, d.settings->fail_on);
    close_all(&d);
    return status;
}

const Command command_diff = {
    .name = "diff",
    .group = "Compare two versions",
    .synopsis = "[OLD NEW | A..B | REVISION] [OPTIONS] [-- PATHS]",
    .summary = "say what a change changes: proved the same, or an input that differs",
    .description =
        "Compares two versions of a program by what they do, not by their text. OLD and NEW are C\n"
        "files, directories or git revisions; without them HEAD is compared with the work tree.\n\n"
        "Each changed function is called in both versions with the same symbolic arguments, callees\n"
        "before callers. Either all that it returns, writes and prints is proved the same, or Sheaf\n"
        "finds an input for which it differs and runs that input natively on both builds. Callers of\n"
        "a function that differs are compared next, up to main, where the difference shows or\n"
        "disappears. --entry F compares only F, --entry main the whole program.\n\n"
        "New faults come first. 'Same' assumes that both versions end. It is said of all calls, or,\n"
        "where that is open, of calls with arguments after their C types, which are then named ('same\n"
        "for: s string <= 3; all separate'); --shape bytes leaves these open, --shape types asks for\n"
        "nothing else.\n\n"
        "Exit status: 0 same, 1 different, 3 open, 2 unusable; --fail-on says what counts.",
    .example = "  $ sheaf diff HEAD~1 HEAD\n"
               "  $ sheaf diff old.c new.c --entry parse\n",
    .options = diff_tables,
    .settings_size = sizeof(DiffSettings),
    .run = diff_run,
};
