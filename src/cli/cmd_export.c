/* cmd_export.c - `sheaf export`: tests of a store as files of one form. */
#include "cli/command.h"
#include "cli/covering.h"
#include "cli/stored_tests.h"

#include <dirent.h>
#include <errno.h>

typedef struct ExportSettings {
    unsigned form, tests;
    const char *to;
    bool force;
} ExportSettings;

enum { EXPORT_COVERING, EXPORT_ALL, EXPORT_FAULTS };
static const char *const tests_words[] = {"covering", "all", "faults", NULL};

static const Option export_options[] = {
    {OPT_GROUP("Export")},
    {OPT_ENUM(ExportSettings, form), "format", .preset = "ktest", .words = suite_form_words,
     .help = "KLEE's format, Sheaf's JSON, Test-Comp's XML, one C file, or the bytes of standard input (of a "
             "fuzz target's data) for a fuzzer"},
    {OPT_ENUM(ExportSettings, tests), "tests", .preset = "covering", .words = tests_words,
     .help =
         "which: those that 'sheaf test' makes files of by default, all in the store, or those that fail"},
    {OPT_STRING(ExportSettings, to), "output", 'o', "OUT",
     .help = "the directory that is written; without it DIR/FORMAT"},
    {OPT_FLAG(ExportSettings, force), "force", .help = "write into OUT though there are files in it"},
    {OPT_END},
};
static const Option *const export_tables[] = {export_options, NULL};

/* ---- which tests ----------------------------------------------------------------------------- */

static void take(void *context, StoreTest *t)
{
    SuiteTestVec *out = context;
    vec_push(out, t->test);
    t->test = NULL;
}

/* Of a directory without a store, the files in it. */
static void read_tests(const ExportSettings *s, const char *directory, SuiteTestVec *out)
{
    Str error = {0};
    if (s->tests != EXPORT_ALL || !store_exists(directory)) {
        if (!stored_tests_read(directory, out, &error))
            die("%s", str_text(&error));
    } else {
        Store *store = stored_tests_open(directory, &error);
        if (!store || !store_tests(store, STORE_PATH, take, out))
            die("%s", store ? store_failure(store) : str_text(&error));
        store_close(store);
    }
    str_free(&error);
}

static void keep_failing(SuiteTestVec *tests)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tests->n; i++)
        if (tests->v[i]->ending == SUITE_END_FAULT)
            tests->v[kept++] = tests->v[i];
        else
            suite_test_free(tests->v[i]);
    tests->n = kept;
}

/* Tests from files are numbered by their names. */
static uint32_t number_of(const SuiteTest *t)
{
    const char *name = strrchr(t->path, '/');
    name = name ? name + 1 : t->path;
    u128 number;
    char digits[12] = {0};
    snprintf(digits, sizeof digits, "%.*s", (int)strspn(name, "0123456789"), name);
    return digits[0] && text_parse_u128(digits, 10, &number) && number < UINT32_MAX ? (uint32_t)number : 0;
}

/* The others are numbered behind the last. */
static void number_tests(SuiteTestVec *tests)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < tests->n; i++) {
        SuiteTest *t = tests->v[i];
        t->number = t->number ? t->number : number_of(t);
        last = t->number > last ? t->number : last;
    }
    for (uint32_t i = 0; i < tests->n; i++)
        if (!tests->v[i]->number)
            tests->v[i]->number = ++last;
}

/* ---- where ----------------------------------------------------------------------------------- */

static bool is_empty(const char *directory)
{
    bool empty = true;
    DIR *dir = opendir(directory);
    for (struct dirent *e; dir && (e = readdir(dir));)
        empty &= e->d_name[0] == '.';
    if (dir)
        closedir(dir);
    return empty;
}

static const char *prepare_place(const ExportSettings *s, const char *directory, Arena *arena)
{
    const char *to = s->to ? s->to : arena_printf(arena, "%s/%s", directory, suite_form_words[s->form]);
    if (!to[0])
        die("--output: the name of the directory is empty");
    if (!is_empty(to) && !s->force)
        die("%s: there are files in it: name another directory with -o, or write into it with --force", to);
    if (!directory_make(to))
        die("%s: %s", to, strerror(errno));
    return to;
}

static int export_run(const Command *command, void *settings, const OptionArgs *args)
{
    const ExportSettings *s = settings;
    SuiteTestVec tests = {0};
    Str error = {0}, library = {0};
    (void)command;
    if (args->plain.n != 1)
        die("export: name one directory of results, as 'sheaf test' writes it");
    Arena *arena = arena_new();
    const char *directory = args->plain.v[0];
    read_tests(s, directory, &tests);
    if (s->tests == EXPORT_FAULTS)
        keep_failing(&tests);
    if (!tests.n)
        die("%s: no such tests in it", directory);
    number_tests(&tests);
    SuiteProgram program = {.inputs = tests.v[0]->inputs,
                            .flags = tests.v[0]->flags,
                            .entry = tests.v[0]->entry,
                            .producer = "sheaf " SHEAF_VERSION};
    if (s->form == SUITE_AS_C && strcmp(program.entry, "main") &&
        strcmp(program.entry, "LLVMFuzzerTestOneInput"))
        die("--format c: tests of a function need its program: 'sheaf test --entry %s --emit c' writes them",
            program.entry);
    char *path = program_own_file("native/replay.c");
    if (path)
        file_read(path, 1 << 20, &library);
    const char *to = prepare_place(s, directory, arena);
    if (!suite_export(&program, &tests, (SuiteForm)s->form, to, str_text(&library), &error))
        die("%s", str_text(&error));
    printf("%u test%s in %s\n", tests.n, tests.n == 1 ? "" : "s", to);
    mem_free(path);
    str_free(&library);
    suite_tests_free(&tests);
    arena_free(arena);
    return EXIT_CLEAN;
}

const Command command_export = {
    .name = "export",
    .synopsis = "DIR [--format FORMAT] [--tests WHICH] [-o OUT]",
    .summary = "write the tests of a run as files for other tools",
    .description =
        "Writes tests that 'sheaf test' found, and that are in DIR/store.db, as files of one form. A\n"
        "store has the test of each path that was run, up to --max-store, and of those that other\n"
        "machines ran (--store) the ones that cover something new. By default those are written that\n"
        "together cover what all of them cover.",
    .example = "  $ sheaf export sheaf-out --format corpus --tests all -o seeds\n",
    .options = export_tables,
    .settings_size = sizeof(ExportSettings),
    .run = export_run,
};
