/* dependence_sides.c - sides of branches: which ones runs have taken, and which ones are left when every
 * fault is found.
 *
 * Sinks limit which combinations are tried, not which sides. A branch with a side that no run has taken
 * becomes a sink itself, as long as that takes further sides and within a bound. */
#include "explore/dependence.h"

enum { SIDE_RUNS_EACH = 2 }; /* runs for sides, beside side_runs, for each run of the search for faults */

static uint64_t branch_key(uint32_t fn, uint32_t block) { return (uint64_t)fn << 32 | block; }

bool dep_has_sides(const Explore *x, const VmDecision *d)
{
    bool branches =
        d->kind == VM_DECISION_BRANCH || d->kind == VM_DECISION_SWITCH || d->kind == VM_DECISION_CALL;
    return branches && d->block != IR_NONE && !x->program->fns.v[d->fn].runtime;
}

void dep_side_take(DepSides *s, Fingerprints *names, const VmDecision *d, uint64_t run)
{
    map_add(&s->taken, fingerprint_outcome(names, d, d->took, d->holds), run);
}

bool dep_side_is_taken(const DepSides *s, uint64_t side) { return map_get(&s->taken, side, NULL); }

void dep_sides_seek(DepSides *s, const VmDecision *d) { map_put(&s->sought, branch_key(d->fn, d->block), 1); }

void dep_sides_open(const Explore *x, FlowGuards *guards, DepBranches *out)
{
    for (uint32_t f = 0; f < x->program->fns.n; f++) {
        const IrFn *fn = &x->program->fns.v[f];
        for (uint32_t b = 0; !fn->runtime && b < fn->blocks.n; b++)
            if (vm_branch_open(x->lane->vm, f, b) && !flow_guards(guards, f, b))
                vec_push(out, (FlowSite){f, b, fn->blocks.v[b].insns.n - 1});
    }
}

bool dep_sides_enough(const DepSides *s, const Explore *x)
{
    uint64_t made = x->counters[EXPLORE_RUNS], most = x->options.side_runs + SIDE_RUNS_EACH * s->searched;
    return x->options.side_runs && made - s->searched >= most;
}

static uint32_t site_of(const IrProgram *p, FlowSite at)
{
    return p->fns.v[at.fn].blocks.v[at.block].insns.v[at.insn].site;
}

/* No branch is open: what is pending is of no use, but for what no run has called through a pointer. */
static void leave_targets(const DepSides *s, Explore *x)
{
    FrontierPlace at = {0};
    for (const Task *task; (task = frontier_next(&x->lane->frontier, &at));)
        if (task->side && !dep_side_is_taken(s, task->side))
            ledger_add(x->lane->ledger, LEDGER_TARGETS, task->site, NULL);
}

/* Of branches that no run came to, or that depend on nothing, no way was left out. */
void dep_sides_leave(DepSides *s, Explore *x, FlowGuards *guards)
{
    DepBranches open = {0};
    dep_sides_open(x, guards, &open);
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

void dep_sides_free(DepSides *s)
{
    map_free(&s->taken);
    map_free(&s->sought);
}
