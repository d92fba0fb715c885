/* dependence_share.c - `dependence` and every path by turns, where nobody can tell which of them is done first.
 *
 * Runs of `dependence` may cost many paths each, where most of them fail in ways of their own; and that one seems to stand for far more
 * paths may be wrong, since it stands for those of one sink, and others need them. So both go on, each with what is pending of its own,
 * and each gets as much as the other has had. Whoever is done first has found every fault. It takes no more than twice what the better
 * one would have taken by itself. */
#include "explore/dependence.h"

enum { TURN_COST = 2000000 };                 /* nanoseconds by which one may be ahead */

/* For tests: not one after the other, but a run each by turns, or two, or three. */
bool dep_share_is_tested(const Explore *x) { return x->options.turns / 168 % 2; }
static unsigned tested_runs(const Explore *x) { return 1 + x->options.turns % 3; }

static void swap_turns(DepShare *s, DepWhole *whole, Explore *x)
{
    Frontier other = s->other;
    s->other = x->frontier;
    x->frontier = other;
    s->ahead = -s->ahead;
    whole->on = !whole->on;
}

/* Without a run that is kept no region is known. What the depth limit leaves alone is the same for both, but they come to other places. */
static bool may_begin(const DepWhole *whole, const Explore *x, const DepRuns *runs)
{
    bool kept = runs->all.n > runs->dropped, dear = x->options.turns ? dep_share_is_tested(x) : dep_whole_is_too_dear(whole);
    return kept && dear && !x->options.max_depth;
}

void dep_share_begin(DepShare *s, const DepWhole *whole, Explore *x, DepRuns *runs)
{
    DepRegions r = {0};
    if (!may_begin(whole, x, runs))
        return;
    dep_regions_find(&r, x, runs);
    if (dep_regions_are_few(&r, x, whole->in_all) || dep_share_is_tested(x)) {
        *s = (DepShare){.on = true, .ahead = dep_cost_between((DepCost){0}, dep_cost_so_far(x), true)};
        frontier_init(&s->other, x->options.search, x->options.seed, x->vm);
        dep_regions_file(&r, x, &s->other);
        s->seen = dep_cost_so_far(x);         /* these are tasks that it did not cause */
    }
    dep_regions_free(&r, x);
}

void dep_share_note_run(DepShare *s, DepWhole *whole, Explore *x)
{
    if (!s->on)
        return;
    DepCost now = dep_cost_so_far(x);
    s->ahead += dep_cost_between(s->seen, now, !whole->on);
    s->seen = now;
    if (dep_share_is_tested(x) ? x->counters[EXPLORE_RUNS] % tested_runs(x) == 0 : s->ahead >= TURN_COST)
        swap_turns(s, whole, x);
}

void dep_share_end(DepShare *s, DepWhole *whole, Explore *x)
{
    if (!s->on)
        return;
    if (whole->on)
        swap_turns(s, whole, x);
    dep_share_free(s, x);
}

uint64_t dep_share_pending(const DepShare *s) { return s->on ? frontier_size(&s->other) : 0; }

void dep_share_free(DepShare *s, Explore *x)
{
    if (s->on)
        frontier_free(&s->other, x->vm);
    *s = (DepShare){0};
}
