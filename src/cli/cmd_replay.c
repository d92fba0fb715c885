/* cmd_replay.c - `sheaf replay`: tests on the natively compiled program, under sanitizers, with coverage. */
#include "cli/command.h"
#include "cli/stored_tests.h"
#include "suite/suite.h"

#include <signal.h>
#include <sys/stat.h>

typedef enum ReplayFormat { REPLAY_TEXT, REPLAY_JSON } ReplayFormat;

typedef struct ReplaySettings {
    ProgramSettings program; /* first: program_options write here */
    const char *entry;
    uint64_t checks; /* bits as SUITE_CHECK_: the order of program_check_words */
    double timeout;
    uint64_t max_memory, max_file;
    StrVec files;
    bool coverage, missed, verbose, anyway;
    ReplayFormat format;
} ReplaySettings;

static const char *const format_words[] = {"text", "json", NULL};

static const Option replay_options[] = {
    {OPT_GROUP("Replay")},
    {OPT_STRING(ReplaySettings, entry), "entry", .argument = "FUNCTION",
     .help = "call this function instead of the one a test names"},
    {OPT_FLAG(ReplaySettings, anyway), "anyway",
     .help = "run tests that were made for another program, or before it was changed"},
    {OPT_LIST(ReplaySettings, files), "file", .argument = "NAME[=PATH]",
     .help =
         "let the program see a concrete file; small ones that 'sheaf test' was given are part of the tests"},
    {OPT_SET(ReplaySettings, checks), "check", .help = "look for these faults, too",
     .words = program_check_words},
    {OPT_FLAG(ReplaySettings, coverage), "coverage", .preset = "yes",
     .help = "do not measure which lines and branches the tests run"},
    {OPT_FLAG(ReplaySettings, missed), "missed", .help = "list the lines that no test ran"},
    {OPT_ENUM(ReplaySettings, format), "format", .preset = "text", .words = format_words,
     .help = "format of the result"},
    {OPT_FLAG(ReplaySettings, verbose), "verbose", 'v', .help = "also list tests that pass"},
    {OPT_GROUP("Limits of one test")},
    {OPT_SECONDS(ReplaySettings, timeout), "timeout", .argument = "TIME", .preset = "10s",
     .help = "wall-clock time"},
    {OPT_SIZE(ReplaySettings, max_memory), "max-memory", .argument = "SIZE", .preset = "2G",
     .help = "resident memory"},
    {OPT_SIZE(ReplaySettings, max_file), "max-file", .argument = "SIZE", .preset = "64M",
     .help = "largest file that it may write"},
    {OPT_END},
};
static const Option *const replay_tables[] = {replay_options, program_options, NULL};

typedef struct Replayed {
    const SuiteTest *test;
    SuiteOutcome outcome;
} Replayed;

static volatile bool interrupted;
static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = true;
}

/* ---- what the arguments are ------------------------------------------------------------------ */

static bool is_directory(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* By its name, or as bitcode by its first bytes. */
static bool is_program(const char *path)
{
    static const char *const endings[] = {".c", ".i", ".bc", ".ll", ".ir"};
    char magic[4] = {0};
    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (text_ends_with(path, endings[i]))
            return true;
    FILE *file = is_directory(path) ? NULL : fopen(path, "rb");
    size_t n = file ? fread(magic, 1, sizeof magic, file) : 0;
    if (file)
        fclose(file);
    return n == sizeof magic && !memcmp(magic, "BC\xc0\xde", sizeof magic);
}

static void read_arguments(const OptionArgs *args, OptionArgs *programs, SuiteTestVec *tests)
{
    Str error = {0};
    for (uint32_t i = 0; i < args->plain.n; i++) {
        if (text_ends_with(args->plain.v[i], ".ir"))
            die("%s: Sheaf's own IR cannot be compiled natively; name the C sources", args->plain.v[i]);
        if (is_program(args->plain.v[i]))
            vec_push(&programs->plain, args->plain.v[i]);
        else if (!stored_tests_read(args->plain.v[i], tests, &error))
            die("%s", str_text(&error));
    }
    if (args->rest.n)
        die("arguments of the program ('%s') are part of the tests", args->rest.v[0]);
    if (!tests->n)
        die("no tests given: name .ktest or .json files, or a directory of them");
}

/* ---- printing -------------------------------------------------------------------------------- */

static double percent(uint32_t part, uint32_t whole) { return whole ? 100.0 * part / whole : 100.0; }

static void print_test(const Replayed *r, bool verbose)
{
    const SuiteOutcome *o = &r->outcome;
    const SuiteTest *t = r->test;
    if (!verbose && (o->verdict == SUITE_PASSED || (interrupted && o->verdict == SUITE_NOT_RUN)))
        return;
    printf("%-14s ", suite_verdict_word(o->verdict));
    if (t->ending == SUITE_END_FAULT)
        printf("%s %s  ", t->fault, t->site);
    printf("%s%s%s\n", t->path, o->message[0] ? ": " : "", o->message);
}

static void print_missed(const SuiteFileCoverage *f)
{
    for (uint32_t i = 0; i < f->missed.n;) {
        uint32_t last = i;
        while (last + 1 < f->missed.n && f->missed.v[last + 1] == f->missed.v[last] + 1)
            last++;
        printf(i == last ? "%s%u" : "%s%u-%u", i ? ", " : "    not run: ", f->missed.v[i], f->missed.v[last]);
        i = last + 1;
    }
    if (f->missed.n)
        printf("\n");
}

static void print_coverage(const ReplaySettings *s, const SuiteCoverage *c)
{
    printf("lines %.0f %% (%u of %u), branches %.0f %% (%u of %u)\n", percent(c->lines_covered, c->lines),
           c->lines_covered, c->lines, percent(c->branches_covered, c->branches), c->branches_covered,
           c->branches);
    for (uint32_t i = 0; i < c->files.n; i++) {
        const SuiteFileCoverage *f = &c->files.v[i];
        if (c->files.n > 1 || s->missed)
            printf("  %-30s lines %5.1f %% (%u of %u)  branches %5.1f %% (%u of %u)\n", f->path,
                   percent(f->lines_covered, f->lines), f->lines_covered, f->lines,
                   percent(f->branches_covered, f->branches), f->branches_covered, f->branches);
        if (s->missed)
            print_missed(f);
    }
}

static void print_text(const ReplaySettings *s, const Replayed *all, uint32_t n, const uint32_t *counts,
                       const SuiteCoverage *coverage)
{
    for (uint32_t i = 0; i < n; i++)
        print_test(&all[i], s->verbose);
    printf("%u test%s", n, n == 1 ? "" : "s");
    for (uint32_t i = 0, shown = 0; i < SUITE_VERDICT_COUNT; i++)
        if (counts[i])
            printf("%s%u %s", shown++ ? ", " : ": ", counts[i], suite_verdict_word((SuiteVerdict)i));
    printf(interrupted ? " (interrupted)\n" : "\n");
    if (coverage)
        print_coverage(s, coverage);
}

static void json_coverage(JsonOut *j, const SuiteCoverage *c)
{
    json_object_begin(j, "coverage");
    json_uint(j, "lines", c->lines);
    json_uint(j, "lines_covered", c->lines_covered);
    json_uint(j, "branches", c->branches);
    json_uint(j, "branches_covered", c->branches_covered);
    json_array_begin(j, "files");
    for (uint32_t i = 0; i < c->files.n; i++) {
        const SuiteFileCoverage *f = &c->files.v[i];
        json_object_begin(j, NULL);
        json_string(j, "path", f->path);
        json_uint(j, "lines", f->lines);
        json_uint(j, "lines_covered", f->lines_covered);
        json_uint(j, "branches", f->branches);
        json_uint(j, "branches_covered", f->branches_covered);
        json_array_begin(j, "lines_missed");
        for (uint32_t k = 0; k < f->missed.n; k++)
            json_uint(j, NULL, f->missed.v[k]);
        json_array_end(j);
        json_object_end(j);
    }
    json_array_end(j);
    json_object_end(j);
}

static void print_json(const Replayed *all, uint32_t n, const uint32_t *counts, const SuiteCoverage *coverage)
{
    JsonOut j = {0};
    json_object_begin(&j, NULL);
    json_string(&j, "command", "replay");
    json_object_begin(&j, "verdicts");
    for (uint32_t i = 0; i < SUITE_VERDICT_COUNT; i++)
        json_uint(&j, suite_verdict_word((SuiteVerdict)i), counts[i]);
    json_object_end(&j);
    json_array_begin(&j, "tests");
    for (uint32_t i = 0; i < n; i++) {
        const SuiteOutcome *o = &all[i].outcome;
        json_object_begin(&j, NULL);
        json_string(&j, "test", all[i].test->path);
        json_string(&j, "verdict", suite_verdict_word(o->verdict));
        json_string(&j, "expected",
                    all[i].test->ending == SUITE_END_FAULT ? all[i].test->fault
                                                           : suite_ending_word(all[i].test->ending));
        json_string(&j, "fault", o->fault[0] ? o->fault : NULL);
        json_string(&j, "site", o->site[0] ? o->site : NULL);
        json_string(&j, "message", o->message);
        json_int(&j, "status", o->status);
        json_double(&j, "seconds", o->seconds);
        json_object_end(&j);
    }
    json_array_end(&j);
    if (coverage)
        json_coverage(&j, coverage);
    json_object_end(&j);
    puts(str_text(&j.text));
    str_free(&j.text);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Tests behind an interrupt are counted as not run. */
static void replay_all(SuiteReplay *r, Replayed *all, uint32_t n, uint32_t *counts)
{
    bool warned = false;
    for (uint32_t i = 0; i < n; i++) {
        if (interrupted) {
            all[i].outcome = (SuiteOutcome){.verdict = SUITE_NOT_RUN, .message = "interrupted"};
            counts[SUITE_NOT_RUN]++;
            continue;
        }
        suite_replay_test(r, all[i].test, &all[i].outcome);
        counts[all[i].outcome.verdict]++;
        if (suite_replay_diagnostics(r)[0] && !interrupted) {
            fputs(suite_replay_diagnostics(r), stderr);
            suite_replay_free(r); /* its directory */
            die("the program does not compile natively");
        }
        if (all[i].outcome.verdict != SUITE_NOT_RUN && !suite_replay_isolated(r) && !warned) {
            warn("no namespaces here: the program runs under limits, but with the network and the file "
                 "system that "
                 "you have");
            warned = true;
        }
    }
}

static int status_of(const uint32_t *counts)
{
    if (counts[SUITE_CONFIRMED] || counts[SUITE_NOT_CONFIRMED] || counts[SUITE_DIFFERS])
        return EXIT_FOUND;
    return counts[SUITE_TIMED_OUT] || counts[SUITE_NOT_RUN] ? EXIT_INCOMPLETE : EXIT_CLEAN;
}

static int replay_run(const Command *command, void *settings, const OptionArgs *args)
{
    const ReplaySettings *s = settings;
    (void)command;
    if (s->missed && !s->coverage)
        die("--missed: which lines no test ran is not known with --no-coverage");
    Arena *arena = arena_new();
    OptionArgs programs = {0};
    SuiteTestVec tests = {0};
    read_arguments(args, &programs, &tests);
    if (!programs.plain.n && !s->program.compdb)
        die("no program given: name its C sources or bitcode, or a --compdb");
    char *library = program_own_file("native/replay.c");
    if (!library)
        die("native/replay.c was found neither beside the executable nor in ../share/sheaf: reinstall Sheaf");
    VmEnvironment environment = {0}; /* for its files only */
    for (uint32_t i = 0; i < s->files.n; i++)
        program_add_file(&environment, arena, s->files.v[i]);
    SuiteReplayOptions o = {.program = program_frontend(&s->program, &programs, arena),
                            .library = library,
                            .entry = s->entry,
                            .checks = s->checks,
                            .timeout = s->timeout,
                            .max_memory = s->max_memory,
                            .max_file = s->max_file,
                            .coverage = s->coverage,
                            .files = program_suite_files(&environment, arena),
                            .nfiles = environment.files.n,
                            .interrupt = &interrupted};
    program_check_tests(&o.program, &tests, s->anyway);
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    SuiteReplay *r = suite_replay_new(&o);
    Replayed *all = mem_zalloc(tests.n * sizeof *all);
    uint32_t counts[SUITE_VERDICT_COUNT] = {0};
    SuiteCoverage coverage = {0};
    Str error = {0};
    for (uint32_t i = 0; i < tests.n; i++)
        all[i].test = tests.v[i];
    replay_all(r, all, tests.n, counts);
    bool covered = s->coverage && suite_replay_coverage(r, &coverage, &error);
    suite_replay_free(r); /* first: a closed pipe ends us while we print */
    if (s->format == REPLAY_JSON)
        print_json(all, tests.n, counts, covered ? &coverage : NULL);
    else
        print_text(s, all, tests.n, counts, covered ? &coverage : NULL);
    if (error.n && !interrupted)
        warn("%s", str_text(&error));

    suite_coverage_free(&coverage);
    suite_tests_free(&tests);
    vec_free(&environment.files);
    vec_free(&o.program.inputs);
    vec_free(&o.program.cflags);
    vec_free(&programs.plain);
    str_free(&error);
    mem_free(all);
    mem_free(library);
    arena_free(arena);
    return status_of(counts);
}

const Command command_replay = {
    .name = "replay",
    .group = "Work with tests",
    .synopsis = "PROGRAM... TEST... [OPTIONS]",
    .summary = "run tests on the natively compiled program, with sanitizers and coverage",
    .description =
        "Compiles the program with clang, AddressSanitizer and UndefinedBehaviorSanitizer, and runs\n"
        "every test in a process of its own. A fault is 'confirmed' if the native run shows the same\n"
        "kind of fault at the same line. Other tests must end with the exit status that they name.\n\n"
        "TEST is a .ktest file (KLEE's too), a test in JSON, a directory of them (such as sheaf-out),\n"
        "or raw inputs of a fuzzing corpus.\n\n"
        "Each run has its own directory, and limits of time, memory and file size. Where the kernel\n"
        "has namespaces for ordinary users, it also has no network and finds the file system\n"
        "read-only outside that directory.",
    .example = "  $ sheaf replay parser.c sheaf-out\n",
    .options = replay_tables,
    .settings_size = sizeof(ReplaySettings),
    .run = replay_run,
};
