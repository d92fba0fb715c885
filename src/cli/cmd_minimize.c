/* cmd_minimize.c - `sheaf minimize`: the tests of a suite that differ in behaviour.
 *
 * Each test is run on the machine, with labels. Two tests of one relevant slice condition compute the output alike: one of
 * them is enough. Of tests that fail, those that fail at one place for the same reason are alike. */
#include "cli/exploring.h"
#include "report/report.h"

#include <stdlib.h>

typedef struct MinimizeSettings {
    ExploringSettings exploring;              /* first: exploring_options write here */
    StrVec tests;
    const char *to;
    bool no_coverage;
} MinimizeSettings;

static const Option minimize_options[] = {
    {OPT_GROUP("Tests")},
    {OPT_LIST(MinimizeSettings, tests), "tests", 't', "DIR", .help = "tests to look at: a directory or a file; may be repeated"},
    {OPT_STRING(MinimizeSettings, to), "to", .argument = "DIR", .help = "write the tests that are kept there"},
    {OPT_FLAG(MinimizeSettings, no_coverage), "no-coverage", .help = "do not compare what the tests cover natively"},
    {OPT_END},
};
static const Option *const minimize_tables[] = {minimize_options, exploring_options, program_options, NULL};

/* ---- a test's input on the machine ------------------------------------------------------------------------------ */

typedef struct Behaviour {
    ExprVec condition;                        /* sorted */
    VmEnding ending;
    VmFaultKind fault;
    uint32_t site, test;                      /* where it failed; the first test that showed it */
} Behaviour;

typedef struct Minimizing {
    const MinimizeSettings *settings;
    SuiteTestVec tests;
    Explore *explore;
    Vec(Behaviour) behaviours;
    U32Vec like;                              /* by test: the one that it is like; itself if it is kept */
    Str why;                                  /* tests that could not be run, line by line */
    uint32_t unusable;
    uint32_t stdin_size;                      /* of all tests that have a standard input; 0: none has */
} Minimizing;

static uint32_t count_of(const SuiteTest *t, SuiteOrigin origin)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->objects.n; i++)
        n += t->objects.v[i].origin == origin;
    return n;
}

static uint32_t largest(const SuiteTestVec *tests, SuiteOrigin origin)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tests->n; i++)
        for (uint32_t k = 0; k < tests->v[i]->objects.n; k++) {
            const SuiteObject *o = &tests->v[i]->objects.v[k];
            most = o->origin == origin && o->size > most ? o->size : most;
        }
    return most;
}

static bool is_fuzz_target(const IrProgram *p)
{
    uint32_t fn = ir_fn_find(p, "LLVMFuzzerTestOneInput");
    return fn != IR_NONE && p->fns.v[fn].defined;
}

/* What the tests give is what is symbolic. */
static void inputs_of_tests(const SuiteTestVec *tests, const IrProgram *program, VmInputs *in)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < tests->n; i++) {
        uint32_t n = count_of(tests->v[i], SUITE_FROM_ARGUMENT);
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    if (most && !in->args_symbolic) {
        in->args_symbolic = true;
        in->args_min = least;
        in->args_max = most;
        in->args_length = largest(tests, SUITE_FROM_ARGUMENT) + 1;
    }
    uint32_t raw = largest(tests, SUITE_FROM_FUZZ), input = largest(tests, SUITE_FROM_STDIN);
    if (raw && is_fuzz_target(program))
        in->fuzz_size = raw;
    else if (raw > input)
        input = raw;
    if (input && !in->stdin_symbolic) {
        in->stdin_symbolic = true;
        in->stdin_size = input;
    }
}

/* The object of the test that is the n-th of its origin; of files and parameters the one of that name. */
static const SuiteObject *object_for(const SuiteTest *t, const VmTrace *trace, uint32_t use, const ExprPool *pool)
{
    const VmInputUse *u = &trace->inputs.v[use];
    SuiteOrigin origin = (SuiteOrigin)u->origin;
    const char *name = expr_object_info(pool, u->object)->name;
    uint32_t nth = 0;
    for (uint32_t i = 0; i < use; i++)
        nth += trace->inputs.v[i].origin == u->origin;
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const SuiteObject *o = &t->objects.v[i];
        bool raw = o->origin == SUITE_FROM_FUZZ && origin == SUITE_FROM_STDIN;
        if (o->origin != origin && !raw)
            continue;
        if (origin == SUITE_FROM_FILE ? !strcmp(o->of, u->of ? u->of : "") : origin >= SUITE_FROM_PARAMETER ? !strcmp(o->name, name) : nth-- == 0)
            return o;
    }
    return NULL;
}

static void set_scalar(const ExprPool *p, const char *key, uint32_t value, ExprInput *input)
{
    ExprObject object;
    if (!expr_object_find(p, key, 4, &object))
        return;
    for (uint32_t i = 0; i < 4; i++)
        expr_input_set_byte(input, expr_object_info(p, object)->at + i, (uint8_t)(value >> 8 * i));
}

/* The test's bytes go where the run has its inputs. True if that changes anything, and so perhaps the run. */
static bool give_bytes(const SuiteTest *t, const VmTrace *trace, const ExprPool *p, ExprInput *input)
{
    ExprInput before = {0};
    expr_input_copy(&before, input);
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const ExprObjectInfo *info = expr_object_info(p, trace->inputs.v[i].object);
        const SuiteObject *o = object_for(t, trace, i, p);
        for (uint32_t k = 0; o && k < info->size; k++)
            expr_input_set_byte(input, info->at + k, k < o->size ? o->data[k] : 0);
    }
    set_scalar(p, "n_args", count_of(t, SUITE_FROM_ARGUMENT), input);
    for (uint32_t i = 0; i < t->objects.n; i++)
        if (t->objects.v[i].origin == SUITE_FROM_FUZZ)
            set_scalar(p, "fuzz:size", t->objects.v[i].size, input);
    uint32_t n = before.n > input->n ? before.n : input->n;
    bool changed = false;
    for (uint32_t i = 0; i < n && !changed; i++)
        changed = expr_input_byte(&before, i) != expr_input_byte(input, i);
    expr_input_free(&before);
    return changed;
}

/* Where inputs lie comes to light as the run meets them: it is run again until nothing changes. */
static VmTrace *run_test(Minimizing *m, const SuiteTest *t)
{
    Vm *vm = explore_vm(m->explore);
    ExprInput input = {0};
    VmTrace *trace = vm_run_input(vm, &input, NULL);
    for (uint32_t i = 0; i <= t->objects.n + 1 && give_bytes(t, trace, explore_pool(m->explore), &input); i++) {
        vm_trace_free(vm, trace);
        trace = vm_run_input(vm, &input, NULL);
    }
    expr_input_free(&input);
    return trace;
}

/* ---- behaviours ---------------------------------------------------------------------------------------------------- */

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
        if (known->ending == b.ending && known->site == b.site && (!fails || known->fault == b.fault) && known->condition.n == b.condition.n &&
            !memcmp(known->condition.v, b.condition.v, b.condition.n * sizeof(Expr))) {
            vec_free(&b.condition);
            return known->test;
        }
    }
    vec_push(&m->behaviours, b);
    return test;
}

/* On the machine standard input has one size. */
static bool is_shorter(const SuiteTest *t, const VmTrace *trace, uint32_t size)
{
    for (uint32_t i = 0; i < trace->inputs.n; i++)
        for (uint32_t k = 0; trace->inputs.v[i].origin == VM_INPUT_STDIN && k < t->objects.n; k++) {
            const SuiteObject *o = &t->objects.v[k];
            if ((o->origin == SUITE_FROM_STDIN || o->origin == SUITE_FROM_FUZZ) && o->size != size)
                return true;
        }
    return false;
}

/* What cannot be told apart for certain is kept. */
static const char *unusable(const SuiteTest *t, const VmTrace *trace, uint32_t stdin_size)
{
    if (t->links.n)
        return "has pointers, which cannot be given to the machine yet";
    if (is_shorter(t, trace, stdin_size))
        return "has a shorter standard input than others";
    switch (trace->result.ending) {
    case VM_END_ASSUMPTION: return "does not satisfy an assumption of the program";
    case VM_END_LIMIT: return "runs into a limit";
    case VM_END_UNSUPPORTED:
    case VM_END_EXTERNAL: return trace->result.message;
    default: return NULL;
    }
}

static void look_at(Minimizing *m, uint32_t i)
{
    VmTrace *trace = run_test(m, m->tests.v[i]);
    const char *why = unusable(m->tests.v[i], trace, m->stdin_size);
    if (why) {
        str_printf(&m->why, "kept, since it cannot be judged: %s %s\n", m->tests.v[i]->path, why);
        m->unusable++;
        vec_push(&m->like, i);
    } else {
        vec_push(&m->like, behaviour_of(m, trace, i));
    }
    vm_trace_free(explore_vm(m->explore), trace);
}

/* ---- native coverage --------------------------------------------------------------------------------------------------- */

static bool measure(Minimizing *m, const OptionArgs *args, Arena *arena, bool kept_only, SuiteCoverage *out)
{
    SuiteReplayOptions options = {.library = program_own_file("native/replay.c"), .entry = m->settings->exploring.entry, .coverage = true,
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
    mem_free((char *)options.library);
    str_free(&error);
    return ok;
}

static void compare_coverage(Minimizing *m, const OptionArgs *args, Arena *arena, Str *out)
{
    SuiteCoverage all = {0}, kept = {0};
    if (measure(m, args, arena, false, &all) && measure(m, args, arena, true, &kept)) {
        if (kept.lines_covered == all.lines_covered && kept.branches_covered == all.branches_covered)
            str_printf(out, "native coverage stays: %u of %u lines, %u of %u branches\n", all.lines_covered, all.lines,
                       all.branches_covered, all.branches);
        else
            str_printf(out, "native coverage falls from %u to %u of %u lines and from %u to %u of %u branches: tests with the same output "
                            "ran other lines\n",
                       all.lines_covered, kept.lines_covered, all.lines, all.branches_covered, kept.branches_covered, all.branches);
    }
    suite_coverage_free(&all);
    suite_coverage_free(&kept);
}

/* ---- the answer ----------------------------------------------------------------------------------------------------------- */

static void print_text(const Minimizing *m, Str *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->tests.n; i++)
        kept += m->like.v[i] == i;
    str_printf(out, "%u of %u tests are enough\n", kept, m->tests.n);
    for (uint32_t i = 0; i < m->tests.n; i++)
        if (m->like.v[i] == i) {
            str_printf(out, "keep   %s\n", m->tests.v[i]->path);
            for (uint32_t k = i + 1; k < m->tests.n; k++)
                if (m->like.v[k] == i)
                    str_printf(out, "  like %s\n", m->tests.v[k]->path);
        }
    str_add(out, str_text(&m->why));
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
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    puts(str_text(&json.text));
    str_free(&json.text);
}

static void write_kept(const Minimizing *m, const OptionArgs *args)
{
    Str error = {0};
    SuiteProgram program = {.inputs = args->plain, .flags = m->settings->exploring.program.cflags, .producer = "sheaf " SHEAF_VERSION,
                            .entry = m->settings->exploring.entry ? m->settings->exploring.entry : "main"};
    SuiteDir *dir = suite_dir_open(m->settings->to, &program, 0, m->settings->exploring.force, &error);
    for (uint32_t i = 0; dir && i < m->tests.n; i++)
        if (m->like.v[i] == i && !suite_dir_add(dir, m->tests.v[i], &error))
            die("%s", str_text(&error));
    if (!dir || !suite_dir_finish(dir, NULL, &error))
        die("%s", str_text(&error));
    suite_dir_free(dir);
    str_free(&error);
}

static int minimize_run(const Command *command, void *settings, const OptionArgs *args)
{
    const MinimizeSettings *s = settings;
    Minimizing m = {.settings = s};
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    Str text = {0};
    (void)command;
    for (uint32_t i = 0; i < s->tests.n; i++)
        if (!suite_read(s->tests.v[i], &m.tests, &text))
            die("%s", str_text(&text));
    if (!m.tests.n)
        die("no tests given: --tests names a directory or a file of them");
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, arena, &options);
    IrProgram *program = program_load(&s->exploring.program, args, exploring_entry(&s->exploring), s->exploring.entry != NULL);
    exploring_check(&s->exploring, program);
    inputs_of_tests(&m.tests, program, &options.symbolic.inputs);
    m.stdin_size = options.symbolic.inputs.stdin_size;
    options.explorer = "output";
    options.symbolic.snapshot_bytes = 0;
    m.explore = explore_new(program, &environment, &options);
    for (uint32_t i = 0; i < m.tests.n; i++)
        look_at(&m, i);
    print_text(&m, &text);
    if (s->to)
        write_kept(&m, args);
    if (!s->no_coverage)
        compare_coverage(&m, args, arena, &text);
    if (s->exploring.format == FORMAT_TEXT)
        fputs(str_text(&text), stdout);
    else
        print_json(&m);
    for (uint32_t i = 0; i < m.behaviours.n; i++)
        vec_free(&m.behaviours.v[i].condition);
    vec_free(&m.behaviours);
    vec_free(&m.like);
    str_free(&m.why);
    str_free(&text);
    explore_free(m.explore);
    suite_tests_free(&m.tests);
    vec_free(&environment.files);
    vec_free(&options.symbolic.inputs.files);
    vec_free(&options.symbolic.inputs.globals);
    ir_program_free(program);
    arena_free(arena);
    return m.unusable ? EXIT_INCOMPLETE : EXIT_CLEAN;
}

const Command command_minimize = {
    .name = "minimize",
    .synopsis = "PROGRAM... --tests DIR [OPTIONS] [-- ARGUMENTS]",
    .summary = "the tests of a suite that differ in behaviour",
    .description = "Runs each test of a suite (Sheaf's or KLEE's .ktest files, JSON, or a corpus of raw inputs as libFuzzer keeps it) and\n"
                   "keeps one for each relevant slice condition: the conditions on the input that the output depends on. Tests of the\n"
                   "same condition compute the same output in the same way. They may run other lines all the same, so the\n"
                   "native coverage of all tests and of those kept is compared.",
    .example = "  $ sheaf minimize parser.c --tests sheaf-out --to kept\n",
    .options = minimize_tables,
    .settings_size = sizeof(MinimizeSettings),
    .run = minimize_run,
};
