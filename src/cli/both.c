/* both.c - a difference that was found on the machines, run natively on both builds before it is reported. */
#include "cli/both.h"
#include "explore/explore.h"

enum { NATIVE_SECONDS = 10 }; /* of one native run */

static void begin_version(Both *b, unsigned v, const char *command, const OptionArgs *args,
                          const IrProgram *program)
{
    Str error = {0};
    TestMaker *m = &b->maker[v];
    *m = (TestMaker){.command = command,
                     .settings = b->settings,
                     .args = args,
                     .arena = b->arena,
                     .environment = b->environment,
                     .program = program,
                     .suite_program = {.inputs = b->version[v]->program.inputs,
                                       .flags = b->settings->program.cflags,
                                       .producer = "sheaf " SHEAF_VERSION,
                                       .entry = "main"}};
    if (!suite_program_hash(&b->version[v]->program, m->program_hash, &error))
        die("%s", str_text(&error));
}

void both_init(Both *b, const char *command, const ExploringSettings *settings, const OptionArgs *args,
               Arena *arena, const VmEnvironment *environment, const Obtained *obtained,
               IrProgram *const program[2])
{
    *b = (Both){.settings = settings,
                .environment = environment,
                .arena = arena,
                .version = {&obtained->old, &obtained->new}};
    for (unsigned v = 0; v < 2; v++)
        begin_version(b, v, command, args, program[v]);
}

void both_free(Both *b)
{
    for (unsigned v = 0; v < 2; v++) {
        suite_replay_free(b->replay[v]);
        for (uint32_t i = 0; i < b->entries[v].n; i++)
            vec_free(&b->entries[v].v[i].names);
        vec_free(&b->entries[v]);
    }
    for (uint32_t i = 0; i < b->pins.n; i++)
        suite_test_free(b->pins.v[i].test);
    vec_free(&b->pins);
    results_free(b->maker[VERSIONS_NEW].results);
}

SuiteReplay *both_replay(Both *b, unsigned v)
{
    if (b->replay[v])
        return b->replay[v];
    char *library = program_own_file("native/replay.c");
    SuiteReplayOptions options = {.library = library ? arena_strdup(b->arena, library) : NULL,
                                  .files = program_suite_files(b->environment, b->arena),
                                  .nfiles = b->environment->files.n,
                                  .interrupt = exploring_interrupt(),
                                  .timeout = NATIVE_SECONDS,
                                  .program = b->version[v]->program};
    mem_free(library);
    return b->replay[v] = suite_replay_new(&options);
}

static const char *entry_of(const Joint *j, unsigned v)
{
    return j->options.entry[v] ? j->options.entry[v] : "main";
}

static uint32_t input_of(const VmTrace *t, ExprObject object)
{
    uint32_t i = 0;
    while (i < t->inputs.n && t->inputs.v[i].object.id != object.id)
        i++;
    return i;
}

static bool has_link(const VmTrace *t, uint32_t input, uint32_t offset)
{
    for (uint32_t i = 0; i < t->links.n; i++)
        if (t->links.v[i].input == input && t->links.v[i].offset == offset)
            return true;
    return false;
}

/* What one version reads of an input is there for the other as well: both are run on the same. */
static void add_inputs(VmTrace *to, const VmTrace *from)
{
    for (uint32_t i = 0; i < from->inputs.n; i++)
        if (input_of(to, from->inputs.v[i].object) == to->inputs.n)
            vec_push(&to->inputs, from->inputs.v[i]);
    for (uint32_t i = 0; i < from->links.n; i++) {
        VmInputLink link = from->links.v[i];
        link.input = input_of(to, from->inputs.v[link.input].object);
        link.target = input_of(to, from->inputs.v[link.target].object);
        if (!has_link(to, link.input, link.offset))
            vec_push(&to->links, link);
    }
}

/* By version: a test with this input. */
static void make_tests(Both *b, Joint *j, const ExprInput *input, SuiteTest *test[2])
{
    VmTrace *trace[2];
    for (unsigned v = 0; v < 2; v++)
        trace[v] = joint_run(j, v, input);
    for (unsigned v = 0; v < 2; v++)
        add_inputs(trace[v], trace[!v]);
    for (unsigned v = 0; v < 2; v++) {
        b->maker[v].suite_program.entry = entry_of(j, v);
        test[v] = testcase_make(&b->maker[v], j->pool, trace[v], input);
        vm_trace_free(j->vm[v], trace[v]);
    }
    both_name_old(b, test[VERSIONS_OLD],
                  (const char *const[]){entry_of(j, VERSIONS_OLD), entry_of(j, VERSIONS_NEW)});
}

/* The temporary directory of a revision means nothing to people: its files are named as in the repository. */
static const char *without_root(Both *b, unsigned v, const char *text)
{
    const char *root = b->version[v]->root, *at = root ? strstr(text, root) : NULL;
    if (!at || at[strlen(root)] != '/')
        return text;
    return arena_printf(b->arena, "%.*s%s", (int)(at - text), text, at + strlen(root) + 1);
}

static const char *ending_of(Both *b, unsigned v, const SuiteShown *s)
{
    Str text = {0};
    suite_shown_ending(s, &text);
    const char *result = without_root(b, v, arena_strdup(b->arena, str_text(&text)));
    str_free(&text);
    return result;
}

/* A test of NEW: by its path, or as text where none is written. True: it was. */
static bool keep_test(Both *b, SuiteTest *test, DiffFinding *finding)
{
    if (b->written && results_add(testcase_results(&b->maker[VERSIONS_NEW]), test, NULL)) {
        finding->test = arena_strdup(b->arena, test->path);
        return true;
    }
    Str text = {0};
    suite_test_print(test, &text);
    finding->input = arena_strdup(b->arena, str_text(&text));
    str_free(&text);
    return false;
}

/* Is the test's input one of the row's for which the versions differ? What the machine cannot be given is
 * not. */
static bool test_shows(Joint *j, const SuiteTest *t, const JointRow *row)
{
    const char *why = NULL;
    if (strcmp(t->entry, entry_of(j, VERSIONS_NEW)))
        return false;
    ExprInput input = {0};
    vm_trace_free(j->vm[VERSIONS_NEW], explore_retrace_on(j->vm[VERSIONS_NEW], j->pool, t, &input, &why));
    bool shows = !why && (expr_is_none(row->where) || expr_eval_once(j->pool, &input, row->where));
    for (uint32_t i = 0; shows && i < row->condition.n; i++)
        shows = expr_eval_once(j->pool, &input, row->condition.v[i]);
    expr_input_free(&input);
    return shows;
}

/* A test of the suite whose input is one of the row's; NULL: there is none. */
static const char *find_test(const Both *b, Joint *j, const JointRow *row)
{
    for (uint32_t i = 0; b->suite && i < b->suite->n; i++)
        if (test_shows(j, b->suite->v[i], row))
            return b->suite->v[i]->path;
    return NULL;
}

void both_alike(void *context, Joint *j, const JointRow *row, DiffFinding *finding)
{
    if (!finding->tested && !finding->tested_alike)
        finding->tested_alike = find_test(context, j, row);
}

/* Keeps the test of the version whose behaviour is pinned. */
static void pin(Both *b, const Joint *j, SuiteTest *test[2])
{
    BothPin p = {.test = test[b->pinned]};
    for (unsigned v = 0; v < 2; v++)
        p.entry[v] = arena_strdup(b->arena, entry_of(j, v));
    vec_push(&b->pins, p);
    test[b->pinned] = NULL;
}

/* The row's input on both builds. Of a run that the machine did not end within its limits the input is not
 * all known, and it is not run natively. */
static void run_both(Both *b, Joint *j, const JointRow *row, SuiteTest *test[2], SuiteShown shown[2])
{
    make_tests(b, j, &row->input, test);
    for (unsigned v = 0; v < 2; v++) {
        if (test[v]->ending == SUITE_END_LIMIT)
            shown[v] = (SuiteShown){.arena = arena_new(), .message = test[v]->message, .stopped = ""};
        else
            suite_replay_show(both_replay(b, v), test[v], &shown[v]);
    }
}

bool both_confirm(void *context, Joint *j, const DiffFn *f, const JointRow *row, DiffFinding *finding)
{
    Both *b = context;
    SuiteTest *test[2];
    SuiteShown shown[2] = {{0}};
    Str difference = {0};
    bool ran = true, differ = true;
    (void)f;
    run_both(b, j, row, test, shown);
    for (unsigned v = 0; v < 2; v++)
        ran &= shown[v].ran && !*shown[v].stopped;
    if (ran) {
        differ = suite_shown_differ(&shown[0], &shown[1], NULL, NULL, &difference);
        finding->confirmed = differ;
        finding->difference =
            differ
                ? without_root(b, VERSIONS_NEW,
                               without_root(b, VERSIONS_OLD, arena_strdup(b->arena, str_text(&difference))))
                : NULL;
        for (unsigned v = 0; v < 2; v++)
            finding->native[v] = ending_of(b, v, &shown[v]);
    } else {
        unsigned v = shown[0].ran && !*shown[0].stopped;
        finding->native[0] = arena_strdup(b->arena, !shown[v].ran ? shown[v].message : shown[v].stopped);
    }
    if (differ)
        finding->tested = find_test(b, j, row);
    if (differ && finding->tested)
        finding->test = finding->tested;
    else if (differ && keep_test(b, test[VERSIONS_NEW], finding) && b->emit && ran)
        pin(b, j, test);
    for (unsigned v = 0; v < 2; v++) {
        suite_test_free(test[v]);
        suite_shown_free(&shown[v]);
    }
    str_free(&difference);
    return differ;
}

const char *both_unended(void *context, Joint *j, const JointRow *row)
{
    Both *b = context;
    SuiteShown shown[2] = {{0}};
    SuiteTest *test[2];
    const char *said = NULL;
    make_tests(b, j, &row->input, test);
    for (unsigned v = 0; v < 2; v++)
        suite_replay_show(both_replay(b, v), test[v], &shown[v]);
    bool ran = shown[0].ran && shown[1].ran && !*shown[0].stopped && !*shown[1].stopped;
    if (ran && shown[0].timed_out != shown[1].timed_out) {
        unsigned hangs = shown[1].timed_out;
        DiffFinding kept = {0};
        if (keep_test(b, test[VERSIONS_NEW], &kept) && b->emit)
            pin(b, j, test);
        said = arena_printf(b->arena, "the %s version does not end within %d s where the %s one %s: %s",
                            hangs ? "new" : "old", (int)NATIVE_SECONDS, hangs ? "old" : "new",
                            ending_of(b, !hangs, &shown[!hangs]), kept.test ? kept.test : kept.input);
    }
    for (unsigned v = 0; v < 2; v++) {
        suite_test_free(test[v]);
        suite_shown_free(&shown[v]);
    }
    return said;
}
