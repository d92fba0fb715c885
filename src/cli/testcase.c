/* testcase.c - a run becomes a test: its inputs, how it ended, where it is written and how it is replayed. */
#include "cli/testcase.h"

#include <stdlib.h>

/* For replay: which program the tests are of. */
static void name_program(TestMaker *m)
{
    Str error = {0};
    FrontendOptions native = program_frontend(&m->settings->program, m->args, m->arena);
    if (!suite_program_hash(&native, m->program_hash, &error))
        die("%s", str_text(&error));
    vec_free(&native.inputs);
    vec_free(&native.cflags);
}

void testcase_init(TestMaker *m, const char *command, const ExploringSettings *settings,
                   const OptionArgs *args, Arena *arena, const VmEnvironment *environment,
                   const IrProgram *program)
{
    *m = (TestMaker){.command = command,
                     .settings = settings,
                     .args = args,
                     .arena = arena,
                     .environment = environment,
                     .program = program,
                     .suite_program = {.inputs = args->plain,
                                       .flags = settings->program.cflags,
                                       .producer = "sheaf " SHEAF_VERSION,
                                       .entry = settings->entry ? settings->entry : "main"}};
    name_program(m);
}

void testcase_end_replay(TestMaker *m)
{
    suite_replay_free(m->replay);
    m->replay = NULL;
    vec_free(&m->native.inputs);
    vec_free(&m->native.cflags);
}

void testcase_free(TestMaker *m)
{
    testcase_end_replay(m);
    results_free(m->results);
    vec_free(&m->suite_program.types);
    vec_free(&m->suite_program.names);
    vec_free(&m->suite_program.entry_flags);
    vec_free(&m->suite_program.own_flags);
}

/* ---- a run becomes a test -------------------------------------------------------------------- */

static void add_inputs(SuiteTest *test, const ExprPool *pool, const VmTrace *trace, const ExprInput *input)
{
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const VmInputUse *use = &trace->inputs.v[i];
        const ExprObjectInfo *info = expr_object_info(pool, use->object);
        uint8_t *bytes = arena_alloc(test->arena, use->size + 1);
        for (uint32_t k = 0; k < use->size; k++)
            bytes[k] = expr_input_byte(input, info->at + k);
        uint32_t size =
            use->origin == VM_INPUT_ARGUMENT ? (uint32_t)strnlen((const char *)bytes, use->size) : use->size;
        SuiteObject *o = suite_test_add(test, (SuiteOrigin)use->origin, info->name, bytes, size);
        o->type = (SuiteType){(SuiteKind)(info->type.kind + 1), info->type.element};
        if (use->of)
            o->of = arena_strdup(test->arena, use->of);
        if (use->origin == VM_INPUT_CALLBACK)
            o->data = (const uint8_t *)o->of; /* of a function only that counts */
    }
    for (uint32_t i = 0; i < trace->links.n; i++) {
        const VmInputLink *l = &trace->links.v[i];
        vec_push(&test->links, (SuiteLink){l->input, l->offset, l->target, l->delta});
    }
}

/* Does the block of this place call reach_error before it? As in { reach_error(); abort(); } with an empty
 * one. */
static bool follows_error(const IrProgram *p, uint32_t fn, uint32_t site)
{
    uint32_t error = ir_fn_find(p, "reach_error");
    const IrFn *f = &p->fns.v[fn];
    for (uint32_t b = 0; error != IR_NONE && b < f->blocks.n; b++) {
        bool called = false;
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &f->blocks.v[b].insns.v[i];
            if (called && insn->site == site)
                return true;
            called |= insn->op == IR_CALL && insn->a == error;
        }
    }
    return false;
}

static bool covers_error(const IrProgram *p, const VmResult *r)
{
    for (uint32_t i = 0; i < r->stack.n; i++)
        if (!p->fns.v[r->stack.v[i].fn].runtime && follows_error(p, r->stack.v[i].fn, r->stack.v[i].site))
            return true;
    return false;
}

static void add_ending(const TestMaker *m, SuiteTest *test, const VmResult *r)
{
    char where[512];
    test->ending = (SuiteEnding)(r->ending + 1);
    test->status = r->status & 0xff;
    test->message = arena_strdup(test->arena, r->message);
    test->site = arena_strdup(test->arena, !report_is_users(m->program, r->site)
                                               ? ""
                                               : ir_site_text(m->program, r->site, where, sizeof where));
    if (r->ending == VM_END_FAULT)
        test->fault = vm_fault_suffix(r->fault);
    test->function = report_function(m->program, r);
    test->covers_error = covers_error(m->program, r);
}

/* So that a test is whole by itself. */
static void add_files(const TestMaker *m, SuiteTest *test)
{
    for (uint32_t i = 0; i < m->environment->files.n; i++) {
        const VmFile *f = &m->environment->files.v[i];
        if (f->size <= TESTCASE_FILE_MOST)
            suite_test_add(test, SUITE_FROM_FILE, f->name, f->data, f->size)->of = f->name;
    }
}

SuiteTest *testcase_make(const TestMaker *m, const ExprPool *pool, const VmTrace *trace,
                         const ExprInput *input)
{
    SuiteTest *test = suite_test_new();
    for (int i = 0; i < m->environment->argc; i++)
        vec_push(&test->argv, m->environment->argv[i]);
    for (uint32_t i = 0; i < m->suite_program.inputs.n; i++)
        vec_push(&test->inputs, m->suite_program.inputs.v[i]);
    for (uint32_t i = 0; i < m->suite_program.flags.n; i++)
        vec_push(&test->flags, m->suite_program.flags.v[i]);
    exploring_check_words(m->settings, &test->checks);
    test->entry = m->suite_program.entry;
    test->program = m->program_hash;
    add_inputs(test, pool, trace, input);
    add_files(m, test);
    add_ending(m, test, &trace->result);
    return test;
}

/* ---- where it goes --------------------------------------------------------------------------- */

Results *testcase_results(TestMaker *m)
{
    if (!m->results)
        m->results =
            results_open(m->settings->directory, &m->suite_program, m->emit, m->settings->force, m->command);
    return m->results;
}

void testcase_name(const TestMaker *m, const SuiteTest *test, ReportFault *f)
{
    Str text = {0};
    bool written = test->path[0];
    if (!written)
        suite_test_print(test, &text);
    f->test = written ? arena_strdup(m->arena, test->path) : NULL;
    f->input = written ? NULL : arena_strdup(m->arena, str_text(&text));
    str_free(&text);
}

SuiteReplay *testcase_replay(TestMaker *m)
{
    if (m->replay)
        return m->replay;
    char *library = program_own_file("native/replay.c");
    SuiteReplayOptions options = {.library = library ? arena_strdup(m->arena, library) : NULL,
                                  .entry = m->settings->entry,
                                  .coverage = m->coverage};
    mem_free(library);
    options.files = program_suite_files(m->environment, m->arena);
    options.nfiles = m->environment->files.n;
    options.interrupt = exploring_interrupt();
    options.program = m->native = program_frontend(&m->settings->program, m->args, m->arena);
    m->replay = suite_replay_new(&options);
    return m->replay;
}
