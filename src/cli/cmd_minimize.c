/* cmd_minimize.c - `sheaf minimize`: the tests of a suite that differ in behaviour.
 *
 * Each test is run on the machine, with labels. Two tests of one relevant slice condition compute the output
 * alike: one of them is enough. Of tests that fail, those that fail at one place for the same reason are
 * alike. */
#include "cli/exploring.h"
#include "cli/stored_tests.h"
#include "report/report.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct MinimizeSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    StrVec tests;
    const char *to;
    bool no_coverage, anyway;
} MinimizeSettings;

static const Option minimize_options[] = {
    {OPT_GROUP("Tests")},
    {OPT_LIST(MinimizeSettings, tests), "tests", 't', "DIR",
     .help = "the tests: a directory or a file; may be repeated"},
    {OPT_STRING(MinimizeSettings, to), "to", .argument = "DIR", .help = "write the kept tests to DIR"},
    {OPT_FLAG(MinimizeSettings, anyway), "anyway",
     .help = "accept tests that were made for another program, or before it was changed"},
    {OPT_FLAG(MinimizeSettings, no_coverage), "no-coverage", .help = "do not compare native coverage"},
    {OPT_END},
};
static const Option *const minimize_tables[] = {minimize_options, exploring_options, exploring_output_options,
                                                program_options, NULL};

typedef struct Behaviour {
    ExprVec condition; /* sorted */
    VmEnding ending;
    VmFaultKind fault;
    uint32_t site, test; /* where it failed; the first test that showed it */
} Behaviour;

typedef struct Minimizing {
    const MinimizeSettings *settings;
    SuiteTestVec tests;
    Explore *explore;          /* of tests with one size of standard input */
    Vec(Behaviour) behaviours; /* of these */
    U32Vec like;               /* by test: the one that it is like; itself if it is kept */
    BitSet fails;              /* tests whose run fails */
    SuiteCoverage all, kept;   /* natively, if measured */
    bool measured;
    Str why; /* tests that could not be run, line by line */
    uint32_t unusable;
} Minimizing;

/* ---- behaviours ------------------------------------------------------------------------------ */

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const Expr *)a)->id, y = ((const Expr *)b)->id;
    return x < y ? -1 : x > y;
}

static uint32_t behaviour_of(Minimizing *m, const VmTrace *trace, uint32_t test)
{
    Behaviour b = {.ending = trace->result.ending, .fault = trace->result.fault, .test = test};
    bool fails = b.ending != VM_END_RETURN && b.ending != VM_END_EXIT;
    explore_slice(m->explore, trace, &b.condition);
    qsort(b.condition.v, b.condition.n, sizeof *b.condition.v, by_id);
    b.ending = fails ? b.ending : VM_END_RETURN;
    b.site = fails ? trace->result.site : IR_NONE;
    for (uint32_t i = 0; i < m->behaviours.n; i++) {
        const Behaviour *known = &m->behaviours.v[i];
        if (known->ending == b.ending && known->site == b.site && (!fails || known->fault == b.fault) &&
            known->condition.n == b.condition.n &&
            !memcmp(known->condition.v, b.condition.v, b.condition.n * sizeof(Expr))) {
            vec_free(&b.condition);
            return known->test;
        }
    }
    vec_push(&m->behaviours, b);
    return test;
}

/* Tests that may differ are kept. */
static const char *unusable(const VmTrace *trace)
{
    switch (trace->result.ending) {
    case VM_END_ASSUMPTION: return "does not satisfy an assumption of the program";
    case VM_END_LIMIT: return "runs into a limit";
    case VM_END_INTERRUPTED: return "was interrupted";
    case VM_END_UNSUPPORTED:
    case VM_END_EXTERNAL: return trace->result.message;
    default: return NULL;
    }
}

static void look_at(Minimizing *m, uint32_t i)
{
    const char *why;
    VmTrace *trace = explore_retrace(m->explore, m->tests.v[i], &why);
    if (!why)
        why = unusable(trace);
    if (why) {
        str_printf(&m->why, "kept, since it cannot be judged: %s %s\n", m->tests.v[i]->path, why);
        m->unusable++;
    } else {
        m->like.v[i] = behaviour_of(m, trace, i);
        if (trace->result.ending == VM_END_FAULT)
            bitset_add(&m->fails, i);
    }
    vm_trace_free(explore_vm(m->explore), trace);
}

/* A program can tell how long its standard input is, so tests whose inputs have different sizes are
 * different. */
static void look_at_size(Minimizing *m, const IrProgram *program, const VmEnvironment *environment,
                         const ExploreOptions *base, uint32_t size)
{
    ExploreOptions options = *base;
    options.symbolic.inputs.stdin_optional = 0;
    if (size) {
        options.symbolic.inputs.stdin_symbolic = true;
        options.symbolic.inputs.stdin_size = size;
    }
    m->explore = explore_new(program, environment, &options);
    for (uint32_t i = 0; i < m->tests.n; i++)
        if (explore_retrace_stdin(m->tests.v[i], program) == size)
            look_at(m, i);
    for (uint32_t i = 0; i < m->behaviours.n; i++)
        vec_free(&m->behaviours.v[i].condition);
    vec_clear(&m->behaviours);
    explore_free(m->explore);
}

static void look_at_all(Minimizing *m, const IrProgram *program, const VmEnvironment *environment,
                        const ExploreOptions *options)
{
    BitSet done = {0};
    for (uint32_t i = 0; i < m->tests.n; i++)
        vec_push(&m->like, i);
    for (uint32_t i = 0; i < m->tests.n; i++) {
        uint32_t size = explore_retrace_stdin(m->tests.v[i], program);
        if (bitset_add(&done, size))
            look_at_size(m, program, environment, options, size);
    }
    bitset_free(&done);
}

/* ---- native coverage ------------------------------------------------------------------------- */

static bool measure(Minimizing *m, const OptionArgs *args, Arena *arena, bool kept_only, SuiteCoverage *out)
{
    SuiteReplayOptions options = {.library = program_own_file("native/replay.c"),
                                  .entry = m->settings->exploring.entry,
                                  .coverage = true,
                                  .program = program_frontend(&m->settings->exploring.program, args, arena),
                                  .interrupt = exploring_interrupt()};
    SuiteReplay *replay = suite_replay_new(&options);
    Str error = {0};
    for (uint32_t i = 0; i < m->tests.n; i++) {
        SuiteOutcome outcome;
        if (!kept_only || m->like.v[i] == i)
            suite_replay_test(replay, m->tests.v[i], &outcome);
    }
    bool ok = suite_replay_coverage(replay, out, &error);
    if (!ok)
        warn("%s", str_text(&error));
    suite_replay_free(replay);
    vec_free(&options.program.inputs);
    vec_free(&options.program.cflags);
    mem_free(options.library);
    str_free(&error);
    return ok;
}

/* Natively: all tests, and those kept. */
static void compare_coverage(Minimizing *m, const OptionArgs *args, Arena *arena)
{
    m->measured = measure(m, args, arena, false, &m->all) && measure(m, args, arena, true, &m->kept);
}

static void print_coverage(const Minimizing *m, Str *out)
{
    const SuiteCoverage *all = &m->all, *kept = &m->kept;
    bool lines = kept->lines_covered < all->lines_covered,
         branches = kept->branches_covered < all->branches_covered;
    if (!lines && !branches) {
        str_printf(out, "native coverage stays: %u of %u lines, %u of %u branches\n", all->lines_covered,
                   all->lines, all->branches_covered, all->branches);
        return;
    }
    str_add(out, "native coverage falls");
    if (lines)
        str_printf(out, " from %u to %u of %u lines", all->lines_covered, kept->lines_covered, all->lines);
    if (branches)
        str_printf(out, "%s from %u to %u of %u branches", lines ? " and" : "", all->branches_covered,
                   kept->branches_covered, all->branches);
    str_printf(out, ": tests with the same output %s\n",
               lines ? "ran other lines" : "took other branches on the same lines");
}

/* ---- the answer ------------------------------------------------------------------------------ */

static uint32_t kept_count(const Minimizing *m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->tests.n; i++)
        kept += m->like.v[i] == i;
    return kept;
}

static void coverage_json(const char *key, const SuiteCoverage *c, JsonOut *json)
{
    json_object_begin(json, key);
    json_uint(json, "lines", c->lines);
    json_uint(json, "lines_covered", c->lines_covered);
    json_uint(json, "branches", c->branches);
    json_uint(json, "branches_covered", c->branches_covered);
    json_object_end(json);
}

static void print_text(const Minimizing *m, Str *out)
{
    str_printf(out, "%u of %u tests are enough\n", kept_count(m), m->tests.n);
    for (uint32_t i = 0; i < m->tests.n; i++)
        if (m->like.v[i] == i) {
            str_printf(out, "keep   %s%s\n", m->tests.v[i]->path,
                       bitset_has(&m->fails, i) ? "   (fails)" : "");
            for (uint32_t k = i + 1; k < m->tests.n; k++)
                if (m->like.v[k] == i)
                    str_printf(out, "  like %s\n", m->tests.v[k]->path);
        }
    str_add(out, str_text(&m->why));
    if (m->measured)
        print_coverage(m, out);
}

static void print_json(const Minimizing *m)
{
    JsonOut json = {0};
    json_object_begin(&json, NULL);
    json_string(&json, "command", "minimize");
    json_array_begin(&json, "tests");
    for (uint32_t i = 0; i < m->tests.n; i++) {
        json_object_begin(&json, NULL);
        json_string(&json, "test", m->tests.v[i]->path);
        json_bool(&json, "keep", m->like.v[i] == i);
        if (m->like.v[i] != i)
            json_string(&json, "like", m->tests.v[m->like.v[i]]->path);
        json_bool(&json, "fails", bitset_has(&m->fails, i));
        json_object_end(&json);
    }
    json_array_end(&json);
    json_uint(&json, "kept", kept_count(m));
    json_uint(&json, "not_judged", m->unusable);
    if (m->measured) {
        coverage_json("coverage_all", &m->all, &json);
        coverage_json("coverage_kept", &m->kept, &json);
    }
    json_object_end(&json);
    puts(str_text(&json.text));
    str_free(&json.text);
}

/* A corpus stays one: files as the fuzzer reads them, under the names that they had. */
static bool is_corpus(const Minimizing *m)
{
    for (uint32_t i = 0; i < m->tests.n; i++) {
        const SuiteTest *t = m->tests.v[i];
        if (t->objects.n != 1 || t->objects.v[0].origin != SUITE_FROM_FUZZ ||
            text_ends_with(t->path, ".ktest") || text_ends_with(t->path, ".json"))
            return false;
    }
    return true;
}

static void write_corpus(const Minimizing *m)
{
    const char *dir = m->settings->to;
    if (mkdir(dir, 0777) < 0 && (errno != EEXIST || !m->settings->exploring.force))
        die("--to %s: %s%s", dir, strerror(errno), errno == EEXIST ? " (--force writes into it)" : "");
    for (uint32_t i = 0; i < m->tests.n; i++) {
        const SuiteTest *t = m->tests.v[i];
        const char *slash = strrchr(t->path, '/');
        Str path = {0};
        if (m->like.v[i] != i)
            continue;
        str_printf(&path, "%s/%s", dir, slash ? slash + 1 : t->path);
        if (!file_write_atomic(str_text(&path), t->objects.v[0].data, t->objects.v[0].size))
            die("%s: %s", str_text(&path), strerror(errno));
        str_free(&path);
    }
}

static void write_kept(const Minimizing *m, const OptionArgs *args)
{
    if (is_corpus(m)) {
        write_corpus(m);
        return;
    }
    Str error = {0};
    SuiteProgram program = {.inputs = args->plain,
                            .flags = m->settings->exploring.program.cflags,
                            .producer = "sheaf " SHEAF_VERSION,
                            .entry = m->settings->exploring.entry ? m->settings->exploring.entry : "main"};
    SuiteDir *dir = suite_dir_open(m->settings->to, &program, 0, m->settings->exploring.force, NULL, &error);
    for (uint32_t i = 0; dir && i < m->tests.n; i++)
        if (m->like.v[i] == i && !suite_dir_add(dir, m->tests.v[i], &error))
            die("%s", str_text(&error));
    if (!dir || !suite_dir_finish(dir, NULL, NULL, NULL, &error))
        die("%s", str_text(&error));
    suite_dir_free(dir);
    str_free(&error);
}

/* Tests are run one after the other, on the inputs that they hold: nothing is explored, and there are no
 * solver calls. */
static const char *const unused[] = {"search",         "seed",     "solver",   "log-queries",
                                     "no-snapshots",   "max-time", "max-runs", "max-depth",
                                     "solver-timeout", "output",   "verbose",  NULL};

static bool is_directory(const struct stat *directory, const char *path)
{
    struct stat other;
    return !stat(path, &other) && other.st_dev == directory->st_dev && other.st_ino == directory->st_ino;
}

/* No --force is meant for the tests that are looked at: those that are not kept would be gone. */
static void check_place(const Minimizing *m, Arena *arena)
{
    const char *to = m->settings->to;
    const char *inside = to ? arena_printf(arena, "%s/tests", to) : NULL;
    for (uint32_t i = 0; to && i < m->tests.n; i++) {
        struct stat directory;
        char *path = arena_strdup(arena, m->tests.v[i]->path);
        if (!stat(dirname(path), &directory) &&
            (is_directory(&directory, to) || is_directory(&directory, inside)))
            die("--to %s: the tests to look at are there, and are not written over", to);
    }
}

static void read_tests(Minimizing *m)
{
    const StrVec *named = &m->settings->tests;
    Str error = {0};
    for (uint32_t i = 0; i < named->n; i++)
        if (!stored_tests_read(named->v[i], &m->tests, &error))
            die("%s", str_text(&error));
    if (!m->tests.n && named->n)
        die("--tests %s: there are no tests there", named->v[0]);
    if (!m->tests.n)
        die("no tests given: --tests names a directory or a file of them");
    str_free(&error);
}

static void check_program(const Minimizing *m, const OptionArgs *args, Arena *arena)
{
    FrontendOptions program = program_frontend(&m->settings->exploring.program, args, arena);
    program_check_tests(&program, &m->tests, m->settings->anyway);
    vec_free(&program.inputs);
    vec_free(&program.cflags);
}

static int minimize_run(const Command *command, void *settings, const OptionArgs *args)
{
    const MinimizeSettings *s = settings;
    Minimizing m = {.settings = s};
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    Str text = {0};
    if (s->exploring.format == FORMAT_SARIF)
        die("--format sarif: what is kept has no such form; use json");
    exploring_unused(args, command->name, unused);
    read_tests(&m);
    if (s->exploring.force && !s->to)
        warn("--force is for --to DIR");
    check_place(&m, arena);
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    exploring_bounds(&s->exploring, EXPLORING_BOUND_MOST, &options.symbolic.inputs);
    IrProgram *program =
        program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    exploring_check(&s->exploring, program);
    check_program(&m, args, arena);
    explore_retrace_inputs(&m.tests, program, &options.symbolic.inputs);
    options.explorer = "output";
    options.symbolic.snapshot_bytes = 0;
    look_at_all(&m, program, &environment, &options);
    if (!s->no_coverage)
        compare_coverage(&m, args, arena);
    print_text(&m, &text);
    if (s->to)
        write_kept(&m, args); /* last: tests have other paths from then on */
    if (s->exploring.format == FORMAT_TEXT)
        fputs(str_text(&text), stdout);
    else
        print_json(&m);
    vec_free(&m.behaviours);
    vec_free(&m.like);
    bitset_free(&m.fails);
    suite_coverage_free(&m.all);
    suite_coverage_free(&m.kept);
    str_free(&m.why);
    str_free(&text);
    suite_tests_free(&m.tests);
    vec_free(&environment.files);
    exploring_free(&options);
    ir_program_free(program);
    arena_free(arena);
    return m.unusable ? EXIT_INCOMPLETE : EXIT_CLEAN;
}

const Command command_minimize = {
    .name = "minimize",
    .synopsis = "PROGRAM... --tests DIR [OPTIONS] [-- ARGUMENTS]",
    .summary = "keep the tests of a suite that differ in behaviour",
    .description =
        "Runs each test of a suite and keeps one for each relevant slice condition: the conditions on\n"
        "the input on which the output depends. Tests with the same condition compute the same output\n"
        "in the same way. They may still run different lines, so the native coverage of the kept\n"
        "tests is compared with that of all tests.\n\n"
        "The suite holds Sheaf's or KLEE's .ktest files, tests in JSON, or raw inputs as libFuzzer\n"
        "keeps them.",
    .example = "  $ sheaf minimize parser.c --tests sheaf-out --to kept\n",
    .options = minimize_tables,
    .settings_size = sizeof(MinimizeSettings),
    .run = minimize_run,
};
