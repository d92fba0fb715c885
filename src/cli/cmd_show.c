/* cmd_show.c - `sheaf show`: a test, or another result of Sheaf's, as people read it. */
#include "cli/command.h"
#include "cli/stored_tests.h"
#include "suite/suite.h"

#include <errno.h>
#include <sys/stat.h>

typedef enum ShowFormat { SHOW_TEXT, SHOW_JSON } ShowFormat;

typedef struct ShowSettings {
    ShowFormat format;
    bool all;
} ShowSettings;

enum { SHOWN_MEMBERS = 20, SHOWN_TEXT = 400 };

static const char *const format_words[] = {"text", "json", NULL};

static const Option show_options[] = {
    {OPT_GROUP("Output")},
    {OPT_ENUM(ShowSettings, format), "format", .preset = "text", .words = format_words,
     .help = "format of the output"},
    {OPT_FLAG(ShowSettings, all), "all", .help = "print long lists in full"},
    {OPT_END},
};
static const Option *const show_tables[] = {show_options, NULL};

/* ---- results in general: members indented, long lists cut ------------------------------------ */

static bool is_leaf(const Json *v) { return v->kind != JSON_ARRAY && v->kind != JSON_OBJECT; }

static void print_leaf(const Json *v, Str *out)
{
    switch (v->kind) {
    case JSON_BOOL: str_add(out, v->boolean ? "yes" : "no"); break;
    case JSON_NUMBER: str_add(out, v->string); break;
    case JSON_STRING:
        for (size_t i = 0; i < v->string_size && i < SHOWN_TEXT; i++)
            str_add_char(out, (unsigned char)v->string[i] < 0x20 ? ' ' : v->string[i]);
        str_add(out, v->string_size > SHOWN_TEXT ? "..." : "");
        break;
    default: str_add(out, "-"); break;
    }
}

static bool all_leaves(const Json *v)
{
    for (const Json *m = v->first; m; m = m->next)
        if (!is_leaf(m))
            return false;
    return v->count <= SHOWN_MEMBERS;
}

/* A short list on one line; else one member a line, the rest below it. Nesting is bounded by the reader. */
static void print_members(const ShowSettings *s, const Json *v, uint32_t depth, Str *out)
{
    uint32_t shown = 0;
    for (const Json *m = v->first; m; m = m->next) {
        str_printf(out, "%*s", (int)(2 * depth), "");
        if (v->kind == JSON_ARRAY && shown++ >= SHOWN_MEMBERS && !s->all) {
            str_printf(out, "... %u more (--all)\n", v->count - SHOWN_MEMBERS);
            return;
        }
        str_add(out, v->kind == JSON_ARRAY ? "-" : m->key);
        if (is_leaf(m)) {
            str_add_char(out, ' ');
            print_leaf(m, out);
            str_add_char(out, '\n');
        } else if (m->kind == JSON_ARRAY && all_leaves(m)) {
            for (const Json *e = m->first; e; e = e->next) {
                str_add(out, e == m->first ? " " : ", ");
                print_leaf(e, out);
            }
            str_add(out, m->count ? "\n" : " none\n");
        } else {
            str_add_char(out, '\n');
            print_members(s, m, depth + 1, out);
        }
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* True if the file is JSON but no test; then it was printed. */
static bool show_result(const ShowSettings *s, const char *path, Str *out)
{
    Str data = {0};
    Arena *arena = arena_new();
    const char *why;
    if (!file_read(path, SUITE_FILE_LIMIT, &data))
        die("%s: %s", path, strerror(errno));
    const Json *root = json_parse(arena, str_text(&data), data.n, &why);
    if (!root)
        die("%s: %s", path, why);
    bool other = !suite_json_is(root);
    if (other && s->format == SHOW_JSON)
        str_add_n(out, str_text(&data), data.n);
    else if (other && is_leaf(root))
        print_leaf(root, out);
    else if (other && !root->count)
        str_add(out, "empty\n");
    else if (other)
        print_members(s, root, 0, out);
    arena_free(arena);
    str_free(&data);
    return other;
}

static void show_test(const ShowSettings *s, const SuiteTest *t, bool headed, Str *out)
{
    Str json = {0};
    if (s->format == SHOW_JSON) {
        suite_json_write(t, &json);
        str_add_n(out, json.v, json.n);
    } else {
        if (headed)
            str_printf(out, "%s\n", t->path);
        suite_test_print(t, out);
    }
    str_free(&json);
}

static void show_tests(const ShowSettings *s, const char *path, bool headed, Str *out)
{
    SuiteTestVec tests = {0};
    Str error = {0};
    struct stat st;
    bool directory = !stat(path, &st) && S_ISDIR(st.st_mode);
    if (!directory && !text_ends_with(path, ".ktest") && !text_ends_with(path, ".json") &&
        !stored_tests_is_name(path))
        die("%s: neither a .ktest, nor JSON, nor a directory of tests", path);
    if (!stored_tests_read(path, &tests, &error))
        die("%s", str_text(&error));
    if (!tests.n)
        die("%s: no tests in it", path);
    for (uint32_t i = 0; i < tests.n; i++) {
        if (i && s->format == SHOW_TEXT)
            str_add_char(out, '\n');
        show_test(s, tests.v[i], headed || directory, out);
    }
    suite_tests_free(&tests);
}

static int show_run(const Command *command, void *settings, const OptionArgs *args)
{
    const ShowSettings *s = settings;
    (void)command;
    Str out = {0};
    if (!args->plain.n)
        die("no file given: name a test (.ktest or .json), a directory of tests, or a result.json");
    for (uint32_t i = 0; i < args->plain.n; i++) {
        const char *path = args->plain.v[i];
        if (i && s->format == SHOW_TEXT)
            str_add_char(&out, '\n');
        if (!text_ends_with(path, ".json") || !show_result(s, path, &out))
            show_tests(s, path, args->plain.n > 1, &out);
    }
    fputs(str_text(&out), stdout);
    if (out.n && vec_last(&out) != '\n')
        putchar('\n');
    str_free(&out);
    return EXIT_CLEAN;
}

const Command command_show = {
    .name = "show",
    .synopsis = "FILE... [--format text|json]",
    .summary = "print a test or a result in readable form",
    .description =
        "Prints a test (.ktest, KLEE's too, or JSON): its arguments, its inputs as numbers, text or\n"
        "hexadecimal, and how the run ended. Other JSON that Sheaf writes is printed as an indented\n"
        "list.\n\n"
        "With --format json a .ktest is printed as a test in Sheaf's JSON.",
    .example = "  $ sheaf show sheaf-out/tests/0001.ktest\n",
    .options = show_tables,
    .settings_size = sizeof(ShowSettings),
    .run = show_run,
};
