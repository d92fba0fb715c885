/* dependence_share.c - `dependence` and every path by turns, where nobody can tell which of them is done
 * first.
 *
 * Runs of `dependence` may cost many paths each, where most of them fail in ways of their own; and that one
 * seems to stand for far more paths may be wrong, since it stands for those of one sink, and others need
 * them. So both go on, and each gets as much as the other has had. Whoever is done first has found every
 * fault.
 *
 * They have nothing in common but the pool and the solver: each has what is pending of its own, its own
 * machine (every path needs no labels), and its own ledger, since what the other leaves open is none of its
 * business. Runs for every path are no tests as long as `dependence` may be done first, which makes far
 * fewer: their inputs are held back. A fault is told of at once, whoever finds it. */
#include "explore/dependence.h"

enum { TURN_COST = 2000000 }; /* nanoseconds by which one may be ahead */

/* For tests: not one after the other, but a run each by turns, or two, or three. */
bool dep_share_is_tested(const Explore *x) { return x->options.turns / 168 % 2; }
static unsigned tested_runs(const Explore *x) { return 1 + x->options.turns % 3; }

static void swap_turns(DepShare *s, DepWhole *whole, Explore *x)
{
    Frontier frontier = s->frontier;
    s->frontier = x->frontier;
    x->frontier = frontier;
    Vm *vm = s->vm;
    s->vm = x->vm;
    x->vm = vm;
    ledger_swap(x->ledger, s->ledger);
    s->ahead = -s->ahead;
    whole->on = !whole->on;
}

/* Between two counts. What is held back would have to be written down as well. */
static double cost_between(const Explore *x, DepCost from, DepCost to, bool guided)
{
    return dep_cost_between(from, to, guided) + dep_cost_of_test(x) * (double)(to.runs - from.runs);
}

/* Without a run that is kept no region is known. */
static bool may_begin(const DepShare *s, const DepWhole *whole, const Explore *x, const DepRuns *runs)
{
    bool kept = runs->all.n > runs->dropped,
         dear = x->options.turns ? dep_share_is_tested(x) : dep_whole_is_too_dear(whole);
    return !s->over && kept && dear;
}

/* Where the other begins: with what was seen and left open so far, and with what the runs so far have
 * cost. */
static void make_other(DepShare *s, Explore *x)
{
    *s = (DepShare){.on = true, .vm = explore_machine(x, false), .ledger = ledger_new()};
    s->ahead = cost_between(x, (DepCost){0}, dep_cost_so_far(x), true);
    vm_coverage_add(s->vm, x->vm);
    ledger_add_all(s->ledger, x->ledger);
    frontier_init(&s->frontier, x->options.search, x->options.seed, s->vm);
}

/* Of what the regions leave alone for their depth the other ledger is to know. */
static void file_regions(DepShare *s, Explore *x, DepRegions *r)
{
    for (uint32_t i = 0; i < r->tasks.n; i++)
        dep_region_without_labels(&r->tasks.v[i]);
    ledger_swap(x->ledger, s->ledger);
    dep_regions_file(r, x, &s->frontier);
    ledger_swap(x->ledger, s->ledger);
}

void dep_share_begin(DepShare *s, const DepWhole *whole, Explore *x, DepRuns *runs)
{
    DepRegions r = {0};
    if (!may_begin(s, whole, x, runs))
        return;
    dep_regions_find(&r, x, runs);
    if (dep_regions_are_few(&r, x, whole->in_all) || dep_share_is_tested(x)) {
        make_other(s, x);
        file_regions(s, x, &r);
        s->seen = dep_cost_so_far(x); /* these are tasks that it did not cause */
    }
    dep_regions_free(&r, x);
}

/* Was it told of, when every path was run? From now on it was. */
static bool is_told(DepShare *s, const VmResult *r)
{
    return marks_set(&s->faults, hash_mix(r->fault + 1, r->site), 1, 1);
}

bool dep_share_holds_back(DepShare *s, const DepWhole *whole, const VmTrace *trace, const ExprInput *input)
{
    const VmResult *r = &trace->result;
    if (!s->on || !whole->on || (r->ending == VM_END_FAULT && !is_told(s, r)))
        return false;
    vec_push(
        &s->held,
        ((Task){
            .origin = origin_new(input), .solved = true, .site = IR_NONE, .fn = IR_NONE, .block = IR_NONE}));
    s->held_bytes += sizeof *s->held.v + sizeof(Origin) + input->n;
    s->holding = true;
    return true;
}

void dep_share_hold_snapshot(DepShare *s, const Task *task)
{
    if (s->holding && task->resume)
        vec_last(&s->held).resume = vm_snapshot_hold(task->resume);
    s->holding = false;
}

/* Who has nothing left to do is done: it need not wait for the other. */
void dep_share_next(DepShare *s, DepWhole *whole, Explore *x)
{
    if (!s->on)
        return;
    DepCost now = dep_cost_so_far(x);
    s->ahead += cost_between(x, s->seen, now, !whole->on);
    s->seen = now;
    bool next =
        dep_share_is_tested(x) ? x->counters[EXPLORE_RUNS] % tested_runs(x) == 0 : s->ahead >= TURN_COST;
    if (next && frontier_size(&x->frontier))
        swap_turns(s, whole, x);
}

static void drop_other(DepShare *s)
{
    frontier_free(&s->frontier, s->vm);
    ledger_free(s->ledger);
    s->ledger = NULL;
    s->on = false;
    s->over = true;
}

/* Nothing follows from these but tests: DepShare.telling. They count as runs when they are told of, so that
 * no limit is met by runs that were made before. */
static void file_held(DepShare *s, Explore *x)
{
    x->counters[EXPLORE_RUNS] -= s->held.n;
    x->counters[EXPLORE_REPEATED] -= s->held.n;
    for (uint32_t i = 0; i < s->held.n; i++)
        frontier_file(&x->frontier, s->held.v[i]);
    s->telling = s->held.n;
    vec_free(&s->held);
    s->held_bytes = 0;
}

bool dep_share_finish(DepShare *s, const DepWhole *whole, Explore *x)
{
    if (!s->on || !whole->on)
        return false;
    drop_other(s);
    file_held(s, x);
    return s->telling;
}

static void drop_held(DepShare *s, Explore *x)
{
    for (uint32_t i = 0; i < s->held.n; i++)
        task_release(x->machines[false], &s->held.v[i]);
    vec_free(&s->held);
    s->held_bytes = 0;
}

void dep_share_end(DepShare *s, DepWhole *whole, Explore *x)
{
    if (!s->on)
        return;
    if (whole->on)
        swap_turns(s, whole, x);
    drop_other(s);
    drop_held(s, x);
}

void dep_share_stop(DepShare *s, DepWhole *whole, Explore *x)
{
    if (!s->on)
        return;
    if (whole->on) {
        swap_turns(s, whole, x);
        ledger_add_all(x->ledger, s->ledger); /* that it was stopped, among others */
    }
    dep_share_end(s, whole, x);
}

size_t dep_share_bytes(const DepShare *s)
{
    return s->on ? frontier_size(&s->frontier) * (sizeof(Task) + 2 * sizeof(Path)) + s->held_bytes : 0;
}

void dep_share_free(DepShare *s, Explore *x)
{
    if (s->on)
        drop_other(s);
    drop_held(s, x);
    marks_free(&s->faults);
}
