/* test_cli_options.c - the option tables of the command line: parsing, errors, help, manual page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"

typedef enum Explore { EXPLORE_FULL, EXPLORE_OUTPUT, EXPLORE_DEPENDENCE } Explore;

typedef struct Settings {
    bool quiet, color;
    unsigned verbose;
    int64_t offset;
    uint64_t max_runs, max_memory, checks;
    double max_time;
    const char *output, *globals;
    StrVec files, flags;
    Explore explore;
    uint64_t sym_args[3];
    unsigned shown;
} Settings;

static bool sym_args_take(const Option *o, void *settings, const char *const *values, Str *error)
{
    Settings *s = settings;
    for (unsigned i = 0; i < 3; i++) {
        u128 value;
        if (!text_parse_u128(values[i], 10, &value)) {
            str_printf(error, "--%s: '%s' is not a number", o->name, values[i]);
            return false;
        }
        s->sym_args[i] = (uint64_t)value;
    }
    return true;
}

static bool show_take(const Option *o, void *settings, const char *const *values, Str *error)
{
    (void)o, (void)error, (void)values;
    return ++((Settings *)settings)->shown < 3;
}

static const char *const explore_words[] = {"full", "output", "dependence", NULL};
static const char *const check_words[] = {"overflow", "shift", "uninit", "leak", NULL};

static const Option general[] = {
    {OPT_GROUP("General")},
    {OPT_FLAG(Settings, quiet), "quiet", 'q', .help = "print only the result"},
    {OPT_COUNT(Settings, verbose), "verbose", 'v', .help = "say more; twice for more still"},
    {OPT_FLAG(Settings, color), "color", .preset = "yes", .help = "no colours"},
    {OPT_STRING(Settings, output), "output", 'o', "DIR", "sheaf-out", "where results are written"},
    {OPT_CALL(show_take, 0), "show", 's', .help = "show what is there"},
    {OPT_END},
};
static const Option limits[] = {
    {OPT_GROUP("Limits and inputs")},
    {OPT_INT(Settings, offset), "offset", .argument = "N", .help = "where to begin"},
    {OPT_UINT(Settings, max_runs), "max-runs", 'r', "N", NULL, "stop after N runs"},
    {OPT_SIZE(Settings, max_memory), "max-memory", .argument = "SIZE", .preset = "2G",
     .help = "stop at SIZE"},
    {OPT_SECONDS(Settings, max_time), "max-time", 't', "TIME", "1h", "stop after TIME"},
    {OPT_LIST(Settings, files), "file", .argument = "NAME", .help = "a file that the program may read"},
    {OPT_ENUM(Settings, explore), "explore", .preset = "dependence", .help = "which decisions matter",
     .words = explore_words},
    {OPT_SET(Settings, checks), "check", .argument = "KINDS",
     .help = "faults that are looked for beside the usual "
             "ones, each of which costs time",
     .words = check_words},
    {OPT_CALL(sym_args_take, 3), "sym-args", .argument = "MIN MAX LEN", .help = "symbolic arguments"},
    {OPT_STRING(Settings, globals), "symbolic-globals", .argument = "NAMES", .help = "free them",
     .optional = true},
    {OPT_COMPILER(Settings, flags)},
    {OPT_END},
};
static const Option *const tables[] = {general, limits, NULL};
static const Option *const general_only[] = {general, NULL};

/* ---- parsing --------------------------------------------------------------------------------- */

typedef struct Parsed {
    Settings s;
    OptionArgs args;
    Str error;
    bool ok;
    char *words[64];
    int n;
} Parsed;

/* Of words with blanks between them; "''" is an empty one. */
static void parse_with(Parsed *p, const Option *const *with, const char *line)
{
    *p = (Parsed){0};
    char *copy = mem_strdup(line), *save;
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        p->words[p->n++] = mem_strdup(strcmp(word, "''") ? word : "");
    mem_free(copy);
    options_preset(with, &p->s);
    p->ok = options_parse(with, &p->s, p->n, p->words, &p->args, &p->error);
    assert_int_equal(p->ok, !p->error.n);
}

static void parse(Parsed *p, const char *line)
{
    parse_with(p, tables, line);
    if (!p->ok)
        fail_msg("%s: %s", line, str_text(&p->error));
}

static void done(Parsed *p)
{
    options_free(tables, &p->s);
    options_args_free(&p->args);
    str_free(&p->error);
    while (p->n)
        mem_free(p->words[--p->n]);
}

static void assert_words(const StrVec *have, const char *wanted)
{
    Str text = {0};
    for (uint32_t i = 0; i < have->n; i++)
        str_printf(&text, "%s%s", i ? " " : "", have->v[i]);
    assert_string_equal(str_text(&text), wanted);
    str_free(&text);
}

static void presets(void **state)
{
    (void)state;
    Parsed p;
    parse(&p, "");
    assert_false(p.s.quiet);
    assert_true(p.s.color);
    assert_string_equal(p.s.output, "sheaf-out");
    assert_int_equal(p.s.max_memory, UINT64_C(2) << 30);
    assert_true(p.s.max_time == 3600);
    assert_int_equal(p.s.explore, EXPLORE_DEPENDENCE);
    assert_int_equal(p.s.max_runs, 0);
    assert_null(p.s.globals);
    assert_false(p.args.ended);
    assert_int_equal(p.args.given.n, 0); /* a preset was not given by the user */
    done(&p);
    parse(&p, "-r7 --no-color a.c --output=dir -- -q");
    assert_words(&p.args.given, "max-runs color output");
    done(&p);
}

static void forms_of_options(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "a.c --max-runs=7 --output dir --quiet -v b.c --explore=full -v",
        "-r7 -odir a.c -qvv b.c --explore full",
        "-r 7 -o dir -vqv --explore=output --explore full a.c b.c --",
        "-r 99 -vqvodir a.c b.c -r 0x7 --no-quiet -q --explore full",
        "-vvv --no-verbose -vv -q -r 7 -o x -o dir a.c --explore full -- b.c",
    };
    for (unsigned i = 0; i < COUNT_OF(lines); i++) {
        Parsed p;
        parse(&p, lines[i]);
        assert_int_equal(p.s.max_runs, 7);
        assert_string_equal(p.s.output, "dir");
        assert_true(p.s.quiet);
        assert_int_equal(p.s.verbose, 2);
        assert_int_equal(p.s.explore, EXPLORE_FULL);
        for (uint32_t k = 0; k < p.args.rest.n; k++)
            vec_push(&p.args.plain, p.args.rest.v[k]);
        assert_words(&p.args.plain, "a.c b.c");
        done(&p);
    }
}

static void plain_arguments(void **state)
{
    (void)state;
    Parsed p;
    parse(&p, "a - '' -q -- -q -- --no");
    assert_words(&p.args.plain, "a - ");
    assert_int_equal(p.args.plain.n, 3);
    assert_words(&p.args.rest, "-q -- --no");
    assert_true(p.args.ended);
    assert_true(p.s.quiet);
    done(&p);
    parse(&p,
          "--output=-- x --file --other --file -x"); /* a value, whatever it looks like, that is no option */
    assert_string_equal(p.s.output, "--");
    assert_false(p.args.ended);
    assert_words(&p.s.files, "--other -x");
    done(&p);
    parse(&p, "--output= --offset -3");
    assert_string_equal(p.s.output, "");
    assert_int_equal(p.s.offset, -3);
    done(&p);
}

static void flags_taken_back(void **state)
{
    (void)state;
    Parsed p;
    parse(&p, "--no-color --quiet --no-quiet");
    assert_false(p.s.color);
    assert_false(p.s.quiet);
    done(&p);
    parse(&p, "--no-color --color");
    assert_true(p.s.color);
    done(&p);
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int64_t offset;
        uint64_t runs, memory;
        double time;
    } cases[] = {
        {"--offset=-9223372036854775808", INT64_MIN, 0, UINT64_C(2) << 30, 3600},
        {"--offset=9223372036854775807", INT64_MAX, 0, UINT64_C(2) << 30, 3600},
        {"--offset=-0x10 --max-time 0", -16, 0, UINT64_C(2) << 30, 0},
        {"--max-runs=18446744073709551615 --max-time .5", 0, UINT64_MAX, UINT64_C(2) << 30, 0.5},
        {"--max-runs=010 --max-memory=4096 --max-time 250ms", 0, 10, 4096, 0.25},
        {"--max-memory=3k --max-time 1.5s", 0, 0, 3072, 1.5},
        {"--max-memory=64M --max-time 2.m", 0, 0, 64 << 20, 120},
        {"--max-memory=17179869183G -t2h", 0, 0, UINT64_C(17179869183) << 30, 7200},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        Parsed p;
        parse(&p, cases[i].line);
        assert_int_equal(p.s.offset, cases[i].offset);
        assert_int_equal(p.s.max_runs, cases[i].runs);
        assert_int_equal(p.s.max_memory, cases[i].memory);
        assert_true(p.s.max_time == cases[i].time);
        done(&p);
    }
}

static void sets(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t mask;
    } cases[] = {
        {"--check overflow", 1}, {"--check leak,shift", 8 | 2}, {"--check leak --check=shift", 8 | 2},
        {"--check all", 15},     {"--check all,no-uninit", 11}, {"--check all --check none,leak", 8},
        {"--check no-leak", 0},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        Parsed p;
        parse(&p, cases[i].line);
        assert_int_equal(p.s.checks, cases[i].mask);
        done(&p);
    }
}

static void lists_calls_and_optional_values(void **state)
{
    (void)state;
    Parsed p;
    parse(&p, "--file a --file=b x --sym-args 1 2 30 --symbolic-globals y -ss");
    assert_words(&p.s.files, "a b");
    assert_words(&p.args.plain, "x y");
    assert_int_equal(p.s.sym_args[0], 1);
    assert_int_equal(p.s.sym_args[2], 30);
    assert_string_equal(p.s.globals, "");
    assert_int_equal(p.s.shown, 2);
    done(&p);
    parse(&p, "--sym-args=4 5 6 --symbolic-globals=g,h --file=--file");
    assert_int_equal(p.s.sym_args[0], 4);
    assert_int_equal(p.s.sym_args[2], 6);
    assert_string_equal(p.s.globals, "g,h");
    assert_words(&p.s.files, "--file");
    done(&p);
}

static void compiler_flags(void **state)
{
    (void)state;
#define FLAGS                                                                                                \
    "-Iinc -I inc2 -DX=1 -D Y -UZ -std=c99 -include pre.h -isystem /s -isystem/t -fwrapv -m32 -Wall -O -O2 " \
    "-g "                                                                                                    \
    "-g3 -lm -l m -L. -L lib -w -pthread"
    Parsed p;
    parse(&p, "a.c " FLAGS " b.c -vq -odir -- -Irest");
    assert_words(&p.s.flags, FLAGS);
    assert_words(&p.args.plain, "a.c b.c");
    assert_words(&p.args.rest, "-Irest");
    assert_true(p.s.quiet);
    assert_string_equal(p.s.output, "dir");
    done(&p);
    parse_with(&p, tables, "-O2 -W"); /* all of -W is -W and something */
    assert_string_equal(str_text(&p.error), "unknown option '-W'");
    done(&p);
    parse_with(&p, general_only, "-Iinc"); /* only where the table says so */
    assert_string_equal(str_text(&p.error), "unknown option '-Iinc'");
    done(&p);
}

static void errors(void **state)
{
    (void)state;
    static const struct {
        const char *line, *error;
    } cases[] = {
        {"--max-rnus 3", "unknown option '--max-rnus': did you mean '--max-runs'?"},
        {"--max-run=3", "unknown option '--max-run=3': did you mean '--max-runs'?"},
        {"--symbolic", "unknown option '--symbolic': did you mean '--symbolic-globals'?"},
        {"--outptu x", "unknown option '--outptu': did you mean '--output'?"},
        {"--no-quite", "unknown option '--no-quite': did you mean '--no-quiet'?"},
        {"--no-output", "unknown option '--no-output': did you mean '--output'?"},
        {"--something-else", "unknown option '--something-else'"},
        {"--", ""},
        {"--=x", "unknown option '--=x'"},
        {"---quiet", "unknown option '---quiet': did you mean '--quiet'?"},
        {"-max-runs 3", "unknown option '-max-runs': did you mean '--max-runs'?"},
        {"-output=x", "unknown option '-output=x': did you mean '--output'?"},
        {"-z", "unknown option '-z'"},
        {"-qz", "unknown option '-qz'"},
        {"--quiet=1", "--quiet takes no value"},
        {"--no-quiet=1", "--no-quiet takes no value"},
        {"--show=1", "--show takes no value"},
        {"a --output", "--output needs a value: DIR"},
        {"-r", "--max-runs needs a value: N"},
        {"--explore", "--explore needs a value: full|output|dependence"},
        {"--sym-args 1 2", "--sym-args needs values: MIN MAX LEN"},
        {"--sym-args 1 2 x", "--sym-args: 'x' is not a number"},
        {"-sss", "--show: '' can not be used"},
        {"-I", "-I needs a value"},
        {"-include", "-include needs a value"},
        {"--output --quiet", "--output needs a value: DIR; '--quiet' is an option"},
        {"-o --max-runs=3", "--output needs a value: DIR; '--max-runs=3' is an option"},
        {"--file --no-color", "--file needs a value: NAME; '--no-color' is an option"},
        {"--output -q", "--output needs a value: DIR; '-q' is an option"},
        {"--sym-args 1 --quiet 2", "--sym-args needs values: MIN MAX LEN; '--quiet' is an option"},
        {"--output -- x", "--output needs a value: DIR; '--' ends the options"},
        {"-I --quiet", "-I needs a value; '--quiet' is an option"},
        {"--max-runs ten", "--max-runs: 'ten' is not a whole number that is not negative"},
        {"--max-runs -1", "--max-runs: '-1' is not a whole number that is not negative"},
        {"--max-runs=", "--max-runs: '' is not a whole number that is not negative"},
        {"--max-runs 18446744073709551616",
         "--max-runs: '18446744073709551616' is not a whole number that is not negative"},
        {"--offset 9223372036854775808", "--offset: '9223372036854775808' is not a whole number"},
        {"--offset=-9223372036854775809", "--offset: '-9223372036854775809' is not a whole number"},
        {"--offset=--1", "--offset: '--1' is not a whole number"},
        {"--offset=-", "--offset: '-' is not a whole number"},
        {"--max-memory 17179869184G",
         "--max-memory: '17179869184G' is not a size such as 4096, 64K, 512M or 2G"},
        {"--max-memory K", "--max-memory: 'K' is not a size such as 4096, 64K, 512M or 2G"},
        {"--max-memory 1KB", "--max-memory: '1KB' is not a size such as 4096, 64K, 512M or 2G"},
        {"--max-time 1d", "--max-time: '1d' is not a time such as 10, 1.5s, 200ms, 5m or 2h"},
        {"--max-time .", "--max-time: '.' is not a time such as 10, 1.5s, 200ms, 5m or 2h"},
        {"--max-time inf", "--max-time: 'inf' is not a time such as 10, 1.5s, 200ms, 5m or 2h"},
        {"--max-time=-1", "--max-time: '-1' is not a time such as 10, 1.5s, 200ms, 5m or 2h"},
        {"--max-time 1e3", "--max-time: '1e3' is not a time such as 10, 1.5s, 200ms, 5m or 2h"},
        {"--explore outptu",
         "--explore: 'outptu' is not one of full, output, dependence: did you mean 'output'?"},
        {"--explore x", "--explore: 'x' is not one of full, output, dependence"},
        {"--check leak,,shift",
         "--check: 'leak,,shift' is not a list with commas of overflow, shift, uninit, leak"},
        {"--check laek", "--check: 'laek' is not a list with commas of overflow, shift, uninit, leak: "
                         "did you mean 'leak'?"},
        {"--check lea", "--check: 'lea' is not a list with commas of overflow, shift, uninit, leak: "
                        "did you mean 'leak'?"},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        Parsed p;
        parse_with(&p, tables, cases[i].line);
        assert_string_equal(str_text(&p.error), cases[i].error);
        done(&p);
    }
}

static void endless_word(void **state)
{
    (void)state;
    Str word = {0};
    Parsed p;
    str_add(&word, "--");
    for (int i = 0; i < 100000; i++)
        str_add_char(&word, 'x');
    parse_with(&p, tables, str_text(&word));
    assert_false(p.ok);
    assert_true(p.error.n < 200);
    str_free(&word);
    done(&p);
}

/* Lines put together at random from pieces: refused or taken, and nothing else. */
static void random_lines(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "--", "-", "=",    "no-", "quiet", "max-runs", "check",    "all", "7",    ",",  "o",
        "v",  "I", "std=", " ",   " ",     "include",  "sym-args", "-r",  "\xff", "''", "explore"};
    Rng rng;
    rng_seed(&rng, 4);
    for (int round = 0; round < 20000; round++) {
        Str line = {0};
        Parsed p;
        for (uint64_t k = rng_below(&rng, 10); k; k--)
            str_add(&line, pieces[rng_below(&rng, COUNT_OF(pieces))]);
        parse_with(&p, tables, str_text(&line));
        str_free(&line);
        done(&p);
    }
}

static void nearest(void **state)
{
    (void)state;
    static const char *const commands[] = {"test", "signature", "diff", "blame", "reach", "run", NULL};
    assert_string_equal(options_nearest("tset", (const char *const[]){"tests", "text", NULL}), "text");
    assert_string_equal(options_nearest("sig", commands), "signature");
    assert_string_equal(options_nearest("dif", commands), "diff");
    assert_string_equal(options_nearest("raech", commands), "reach");
    assert_null(options_nearest("frobnicate", commands));
    assert_null(options_nearest("", commands));
}

/* ---- slips in the tables --------------------------------------------------------------------- */

static void table_slips_are_bugs(void **state)
{
    (void)state;
    static const Option slips[][3] = {
        {{OPT_FLAG(Settings, quiet), "quiet"}}, /* no help */
        {{OPT_FLAG(Settings, quiet), "quiet", .help = "a"},
         {OPT_FLAG(Settings, color), "quiet", .help = "b"}},
        {{OPT_FLAG(Settings, quiet), "one", 'q', .help = "a"},
         {OPT_FLAG(Settings, color), "two", 'q', .help = "b"}},
        {{OPT_FLAG(Settings, quiet), .help = "a"}},                        /* no name */
        {{OPT_UINT(Settings, max_runs), "max-runs", .help = "a"}},         /* no argument */
        {{OPT_UINT(Settings, max_runs), "max-runs", 0, "N", "many", "a"}}, /* no such default */
        {{OPT_ENUM(Settings, explore), "explore", .help = "a"}},           /* no words */
        {{OPT_FLAG(Settings, quiet), "go", 'g', .help = "a"}, {OPT_COMPILER(Settings, flags)}},
        {{OPT_FLAG(Settings, quiet), "go", .help = "a", .optional = true}},
        {{OPT_CALL(NULL, 0), "go", .help = "a"}},
        {{OPT_CALL(show_take, 9), "go", .argument = "X", .help = "a"}},
    };
    for (unsigned i = 0; i < COUNT_OF(slips); i++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (!pid) {
            Settings s = {0};
            const Option *const list[] = {slips[i], NULL};
            unsetenv("SHEAF_ABORT");
            assert_non_null(freopen("/dev/null", "w", stderr));
            options_preset(list, &s);
            _exit(0);
        }
        int status = 0;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (WEXITSTATUS(status) != EXIT_BUG)
            fail_msg("slip %u went unseen: status %d", i, status);
    }
}

/* ---- help ------------------------------------------------------------------------------------ */

static void help_text(void **state)
{
    (void)state;
    Str out = {0};
    str_add(&out, "usage\n");
    options_help(tables, 80, &out);
    assert_string_equal(str_text(&out),
                        "usage\n"
                        "General:\n"
                        "  -q, --quiet                 print only the result\n"
                        "  -v, --verbose               say more; twice for more still\n"
                        "      --no-color              no colours\n"
                        "  -o, --output=DIR            where results are written (default: sheaf-out)\n"
                        "  -s, --show                  show what is there\n"
                        "\n"
                        "Limits and inputs:\n"
                        "      --offset=N              where to begin\n"
                        "  -r, --max-runs=N            stop after N runs\n"
                        "      --max-memory=SIZE       stop at SIZE (default: 2G)\n"
                        "  -t, --max-time=TIME         stop after TIME (default: 1h)\n"
                        "      --file=NAME             a file that the program may read\n"
                        "      --explore=full|output|dependence\n"
                        "                              which decisions matter (default: dependence)\n"
                        "      --check=KINDS           faults that are looked for beside the usual ones,\n"
                        "                              each of which costs time; any of overflow, shift,\n"
                        "                              uninit, leak\n"
                        "      --sym-args MIN MAX LEN  symbolic arguments\n"
                        "      --symbolic-globals[=NAMES]\n"
                        "                              free them\n"
                        "  -I -D -U -std= -include -imacros -isystem -iquote -idirafter -f -m -W -w -O -g\n"
                        "  -l -L -ansi -pedantic -pthread\n"
                        "                              passed on to the compiler\n");
    str_free(&out);
}

static void help_keeps_to_width(void **state)
{
    (void)state;
    for (uint32_t width = 0; width < 130; width += 7) {
        Str out = {0};
        options_help(tables, width, &out);
        for (const char *line = str_text(&out); *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= (width < 60 ? 60 : width));
        str_free(&out);
    }
}

static void manual_page(void **state)
{
    (void)state;
    static const Option table[] = {
        {OPT_GROUP("Limits - all")},
        {OPT_UINT(Settings, max_runs), "max-runs", 'r', "N", "5", ".hidden \\ up-to-date"},
        {OPT_STRING(Settings, globals), "globals", .argument = "NAMES", .help = "free", .optional = true},
        {OPT_CALL(sym_args_take, 3), "sym-args", .argument = "MIN MAX LEN", .help = "symbolic arguments"},
        {OPT_END},
    };
    Str out = {0};
    options_roff((const Option *const[]){table, NULL}, &out);
    assert_string_equal(str_text(&out), ".SS Limits \\- all\n"
                                        ".TP\n"
                                        "\\fB\\-r\\fR, \\fB\\-\\-max\\-runs\\fR=\\fIN\\fR\n"
                                        "\\&.hidden \\e up\\-to\\-date (default: 5)\n"
                                        ".TP\n"
                                        "\\fB\\-\\-globals\\fR[=\\fINAMES\\fR]\n"
                                        "free\n"
                                        ".TP\n"
                                        "\\fB\\-\\-sym\\-args\\fR \\fIMIN MAX LEN\\fR\n"
                                        "symbolic arguments\n");
    str_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets),
        cmocka_unit_test(forms_of_options),
        cmocka_unit_test(plain_arguments),
        cmocka_unit_test(flags_taken_back),
        cmocka_unit_test(numbers),
        cmocka_unit_test(sets),
        cmocka_unit_test(lists_calls_and_optional_values),
        cmocka_unit_test(compiler_flags),
        cmocka_unit_test(errors),
        cmocka_unit_test(endless_word),
        cmocka_unit_test(random_lines),
        cmocka_unit_test(nearest),
        cmocka_unit_test(table_slips_are_bugs),
        cmocka_unit_test(help_text),
        cmocka_unit_test(help_keeps_to_width),
        cmocka_unit_test(manual_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
