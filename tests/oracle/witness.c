/* witness.c - static dependence against what runs show, on random programs.
 *
 * usage: witness --clang CLANG --runtime FILE [--programs N] [--seed S] [--inputs N] [--policy
 * none|exits|faults]
 *                [--listed N]   objects that an instruction touches are listed up to so many, more are a set
 *
 * A run with labels tells for each decision the earlier decisions that it depends on, by data, control,
 * potential writes, addresses and object state, through registers, memory and calls. Each such pair is a
 * witness that the static analysis must have foreseen: flow_may_depend between the two instructions, and
 * interaction between the two instances (call path and loop counters) unless the later one reaches no sink at
 * all. Labels follow the code of runtime/, static dependence its table of effects, in which prints do not
 * depend on each other's buffers: where a label has been through decisions of the library, it is no
 * witness. */
#include "arguments.h"
#include "corpus.h"
#include "instances.h"

#include <stdlib.h>

enum { BATCH = 25 }; /* the main of more calls too many functions: influence would not open them */

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, inputs;
    unsigned policy;
    uint32_t listed;
    const IrProgram *program;
    Flow *flow;
    FlowInfluence *influence;
    Instances instances;
    ExprPool *pool;
    Vm *vm;
    uint64_t witnesses, apart, pairs, failures;
    bool failed;
} Check;

typedef struct Instance {
    FlowIterationVec iterations;
    FlowInstance face;
} Instance;

/* The decision as the static analysis names it. */
static Instance locate(Check *c, const VmTrace *t, const VmDecision *d)
{
    Instance x = {0};
    x.face = instance_of(&c->instances, d, t->loops.v, &x.iterations);
    return x;
}

static void complain(Check *c, uint64_t seed, const VmDecision *from, const VmDecision *to, const char *what)
{
    char a[256], b[256];
    printf("FAIL seed %llu: %s (kind %d) depends on %s (kind %d), but %s\n", (unsigned long long)seed,
           ir_site_text(c->program, to->site, b, sizeof b), to->kind,
           ir_site_text(c->program, from->site, a, sizeof a), from->kind, what);
    c->failed = true;
}

static void check_pair(Check *c, uint64_t seed, const VmTrace *t, const VmDecision *from,
                       const VmDecision *to)
{
    c->witnesses++;
    if (!flow_may_depend(c->influence, (FlowSite){from->fn, from->block, from->insn},
                         (FlowSite){to->fn, to->block, to->insn}))
        complain(c, seed, from, to, "no slice says so");
    Instance a = locate(c, t, from), b = locate(c, t, to);
    if (flow_item_keep(c->influence, b.face.item) && !flow_instances_interact(c->influence, &a.face, &b.face))
        complain(c, seed, from, to, "they do not interact");
    vec_free(&a.iterations);
    vec_free(&b.iterations);
}

/* How much is pruned: pairs of decisions that do not interact. */
static void count_apart(Check *c, const VmTrace *t)
{
    for (uint32_t k = 0; k < t->decisions.n && k < 40; k++)
        for (uint32_t i = 0; i < k; i++) {
            Instance a = locate(c, t, &t->decisions.v[i]), b = locate(c, t, &t->decisions.v[k]);
            c->pairs++;
            c->apart += !flow_instances_interact(c->influence, &a.face, &b.face);
            vec_free(&a.iterations);
            vec_free(&b.iterations);
        }
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
            check_pair(c, seed, t, &t->decisions.v[j], d);
    }
    count_apart(c, t);
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
                                  .policy = c->policy,
                                  .iterations = true};
    Ledger *ledger = ledger_new();
    Rng rng;
    c->pool = expr_pool_new();
    c->vm = vm_new(c->program, &(VmOptions){.max_steps = 10000000, .max_frames = CORPUS_FRAMES});
    vm_symbolic(c->vm, c->pool, ledger, &environment, &symbolic);
    instances_init(&c->instances, c->vm, c->program, c->influence);
    c->failed = false;
    rng_seed(&rng, c->seed + number);
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS && !c->failed; k++)
        if (rng_below(&rng, GENERATE_COMBINATIONS) < c->inputs)
            check_run(c, c->seed + number, k);
    c->failures += c->failed;
    instances_free(&c->instances);
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
    c->influence =
        flow_influence_new(c->flow, &(FlowInfluenceOptions){.policy = c->policy, .max_listed = c->listed});
    for (uint32_t i = 0; i < count; i++)
        check_program(c, i);
    FlowInfluenceStats s = flow_influence_stats(c->influence);
    printf("%u functions (%u given up), %u contexts (%u closed), %u items, %u sinks, %llu nodes\n",
           s.functions, s.cut, s.contexts, s.closed, s.items, s.sinks, (unsigned long long)s.nodes);
    flow_influence_free(c->influence);
    flow_free(c->flow);
    corpus_free(corpus);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    static const ArgumentWord policies[] = {
        {"none", 0}, {"exits", FLOW_TIE_EXITS}, {"faults", FLOW_TIE_FAULTS | FLOW_TIE_EXITS}, {0}};
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--inputs", .help = "runs of a program, at most", .number = &c->inputs},
        {.name = "--policy",
         .help = "ways to end that are control flow",
         .choice = &c->policy,
         .words = policies},
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
    while (left) {
        uint32_t count = left < BATCH ? (uint32_t)left : BATCH;
        check_batch(&c, count);
        c.seed += count;
        left -= count;
    }
    printf("%llu programs, %llu dependences seen, %.0f %% of pairs of decisions do not interact\n",
           (unsigned long long)c.programs, (unsigned long long)c.witnesses,
           c.pairs ? 100.0 * (double)c.apart / (double)c.pairs : 0.0);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    return c.failures || !c.witnesses; /* what saw nothing has shown nothing */
}
