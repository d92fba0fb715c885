/* change.c - `dependence` restricted to what a change can affect, on random programs and on the paper's
 * example.
 *
 * usage: change --clang CLANG --runtime FILE [--programs N] [--seed S] [--expect-failures]
 *
 * In each program one instruction is taken as changed, by the seed. Explored in full, every failing check
 * that may depend on it (by a forward slice) must be found by the restricted exploration too, and so must
 * every side of such a branch. The example is a brake controller (wheel.c), whose 24 paths are 8 as far as
 * its first condition matters. Faults in the library (library.c) count where the change affects the call.
 * --expect-failures tells the exploration of a change in another program, to see that this can fail. */
#include "arguments.h"
#include "corpus.h"
#include "explore/explore.h"
#include "flow/flow.h"

#include <stdlib.h>

enum { BATCH = 10 };

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed;
    bool expect_failures;
    const IrProgram *program;
    Flow *flow;
    FlowInfluence *influence;
    Map affected; /* instructions that may depend on the change */
    Map seen[2];  /* what runs show of them: in full, restricted */
    unsigned side;
    uint64_t runs[2], faults[2], shown, lost, failures;
} Check;

static uint64_t place(uint32_t fn, uint32_t block, uint32_t insn)
{
    return hash_mix(hash_mix(fn, block), insn);
}

/* Sides that affected branches took, and affected checks that failed. */
static void on_run(void *context, const ExploreRun *run)
{
    Check *c = context;
    const VmTrace *t = run->trace;
    c->runs[c->side]++;
    c->faults[c->side] += t->result.ending == VM_END_FAULT;
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        const VmDecision *d = &t->decisions.v[i];
        uint64_t at = place(d->fn, d->block, d->insn);
        bool fails =
            d->kind == VM_DECISION_CHECK && i + 1 == t->decisions.n && t->result.ending == VM_END_FAULT;
        if (map_get(&c->affected, at, NULL) &&
            (fails || d->kind == VM_DECISION_BRANCH || d->kind == VM_DECISION_SWITCH))
            map_put(&c->seen[c->side], hash_mix(at, fails ? 1 : 2 + (uint64_t)d->took), 1);
    }
}

static void explore_side(Check *c, const VmEnvironment *environment, unsigned side, const FlowSite *changed)
{
    ExploreOptions o = {.explorer = side ? "dependence" : "full",
                        .solver_time = 60,
                        .max_runs = 20000,
                        .vm = {.max_steps = 10000000, .max_frames = CORPUS_FRAMES},
                        .symbolic = {.size_candidates = 8,
                                     .pointer_candidates = CORPUS_POINTERS,
                                     .flow = c->flow,
                                     .snapshot_bytes = 64 << 20},
                        .labels_of = "dependence",
                        .influence = side ? c->influence : NULL,
                        .changed = side ? changed : NULL,
                        .nchanged = side,
                        .on_run = on_run,
                        .context = c};
    c->side = side;
    Explore *x = explore_new(c->program, environment, &o);
    explore_all(x);
    explore_free(x);
}

static void slice(Check *c, const FlowSite *changed)
{
    FlowSites affected = flow_slice(c->influence, changed, 1, true);
    map_clear(&c->affected);
    for (uint32_t i = 0; i < affected.n; i++)
        map_put(&c->affected, place(affected.v[i].fn, affected.v[i].block, affected.v[i].insn), 1);
}

/* Explores both ways, the second told of one change: how much of what another affects was shown in full
 * only. */
static uint64_t compare(Check *c, const VmEnvironment *environment, const FlowSite *changed,
                        const FlowSite *told)
{
    uint64_t key, value, lost = 0;
    uint32_t cursor = 0;
    slice(c, changed);
    for (unsigned side = 0; side < 2; side++) {
        map_clear(&c->seen[side]);
        explore_side(c, environment, side, told);
    }
    c->shown += c->seen[0].n;
    while (map_next(&c->seen[0], &cursor, &key, &value))
        lost += !map_get(&c->seen[1], key, NULL);
    return lost;
}

/* ---- random programs ------------------------------------------------------------------------- */

/* An instruction of the program's own function. */
static FlowSite pick(const Check *c, uint32_t number, Rng *rng)
{
    char name[32];
    snprintf(name, sizeof name, "program_%u", number);
    uint32_t f = ir_fn_find(c->program, name);
    if (f == IR_NONE)
        die("change: no function %s", name);
    const IrFn *fn = &c->program->fns.v[f];
    uint32_t block = (uint32_t)rng_below(rng, fn->blocks.n);
    return (FlowSite){f, block, (uint32_t)rng_below(rng, fn->blocks.v[block].insns.n)};
}

static void check_batch(Check *c, uint32_t count)
{
    Corpus *corpus = corpus_new(&(CorpusOptions){
        .clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count, .quiet = true});
    c->program = corpus->ir;
    c->flow = flow_new(c->program, NULL);
    c->influence = flow_influence_new(c->flow, NULL);
    for (uint32_t i = 0; i < count; i++) {
        CorpusArguments args;
        VmEnvironment environment = corpus_environment(i, &args);
        Rng rng;
        rng_seed(&rng, c->seed + i);
        FlowSite changed = pick(c, i, &rng);
        FlowSite told = c->expect_failures ? pick(c, (i + 1) % count, &rng) : changed;
        uint64_t lost = compare(c, &environment, &changed, &told);
        if (lost) {
            printf("FAIL seed %llu: %llu lost, changed: block %u, instruction %u\n",
                   (unsigned long long)(c->seed + i), (unsigned long long)lost, changed.block, changed.insn);
            c->failures++;
        }
    }
    flow_influence_free(c->influence);
    flow_free(c->flow);
    corpus_free(corpus);
}

/* ---- the example ----------------------------------------------------------------------------- */

/* The first branch on a line. */
static FlowSite branch_at(const IrProgram *p, uint32_t line)
{
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; !p->fns.v[f].runtime && b < p->fns.v[f].blocks.n; b++) {
            const IrBlock *block = &p->fns.v[f].blocks.v[b];
            const IrInsn *last = &vec_last(&block->insns);
            if (last->op == IR_BR && last->site != IR_NONE && p->sites.v[last->site].line == line)
                return (FlowSite){f, b, block->insns.n - 1};
        }
    die("change: no branch on line %u", line);
}

static IrProgram *open_example(Check *c, const char *name)
{
    const char *root = getenv("SHEAF_SOURCE");
    Arena *arena = arena_new();
    FrontendOptions options = {.runtime = c->runtime, .entry = "main", .clang = c->clang};
    vec_push(&options.inputs, arena_printf(arena, "%s/tests/oracle/%s", root ? root : ".", name));
    vec_push(&options.cflags, arena_printf(arena, "-I%s/include", root ? root : "."));
    IrProgram *program = frontend_load(&options);
    c->program = program;
    c->flow = flow_new(program, NULL);
    c->influence = flow_influence_new(c->flow, NULL);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
    arena_free(arena);
    return program;
}

static void close_example(Check *c, IrProgram *program)
{
    flow_influence_free(c->influence);
    flow_free(c->flow);
    ir_program_free(program);
}

/* Explores it both ways with one argument. */
static uint64_t compare_example(Check *c, const char *word, uint32_t changed_line)
{
    const char *argv[] = {"example", word, NULL};
    VmEnvironment environment = {
        .argc = word ? 2 : 1, .argv = argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    FlowSite changed = branch_at(c->program, changed_line);
    memset(c->runs, 0, sizeof c->runs);
    memset(c->faults, 0, sizeof c->faults);
    return compare(c, &environment, &changed, &changed);
}

static void check_wheel(Check *c)
{
    IrProgram *program = open_example(c, "wheel.c");
    uint64_t lost = compare_example(c, NULL, 13);
    printf("wheel.c: %llu paths, %llu where the change matters\n", (unsigned long long)c->runs[0],
           (unsigned long long)c->runs[1]);
    c->failures += lost || c->runs[0] != 24 || c->runs[1] != 8;
    close_example(c, program);
}

/* A fault in the library, below a call that the change affects. */
static void check_library(Check *c)
{
    static const char *const ways[] = {"r", "p", "c", "f"};
    IrProgram *program = open_example(c, "library.c");
    for (uint32_t i = 0; i < COUNT_OF(ways); i++) {
        uint64_t lost = compare_example(c, ways[i], 20);
        if (!lost && c->faults[0] && c->faults[1])
            continue;
        printf("FAIL library.c, %s: %llu faults in full, %llu found\n", ways[i],
               (unsigned long long)c->faults[0], (unsigned long long)c->faults[1]);
        c->failures++;
    }
    close_example(c, program);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--expect-failures", .help = "fail if no program does", .set = &c->expect_failures},
        {0},
    };
    arguments_read("change", "What a change can affect, by slices against runs.", table, argc, argv);
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1};
    read_arguments(&c, argc, argv);
    check_wheel(&c);
    check_library(&c);
    c.runs[0] = c.runs[1] = c.shown = 0;
    for (uint64_t left = c.programs; left;) {
        uint32_t count = left < BATCH ? (uint32_t)left : BATCH;
        check_batch(&c, count);
        c.seed += count;
        left -= count;
    }
    printf("%llu programs, %llu runs (full: %llu), %llu affected sides and faults\n",
           (unsigned long long)c.programs, (unsigned long long)c.runs[1], (unsigned long long)c.runs[0],
           (unsigned long long)c.shown);
    printf("%llu failed\n", (unsigned long long)c.failures);
    map_free(&c.affected);
    map_free(&c.seen[0]);
    map_free(&c.seen[1]);
    return c.expect_failures ? c.failures == 0 : c.failures != 0;
}
