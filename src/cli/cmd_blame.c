/* cmd_blame.c - `sheaf blame`: which lines of NEW make a test show something else than OLD. */
#include "cli/both.h"
#include "explore/explore.h"

typedef struct BlameSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    const char *test, *build;
    unsigned by;
    bool json;
} BlameSettings;

enum { BY_SLICE, BY_PATH };
static const char *const by_words[] = {"slice", "path", NULL};

static const Option blame_options[] = {
    {OPT_GROUP("Test and versions")},
    {OPT_STRING(BlameSettings, test), "test", .argument = "FILE",
     .help = "the test that shows the difference, made for NEW"},
    {OPT_ENUM(BlameSettings, by), "by", .preset = "slice", .words = by_words,
     .help = "use the conditions on which outputs depend, or all of the path (blames more lines; for "
             "comparison)"},
    {OPT_STRING(BlameSettings, build), "build", .argument = "COMMAND",
     .help = "run this first in the copy of each revision, if its build generates files"},
    {OPT_FLAG(BlameSettings, json), "json", .help = "the answer as JSON"},
    {OPT_END},
};
static const Option *const blame_tables[] = {blame_options, exploring_options, program_options, NULL};

/* ---- the answer ------------------------------------------------------------------------------ */

/* Inputs in the order of the run: "x = 3, y = 0". */
static void print_input(const Joint *j, const VmTrace *trace, const ExprInput *input, Str *out)
{
    enum { SHOWN = 8 };
    for (uint32_t i = 0; i < trace->inputs.n && i < SHOWN; i++) {
        const ExprObjectInfo *info = expr_object_info(j->pool, trace->inputs.v[i].object);
        SuiteTest *test = suite_test_new();
        uint8_t *bytes = arena_alloc(test->arena, trace->inputs.v[i].size + 1);
        for (uint32_t k = 0; k < trace->inputs.v[i].size; k++)
            bytes[k] = expr_input_byte(input, info->at + k);
        SuiteObject *o = suite_test_add(test, (SuiteOrigin)trace->inputs.v[i].origin, info->name, bytes,
                                        trace->inputs.v[i].size);
        o->type = (SuiteType){(SuiteKind)(info->type.kind + 1), info->type.element};
        str_printf(out, "%s%s = ", i ? ", " : "", info->name);
        if (!suite_object_value(o, 0, out))
            str_add(out, "?");
        str_add(out, info->type.element && o->size > info->type.element ? ", ..." : "");
        suite_test_free(test);
    }
    if (trace->inputs.n > SHOWN)
        str_add(out, ", ...");
}

static const char *input_text(Joint *j, const ExprInput *input, Arena *arena)
{
    Str text = {0};
    VmTrace *trace = joint_run(j, VERSIONS_NEW, input);
    print_input(j, trace, input, &text);
    vm_trace_free(j->vm[VERSIONS_NEW], trace);
    const char *result = arena_strdup(arena, str_text(&text));
    str_free(&text);
    return result;
}

/* Does a condition account for the difference? Negated, it leaves none. If not, what is computed may. */
static bool is_explained(const Blame *b)
{
    for (uint32_t i = 0; i < b->lines.n; i++)
        if (b->lines.v[i].agree)
            return true;
    return false;
}

static bool is_blamed(const IrProgram *p, const Blame *b, uint32_t site)
{
    for (uint32_t i = 0; i < b->lines.n; i++)
        if (b->lines.v[i].site != IR_NONE && p->sites.v[b->lines.v[i].site].line == p->sites.v[site].line &&
            p->sites.v[b->lines.v[i].site].file == p->sites.v[site].file)
            return true;
    return false;
}

/* Changed lines that make no condition, after those that do. */
static void print_data(const IrProgram *p, const Blame *b)
{
    char where[512];
    uint32_t number = b->lines.n;
    if (is_explained(b))
        return;
    for (uint32_t i = 0; i < b->data.n; i++)
        if (!is_blamed(p, b, b->data.v[i].site))
            printf("%u. %s: %s%s\n", ++number, ir_site_text(p, b->data.v[i].site, where, sizeof where),
                   b->data.v[i].what, b->lines.n ? ", and no condition above leaves both the same" : "");
}

static void print_text(Joint *j, const Blame *b, Arena *arena)
{
    const IrProgram *p = j->versions->program[VERSIONS_NEW];
    char where[512];
    if (!b->differs) {
        puts("the versions show the same for this test");
        return;
    }
    for (uint32_t i = 0; i < b->test.changes.n; i++)
        printf("%s: before %s, after %s\n", b->test.changes.v[i].name, b->test.changes.v[i].value[0],
               b->test.changes.v[i].value[1]);
    for (uint32_t i = 0; i < b->lines.n; i++)
        printf("%u. %s: %s\n   but not for %s, which the old version treats like the test%s\n", i + 1,
               ir_site_text(p, b->lines.v[i].site, where, sizeof where), b->lines.v[i].condition,
               input_text(j, &b->lines.v[i].input, arena),
               b->lines.v[i].agree ? ": both show the same for it" : "");
    if (!b->lines.n)
        puts(
            "no condition of the new version distinguishes inputs that the old one treats alike: it computes "
            "something else on the same path");
    print_data(p, b);
    printf("%u of %u conditions blamed%s\n", b->lines.n, b->conditions,
           b->open ? ", and some not decided: --solver-timeout" : "");
}

static void print_json(Joint *j, const Blame *b, Arena *arena)
{
    JsonOut json = {0};
    json_object_begin(&json, NULL);
    json_string(&json, "command", "blame");
    json_bool(&json, "differs", b->differs);
    json_uint(&json, "conditions", b->conditions);
    json_uint(&json, "undecided", b->open);
    json_array_begin(&json, "lines");
    for (uint32_t i = 0; i < b->lines.n; i++) {
        json_object_begin(&json, NULL);
        report_site_json(j->versions->program[VERSIONS_NEW], b->lines.v[i].site, &json);
        json_string(&json, "condition", b->lines.v[i].condition);
        json_string(&json, "input", input_text(j, &b->lines.v[i].input, arena));
        json_bool(&json, "agree", b->lines.v[i].agree);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_array_begin(&json, "data");
    for (uint32_t i = 0; !is_explained(b) && i < b->data.n; i++) {
        if (is_blamed(j->versions->program[VERSIONS_NEW], b, b->data.v[i].site))
            continue;
        json_object_begin(&json, NULL);
        report_site_json(j->versions->program[VERSIONS_NEW], b->data.v[i].site, &json);
        json_string(&json, "what", b->data.v[i].what);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    puts(str_text(&json.text));
    str_free(&json.text);
}

/* ---- the command ----------------------------------------------------------------------------- */

static SuiteTest *read_test(const char *path)
{
    Str error = {0};
    if (!path)
        die("no test given: --test FILE, as 'sheaf diff' writes it");
    if (text_ends_with(path, ".c") || text_ends_with(path, ".h"))
        die("--test %s: C source is no test; name a .ktest or .json file, as 'sheaf diff' writes it, or a "
            "raw "
            "input",
            path);
    SuiteTest *test = suite_test_read(path, true, &error);
    if (!test)
        die("%s", str_text(&error));
    return test;
}

/* The entry by its names in both versions. */
static void find_entry(const Versions *v, const char *name, JointOptions *o)
{
    if (!strcmp(name, "main") || !strcmp(name, "LLVMFuzzerTestOneInput"))
        return;
    uint32_t fn = ir_fn_find(v->program[VERSIONS_NEW], name),
             pair = fn == IR_NONE ? IR_NONE : v->fn_of[VERSIONS_NEW].v[fn];
    if (pair == IR_NONE || v->fns.v[pair].fn[VERSIONS_OLD] == IR_NONE)
        die("the versions do not both have the function %s", name);
    for (unsigned i = 0; i < 2; i++)
        o->entry[i] = ir_text(v->program[i], v->program[i]->fns.v[v->fns.v[pair].fn[i]].name);
}

/* Variables that the test gives a value are inputs. */
static void give_globals(const SuiteTest *t, VmInputs *in)
{
    for (uint32_t i = 0; i < t->objects.n; i++)
        if (t->objects.v[i].origin == SUITE_FROM_GLOBAL)
            vec_push(&in->globals, t->objects.v[i].name);
}

static int blame_run(const Command *command, void *settings, const OptionArgs *args)
{
    const BlameSettings *s = settings;
    Arena *arena = arena_new();
    Obtained obtained;
    VmEnvironment environment;
    JointOptions options = {.environment = &environment};
    IrProgram *program[2];
    OptionArgs none = {0};
    const char *why = NULL;
    ExprInput input = {0};
    Blame blame;
    (void)command;
    SuiteTest *test = read_test(s->test);
    obtain_versions(&s->exploring.program, args, s->build, &obtained);
    vec_push(&none.plain, "program");
    exploring_environment(&s->exploring, &none, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options.explore);
    for (unsigned v = 0; v < 2; v++)
        program[v] = program_load_options(&s->exploring.program,
                                          v ? &obtained.new.program : &obtained.old.program, NULL, true);
    Versions *versions = versions_pair(program[VERSIONS_OLD], program[VERSIONS_NEW], 0);
    find_entry(versions, s->exploring.entry ? s->exploring.entry : test->entry, &options);
    SuiteTestVec tests = {0};
    vec_push(&tests, test);
    explore_retrace_inputs(&tests, program[VERSIONS_NEW], &options.explore.symbolic.inputs);
    uint32_t size = explore_retrace_stdin(test, program[VERSIONS_NEW]);
    if (size) {
        options.explore.symbolic.inputs.stdin_symbolic = true;
        options.explore.symbolic.inputs.stdin_size = size;
    }
    give_globals(test, &options.explore.symbolic.inputs);
    options.explore.symbolic.inputs.environment =
        joint_environment(options.explore.symbolic.inputs.environment, options.entry[VERSIONS_NEW] != NULL);
    Joint *j = joint_new(versions, &options);
    do {
        expr_input_free(&input);
        vm_trace_free(j->vm[VERSIONS_NEW],
                      explore_retrace_on(j->vm[VERSIONS_NEW], j->pool, test, &input, &why));
    } while (!joint_takes(j, &input));
    if (why)
        warn("%s %s", s->test, why);
    joint_blame(j, &input, s->by == BY_PATH, &blame);
    if (s->json)
        print_json(j, &blame, arena);
    else
        print_text(j, &blame, arena);
    int status = blame.differs ? EXIT_FOUND : EXIT_CLEAN;
    joint_blame_free(&blame);
    expr_input_free(&input);
    joint_free(j);
    versions_free(versions);
    for (unsigned v = 0; v < 2; v++)
        ir_program_free(program[v]);
    suite_tests_free(&tests);
    vec_free(&environment.files);
    exploring_free(&options.explore);
    vec_free(&none.plain);
    obtain_free(&obtained);
    arena_free(arena);
    return status;
}

const Command command_blame = {
    .name = "blame",
    .synopsis = "[OLD NEW | A..B | REVISION] --test FILE [OPTIONS] [-- PATHS]",
    .summary = "find the changed lines that make a test behave differently",
    .description =
        "Takes a test for which two versions differ, as 'sheaf diff' writes it, and names the lines\n"
        "of NEW that are responsible.\n\n"
        "A condition on which NEW's output depends is negated, while all conditions on which OLD's\n"
        "output depends still hold. If there is such an input, NEW distinguishes two inputs that OLD\n"
        "treats alike: the line of that condition is blamed, and the input is shown. Lines whose\n"
        "input makes both versions behave alike come first.\n\n"
        "Versions are named as for 'sheaf diff'. Exit status: 0 the versions show the same for the\n"
        "test, 1 they differ, 2 unusable.",
    .example = "  $ sheaf blame HEAD~1 HEAD --test sheaf-out/tests/0001.ktest\n",
    .options = blame_tables,
    .settings_size = sizeof(BlameSettings),
    .run = blame_run,
};
