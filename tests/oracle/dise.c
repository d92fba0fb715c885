/* dise.c - the explorer `change` on random programs and random edits: does it meet every sequence of impacted
 * nodes?
 *
 * Brute force is the same explorer without pruning, which must make as many runs as `full` does: its
 * sequences are all that there are. What is met with pruning are some of them, so that equal numbers mean
 * equal sets. With --prune published the rule of the paper's Figure 7 is tried, which loses some:
 * --expect-failures. */
#include "arguments.h"
#include "corpus.h"
#include "explore/explore_test.h"
#include "versions/versions.h"

enum { BATCH = 10 };

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, edits, failures, runs[2], sequences[2], affected;
    unsigned prune, order;
    bool expect_failures, local;
} Check;

typedef struct Counts {
    uint64_t runs, sequences;
    bool complete;
} Counts;

static Counts explore(const IrProgram *program, const VmEnvironment *environment, const char *explorer,
                      ExplorePrune prune, ExploreOrder order, const VersionsSites *impact)
{
    ExploreOptions o = {.explorer = explorer,
                        .solver_time = 60,
                        .max_runs = 20000,
                        .vm = {.max_steps = 10000000, .max_frames = CORPUS_FRAMES},
                        .symbolic = {.size_candidates = 8, .pointer_candidates = CORPUS_POINTERS},
                        .impact = impact->v,
                        .nimpact = impact->n,
                        .prune = prune,
                        .order = order};
    Explore *x = explore_new_test(program, environment, &o, &(ExploreTest){.weighs = true});
    explore_all(x);
    Counts c = {explore_count(x, EXPLORE_RUNS), explore_count(x, EXPLORE_SEQUENCES),
                !ledger_count(explore_ledger(x))};
    explore_free(x);
    return c;
}

static void check_program(Check *c, const Corpus *corpus, uint32_t number, const VersionsSites *impact)
{
    CorpusArguments args;
    VmEnvironment environment = corpus_environment(number, &args);
    Counts full = explore(corpus->ir, &environment, "full", 0, 0, impact);
    Counts all =
        explore(corpus->ir, &environment, "change", EXPLORE_PRUNE_NONE, EXPLORE_ORDER_DEFAULT, impact);
    Counts met =
        explore(corpus->ir, &environment, "change", (ExplorePrune)c->prune, (ExploreOrder)c->order, impact);
    c->runs[0] += all.runs;
    c->runs[1] += met.runs;
    c->sequences[0] += all.sequences;
    c->sequences[1] += met.sequences;
    c->affected += all.sequences > 1;
    if (full.runs != all.runs || full.complete != all.complete ||
        (all.complete && all.sequences != met.sequences)) {
        printf("FAIL seed %llu, %s: %llu paths, %llu without pruning; %llu sequences, %llu met\n",
               (unsigned long long)(c->seed + number), edit_word(corpus->edits[number].kind),
               (unsigned long long)full.runs, (unsigned long long)all.runs, (unsigned long long)all.sequences,
               (unsigned long long)met.sequences);
        c->failures++;
    }
}

static void check_batch(Check *c, uint32_t count)
{
    CorpusOptions options = {
        .clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count, .quiet = true};
    Corpus *old = corpus_new(&options);
    options.edits = c->edits;
    Corpus *new = corpus_new(&options);
    Versions *v = versions_pair((IrProgram *)old->ir, (IrProgram *)new->ir, 0);
    Flow *flows[] = {flow_new(old->ir, NULL), flow_new(new->ir, NULL)};
    VersionsSites impact = {0};
    if (c->local)
        versions_impact_local(v, flows[0], flows[1], &impact);
    else
        versions_impact(v, flows[0], flows[1], 0, &impact);
    for (uint32_t i = 0; i < count; i++)
        check_program(c, new, i, &impact);
    vec_free(&impact);
    flow_free(flows[0]);
    flow_free(flows[1]);
    versions_free(v);
    corpus_free(old);
    corpus_free(new);
}

int main(int argc, char **argv)
{
    static const ArgumentWord prunes[] = {
        {"complete", EXPLORE_PRUNE_COMPLETE}, {"published", EXPLORE_PRUNE_PUBLISHED}, {0}};
    static const ArgumentWord orders[] = {{"default", EXPLORE_ORDER_DEFAULT},
                                          {"greedy", EXPLORE_ORDER_GREEDY},
                                          {"random", EXPLORE_ORDER_RANDOM},
                                          {0}};
    Check c = {.programs = 100, .seed = 1, .edits = 1};
    const Argument table[] = {
        ARGUMENTS_OF_ALL(&c),
        {.name = "--edits", .help = "which edits: another number draws others", .number = &c.edits},
        {.name = "--prune", .help = "the rule", .choice = &c.prune, .words = prunes},
        {.name = "--order", .help = "of successors", .choice = &c.order, .words = orders},
        {.name = "--local", .help = "impact sets within functions, as the paper's", .set = &c.local},
        {.name = "--expect-failures", .help = "fail if no program does", .set = &c.expect_failures},
        {0},
    };
    arguments_read("dise", "Sequences of impacted nodes against brute force.", table, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    printf("%llu edits (%llu with several sequences), %llu paths, %llu runs, %llu of %llu sequences\n",
           (unsigned long long)c.programs, (unsigned long long)c.affected, (unsigned long long)c.runs[0],
           (unsigned long long)c.runs[1], (unsigned long long)c.sequences[1],
           (unsigned long long)c.sequences[0]);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    return c.expect_failures ? c.failures == 0 : c.failures != 0;
}
