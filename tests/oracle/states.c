/* states.c - programs written by hand on which the explorer `states` must agree with `full`, and must not
 * when a part of the key is left out.
 *
 * usage: states --clang CLANG --runtime FILE --file FILE [--entry F] [--bytes N] [--printed] [--off RULES]
 *
 * Checked: both are complete; the same places fail, in the same way; as many branch outcomes are taken; one
 * state and one outcome have one successor. With --printed: its signature has as many rows as that of the
 * explorer `output`. With --off (rules of sym_key.c, as bits) all that must fail. */
#include "arguments.h"
#include "explore/explore_test.h"
#include "frontend/frontend.h"

typedef struct Check {
    const char *clang, *runtime, *file, *entry;
    uint64_t programs, seed; /* of random ones: nothing here */
    uint64_t bytes;
    unsigned off;
    bool printed;
    const IrProgram *program;
    Map faults; /* kind and site */
} Check;

static void on_run(void *context, const ExploreRun *run)
{
    Check *c = context;
    const VmResult *r = &run->trace->result;
    if (r->ending == VM_END_FAULT)
        map_put(&c->faults, (uint64_t)r->fault << 32 | r->site, 1);
}

static Explore *explored(Check *c, const char *explorer, unsigned off)
{
    bool signs = c->printed && !strcmp(explorer, "states");
    static const char *const argv[] = {"program", NULL};
    static const VmEnvironment environment = {
        .argc = 1, .argv = argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    ExploreOptions options = {.explorer = explorer,
                              .sign = signs,
                              .labels_of = signs ? "output" : NULL,
                              .criteria = {.what = EXPLORE_STDOUT},
                              .solver_time = 60,
                              .max_runs = 20000,
                              .vm = {.max_steps = 10000000},
                              .symbolic = {.size_candidates = 8,
                                           .pointer_candidates = 8,
                                           .rules_off = off,
                                           .verify = true,
                                           .snapshot_bytes = 64 << 20,
                                           .inputs = {.stdin_symbolic = !c->entry[0],
                                                      .stdin_size = (uint32_t)c->bytes,
                                                      .entry = c->entry[0] ? c->entry : NULL,
                                                      .pointer_objects = 4,
                                                      .object_size = 4}},
                              .on_run = on_run,
                              .context = c};
    map_clear(&c->faults);
    Explore *x = explore_new_test(c->program, &environment, &options, &(ExploreTest){.weighs = true});
    explore_all(x);
    return x;
}

static bool same_faults(const Map *a, const Map *b)
{
    uint32_t cursor = 0;
    uint64_t key, value;
    while (map_next(a, &cursor, &key, &value))
        if (!map_get(b, key, NULL))
            return false;
    return a->n == b->n;
}

static bool prints_alike(Check *c)
{
    Explore *output = explored(c, "output", 0), *x = explored(c, "states", c->off);
    uint32_t rows = explore_signature(output)->rows.n, found = explore_signature(x)->rows.n;
    bool complete = !ledger_count(explore_ledger(output)) && !ledger_count(explore_ledger(x));
    printf("%u rows (output: %u)\n", found, rows);
    explore_free(output);
    explore_free(x);
    map_free(&c->faults);
    return complete && rows == found;
}

static bool agrees(Check *c)
{
    Explore *full = explored(c, "full", 0);
    Map faults = c->faults;
    c->faults = (Map){0};
    Explore *x = explored(c, "states", c->off);
    uint32_t all = vm_coverage(explore_vm(full)).branches_covered,
             covered = vm_coverage(explore_vm(x)).branches_covered;
    printf("%llu runs (full: %llu), %u faults (full: %u), %u branch outcomes (full: %u)\n",
           (unsigned long long)explore_count(x, EXPLORE_RUNS),
           (unsigned long long)explore_count(full, EXPLORE_RUNS), c->faults.n, faults.n, covered, all);
    bool complete = !ledger_count(explore_ledger(full)) && !ledger_count(explore_ledger(x));
    bool same =
        complete && same_faults(&faults, &c->faults) && all == covered && !explore_count(x, EXPLORE_DIVERGED);
    explore_free(full);
    explore_free(x);
    map_free(&faults);
    map_free(&c->faults);
    return same;
}

int main(int argc, char **argv)
{
    Check c = {.programs = 1, .bytes = 3, .entry = ""};
    const Argument table[] = {
        ARGUMENTS_OF_ALL(&c),
        {.name = "--file", .help = "the program", .text = &c.file},
        {.name = "--entry", .help = "a function to call instead of main", .text = &c.entry},
        {.name = "--bytes", .help = "of standard input", .number = &c.bytes},
        {.name = "--printed", .help = "compare what is printed", .set = &c.printed},
        {.name = "--off", .help = "parts of the key left out, as bits", .choice = &c.off},
        {0},
    };
    arguments_read("states", "The explorer `states` against `full`, on a program.", table, argc, argv);
    FrontendOptions options = {
        .runtime = c.runtime, .entry = c.entry[0] ? c.entry : "main", .clang = c.clang};
    vec_push(&options.inputs, c.file);
    c.program = frontend_load(&options);
    vec_free(&options.inputs);
    bool same = c.printed ? prints_alike(&c) : agrees(&c);
    ir_program_free((IrProgram *)c.program);
    if (same != !c.off)
        printf("FAIL: %s\n", same ? "the part that is left out is not missed" : "states and full disagree");
    return same != !c.off;
}
