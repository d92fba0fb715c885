/* witness.c - static dependence against what runs show, on random programs.
 *
 * usage: witness --clang CLANG --runtime FILE [--programs N] [--seed S] [--inputs N] [--policy
 * none|exits|faults]
 *                [--listed N]   objects that an instruction touches are listed up to so many, more are a set
 *
 * A run with labels tells for each decision the earlier decisions that it depends on, by data, control,
 * potential writes, addresses and object state, through registers, memory and calls. Each such pair is a
 * witness that the static analysis must have foreseen: flow_may_depend between the two instructions. Labels
 * follow the code of runtime/, static dependence its table of effects, in which prints do not depend on each
 * other's buffers: where a label has been through decisions of the library, it is no witness. */
#include "arguments.h"
#include "corpus.h"
#include "flow/flow.h"
#include "flow/flow_int.h"

#include <stdlib.h>

enum { BATCH = 25 };

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, inputs;
    unsigned policy;
    uint32_t listed;
    const IrProgram *program;
    Flow *flow;
    FlowSlices *slices;
    ExprPool *pool;
    Vm *vm;
    uint64_t witnesses, failures;
    bool failed;
} Check;

static void complain(Check *c, uint64_t seed, const VmDecision *from, const VmDecision *to)
{
    char a[256], b[256];
    printf("FAIL seed %llu: %s (kind %d) depends on %s (kind %d), but no slice says so\n",
           (unsigned long long)seed, ir_site_text(c->program, to->site, b, sizeof b), to->kind,
           ir_site_text(c->program, from->site, a, sizeof a), from->kind);
    c->failed = true;
}

static void check_pair(Check *c, uint64_t seed, const VmDecision *from, const VmDecision *to)
{
    c->witnesses++;
    if (!flow_may_depend(c->slices, (FlowSite){from->fn, from->block, from->insn},
                         (FlowSite){to->fn, to->block, to->insn}))
        complain(c, seed, from, to);
}

/* An assumption is the library's by where it stands only: what it assumes is the caller's. */
static bool is_library(const Check *c, const VmDecision *d)
{
    return c->program->fns.v[d->fn].runtime && d->kind != VM_DECISION_ASSUME;
}

/* Is everything that the decision depends on the user's own code? */
static bool is_witness(const Check *c, const VmTrace *t, const VmDecision *d)
{
    bool own = !is_library(c, d);
    for (uint32_t j = expr_set_next(c->pool, d->label, 0); own && j != UINT32_MAX;
         j = expr_set_next(c->pool, d->label, j + 1))
        own = !is_library(c, &t->decisions.v[j]);
    return own;
}

static void check_run(Check *c, uint64_t seed, uint32_t k)
{
    ExprInput input = {0};
    corpus_input(k, &input);
    VmTrace *t = vm_run_input(c->vm, &input, NULL);
    for (uint32_t i = 0; i < t->decisions.n && !c->failed; i++) {
        const VmDecision *d = &t->decisions.v[i];
        if (!is_witness(c, t, d))
            continue;
        for (uint32_t j = expr_set_next(c->pool, d->label, 0); j != UINT32_MAX;
             j = expr_set_next(c->pool, d->label, j + 1))
            check_pair(c, seed, &t->decisions.v[j], d);
    }
    vm_trace_free(c->vm, t);
    expr_input_free(&input);
}

static void check_program(Check *c, uint32_t number)
{
    CorpusArguments args;
    VmEnvironment environment = corpus_environment(number, &args);
    VmSymbolicOptions symbolic = {.size_candidates = 8,
                                  .pointer_candidates = CORPUS_POINTERS,
                                  .labels = true,
                                  .flow = c->flow,
                                  .policy = c->policy};
    Ledger *ledger = ledger_new();
    Rng rng;
    c->pool = expr_pool_new();
    c->vm = vm_new(c->program, &(VmOptions){.max_steps = 10000000, .max_frames = CORPUS_FRAMES});
    vm_symbolic(c->vm, c->pool, ledger, &environment, &symbolic);
    c->failed = false;
    rng_seed(&rng, c->seed + number);
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS && !c->failed; k++)
        if (rng_below(&rng, GENERATE_COMBINATIONS) < c->inputs)
            check_run(c, c->seed + number, k);
    c->failures += c->failed;
    vm_free(c->vm);
    expr_pool_free(c->pool);
    ledger_free(ledger);
}

static void check_batch(Check *c, uint32_t count)
{
    Corpus *corpus = corpus_new(
        &(CorpusOptions){.clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count});
    c->program = corpus->ir;
    c->flow = flow_new(corpus->ir, NULL);
    c->slices = flow_slices_new(c->flow, &(FlowSliceOptions){.policy = c->policy, .max_listed = c->listed});
    for (uint32_t i = 0; i < count; i++)
        check_program(c, i);
    printf("%u functions given up\n", flow_slices_cut(c->slices));
    flow_slices_free(c->slices);
    flow_free(c->flow);
    corpus_free(corpus);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--inputs", .help = "runs of a program, at most", .number = &c->inputs},
        ARGUMENT_POLICY(c),
        {.name = "--listed", .help = "objects that an instruction touches one by one", .choice = &c->listed},
        {0},
    };
    arguments_read("witness", "Static dependence against what runs show.", table, argc, argv);
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1, .inputs = 10};
    read_arguments(&c, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    printf("%llu programs, %llu dependences seen\n", (unsigned long long)c.programs,
           (unsigned long long)c.witnesses);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    return c.failures || !c.witnesses; /* what saw nothing has shown nothing */
}
