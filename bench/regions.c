/* regions.c - what each task of an exploration costs, and which run it follows from: for parallel.py, which
 * simulates how many workers would share the work.
 *
 * usage: regions CLANG RUNTIME FILE BYTES [FLAGS FOR CLANG], on standard output a line for each task: parent,
 * run, microseconds. Runs are numbers from 1 on; parent 0: none; run 0: the task had no input. */
#include "explore/explore_test.h"
#include "frontend/frontend.h"

#include <stdlib.h>

typedef struct Recorder {
    Map runs; /* address to number */
    uint64_t n;
} Recorder;

static void on_task(void *context, const void *parent, const void *run, double seconds)
{
    Recorder *r = context;
    uint64_t from = parent ? map_get_or(&r->runs, (uintptr_t)parent, 0) : 0;
    if (run)
        map_put(&r->runs, (uintptr_t)run, ++r->n);
    printf("%llu %llu %.1f\n", (unsigned long long)from, (unsigned long long)(run ? r->n : 0), seconds * 1e6);
}

int main(int argc, char **argv)
{
    static const char *const arguments[] = {"program", NULL};
    static const VmEnvironment environment = {
        .argc = 1, .argv = arguments, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    if (argc < 5)
        die("usage: regions CLANG RUNTIME FILE BYTES [FLAGS FOR CLANG]");
    Recorder recorder = {0};
    FrontendOptions load = {.runtime = argv[2], .entry = "main", .clang = argv[1]};
    vec_push(&load.inputs, argv[3]);
    for (int i = 5; i < argc; i++)
        vec_push(&load.cflags, argv[i]);
    IrProgram *program = frontend_load(&load);
    uint32_t bytes = (uint32_t)strtoul(argv[4], NULL, 10);
    ExploreOptions options = {.explorer = "full",
                              .solver_time = 10,
                              .max_time = 120,
                              .vm = {.max_steps = 100000000},
                              .symbolic = {.size_candidates = 8,
                                           .pointer_candidates = 8,
                                           .snapshot_bytes = 256 << 20,
                                           .inputs = {.stdin_symbolic = bytes > 0, .stdin_size = bytes}},
                              .context = &recorder};
    Explore *x = explore_new_test(program, &environment, &options, &(ExploreTest){.on_task = on_task});
    explore_all(x);
    explore_free(x);
    ir_program_free(program);
    map_free(&recorder.runs);
    vec_free(&load.inputs);
    vec_free(&load.cflags);
    return 0;
}
