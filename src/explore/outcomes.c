/* outcomes.c - branch outcomes: which ones runs have taken, and which ones are left when every fault is
 * found.
 *
 * Sinks limit which combinations are tried, not which outcomes. A branch with an outcome that no run has
 * taken becomes a sink itself, as long as that takes further ones and within a bound. */
#include "explore/dependence.h"

enum {
    OUTCOME_RUNS_EACH = 2
}; /* runs for outcomes, beside outcome_runs, for each run of the search for faults */

static uint64_t branch_key(uint32_t fn, uint32_t block) { return (uint64_t)fn << 32 | block; }

bool outcomes_matter(const Explore *x, const VmDecision *d)
{
    bool branches =
        d->kind == VM_DECISION_BRANCH || d->kind == VM_DECISION_SWITCH || d->kind == VM_DECISION_CALL;
    return branches && d->block != IR_NONE && !x->program->fns.v[d->fn].runtime;
}

void outcome_take(Outcomes *s, Fingerprints *fingerprints, const VmDecision *d)
{
    shared_marks_set(&s->taken, fingerprint_outcome(fingerprints, d, d->took, d->holds), 1, 1);
}

bool outcome_is_taken(const Outcomes *s, uint64_t outcome) { return shared_marks_get(&s->taken, outcome); }

void outcomes_seek(Outcomes *s, const VmDecision *d) { map_put(&s->sought, branch_key(d->fn, d->block), 1); }

void outcomes_open(const Explore *x, FlowGuards *guards, BranchSites *out)
{
    for (uint32_t f = 0; f < x->program->fns.n; f++) {
        const IrFn *fn = &x->program->fns.v[f];
        for (uint32_t b = 0; !fn->runtime && b < fn->blocks.n; b++)
            if (vm_branch_open(x->lane->vm, f, b) && !flow_guards(guards, f, b))
                vec_push(out, (FlowSite){f, b, fn->blocks.v[b].insns.n - 1});
    }
}

bool outcomes_enough(const Outcomes *s, const Explore *x)
{
    uint64_t made = explore_runs_so_far(x), most = x->options.outcome_runs + OUTCOME_RUNS_EACH * s->searched;
    return x->options.outcome_runs && made - s->searched >= most;
}

static uint32_t site_of(const IrProgram *p, FlowSite at)
{
    return p->fns.v[at.fn].blocks.v[at.block].insns.v[at.insn].site;
}

/* No branch is open: what is pending is of no use, but for what no run has called through a pointer. */
static void leave_targets(const Outcomes *s, Explore *x)
{
    FrontierPlace at = {0};
    for (const Task *task; (task = frontier_next(&x->lane->frontier, &at));)
        if (task->outcome && !outcome_is_taken(s, task->outcome))
            ledger_add(x->lane->ledger, LEDGER_TARGETS, task->site, NULL);
}

void outcomes_drop(Outcomes *s, Explore *x)
{
    leave_targets(s, x);
    explore_drop_pending(x);
    s->left_by_some = true;
}

/* Of branches that no run came to, or that depend on nothing, no way was left out. */
void outcomes_leave(Outcomes *s, Explore *x, FlowGuards *guards)
{
    BranchSites open = {0};
    outcomes_open(x, guards, &open);
    uint32_t before = ledger_count(x->lane->ledger);
    for (uint32_t i = 0; i < open.n; i++)
        if (map_get(&s->sought, branch_key(open.v[i].fn, open.v[i].block), NULL))
            ledger_add(x->lane->ledger, LEDGER_SIDES, site_of(x->program, open.v[i]), NULL);
    if (ledger_count(x->lane->ledger) == before)
        leave_targets(s, x);
    vec_free(&open);
    explore_drop_pending(x);
    s->left = true;
}

void outcomes_free(Outcomes *s)
{
    shared_marks_free(&s->taken);
    map_free(&s->sought);
}
