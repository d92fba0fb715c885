/* testcase.c - the tests of a command: where they are written and how they are replayed. */
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
    suite_program_free(&m->suite_program);
}

SuiteTest *testcase_make(const TestMaker *m, const ExprPool *pool, const VmTrace *trace,
                         const ExprInput *input)
{
    ExploreTests all = {m->program, m->environment, &m->suite_program, m->program_hash};
    SuiteTest *test = explore_test(&all, pool, trace, input);
    exploring_check_words(m->settings, &test->checks);
    return test;
}

/* ---- where it goes --------------------------------------------------------------------------- */

Results *testcase_results(TestMaker *m)
{
    ResultsPlace place = {.directory = m->settings->directory,
                          .program = &m->suite_program,
                          .emit = m->emit,
                          .command = m->command,
                          .job = m->job,
                          .force = m->settings->force,
                          .resume = m->resume,
                          .fleet = m->fleet,
                          .store_most = m->store_most};
    if (!m->results)
        m->results = results_open(&place);
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
