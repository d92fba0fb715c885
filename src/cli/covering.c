/* covering.c - see covering.h. */
#include "cli/covering.h"

enum { FREE_STEPS = 1 << 20, SHARE = 4 }; /* made again: so many, and a quarter of all there were */

void covering_begin(Covering *c) { c->pool = NULL; }
void covering_seen(Covering *c, const ExploreRun *run) { c->steps += run->rank ? 0 : run->trace->own_steps; }

/* Its inputs are those of the exploration, by their place in its pool. */
static void prepare(Covering *c, ExprPool *pool)
{
    const VmSymbolicOptions *of = &c->options->symbolic;
    VmSymbolicOptions o = {.inputs = of->inputs,
                           .size_candidates = 1,
                           .pointer_candidates = of->pointer_candidates,
                           /* as explore/initialised.c: where objects are made as expressions lead to them */
                           .concrete = !of->inputs.entry && ir_fn_find(c->program, "sheaf_array") == IR_NONE};
    if (!c->vm) {
        c->vm = vm_new(c->program, &c->options->vm);
        c->ledger = ledger_new();
    }
    vm_symbolic(c->vm, pool, c->ledger, c->environment, &o);
    c->pool = pool;
}

bool covering_measure(Covering *c, const ExploreRun *run, BitSet *out)
{
    const VmResult *r = &run->trace->result;
    ExprPool *pool = explore_pool(run->explore);
    if (c->options->vm.external == VM_EXTERNAL_ALL) /* what is called natively may act, or wait, again */
        return false;
    if (!run->rank && c->measured + r->steps > FREE_STEPS + c->steps / SHARE)
        return false;
    c->measured += run->rank ? 0 : r->steps;
    if (pool != c->pool)
        prepare(c, pool);
    vm_step_limit(c->vm, r->steps + 1);
    VmTrace *again = vm_run_input(c->vm, run->input, NULL);
    bool same = again->result.ending == r->ending && again->result.site == r->site &&
                (r->ending != VM_END_FAULT || again->result.fault == r->fault);
    vm_coverage_last(c->vm, out);
    vm_trace_free(c->vm, again);
    return same;
}

void covering_free(Covering *c)
{
    vm_free(c->vm);
    ledger_free(c->ledger);
}

static uint32_t count_missing(const BitSet *set, const BitSet *covered)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n; i++)
        n += (uint32_t)__builtin_popcountll(set->v[i] & ~(i < covered->n ? covered->v[i] : 0));
    return n;
}

void covering_choose(const BitSet *sets, uint32_t n, BitSet *chosen)
{
    BitSet covered = {0};
    uint32_t *most = mem_alloc((n + 1) * sizeof *most); /* that a set can add: what it could add before */
    for (uint32_t i = 0; i < n; i++) {
        most[i] = UINT32_MAX;
        if (bitset_has(chosen, i))
            bitset_unite(&covered, &sets[i]);
    }
    for (;;) {
        uint32_t best = n, gain = 0;
        for (uint32_t i = 0; i < n; i++) {
            if (most[i] > gain)
                most[i] = count_missing(&sets[i], &covered);
            if (most[i] > gain) {
                gain = most[i];
                best = i;
            }
        }
        if (best == n)
            break;
        bitset_add(chosen, best);
        bitset_unite(&covered, &sets[best]);
    }
    bitset_free(&covered);
    mem_free(most);
}

/* ---- of a store ------------------------------------------------------------------------------ */

typedef struct Candidates {
    SuiteTestVec tests;
    Vec(BitSet) covers;
    BitSet chosen, files;
} Candidates;

static void add_candidate(void *context, StoreTest *t)
{
    Candidates *c = context;
    if (t->role == STORE_FILE)
        bitset_add(&c->files, c->tests.n);
    if (t->role == STORE_FILE || !t->known)
        bitset_add(&c->chosen, c->tests.n);
    vec_push(&c->tests, t->test);
    vec_push(&c->covers, t->covers);
    t->test = NULL;
    t->covers = (BitSet){0};
}

bool covering_tests(Store *store, bool files, SuiteTestVec *out)
{
    Candidates c = {0};
    bool ok = store_tests(store, STORE_COVERS, add_candidate, &c);
    covering_choose(c.covers.v, c.tests.n, &c.chosen);
    for (uint32_t i = 0; i < c.tests.n; i++) {
        if (bitset_has(&c.chosen, i) && (files || !bitset_has(&c.files, i)))
            vec_push(out, c.tests.v[i]);
        else
            suite_test_free(c.tests.v[i]);
        bitset_free(&c.covers.v[i]);
    }
    vec_free(&c.tests);
    vec_free(&c.covers);
    bitset_free(&c.chosen);
    bitset_free(&c.files);
    return ok;
}
