/* full.c - every path: the alternatives of every decision that no ancestor has expanded (DART, SAGE's
 * generations).
 *
 * The run made for a task agrees with its parent's up to decision `bound` - 1, whose alternative it took; so
 * each path of the program is run exactly once. A decision with a residual alternative (which stands for
 * several) is decided anew by the run made for it: there the expansion begins at the decision itself, within
 * the alternative's condition. With labels, what the path has decided already is a decision again, and has no
 * alternative here. */
#include "explore/explore_int.h"

/* Most often it is the task's own. */
Path *explore_prefix(const Task *task, const VmTrace *trace)
{
    uint32_t n = task->bound < trace->decisions.n ? task->bound : trace->decisions.n;
    bool taken = task->path && n && expr_same(task->path->condition, trace->decisions.v[n - 1].holds);
    Path *prefix = NULL;
    if (task->path && (task->redecide || task->patience || taken))
        return path_hold(task->path);
    for (uint32_t i = 0; i < n; i++)
        prefix = trace->decisions.v[i].entailed ? prefix : path_add(prefix, trace->decisions.v[i].holds);
    return prefix;
}

/* The run made for a task must meet the decision it was made for. If it does not, the machine is not a
 * function of its input, and what follows is not to be trusted. */
static void check_follows(Explore *x, const Task *task, const VmTrace *trace)
{
    uint32_t at = task->redecide ? task->bound : task->bound - 1;
    if (!task->because)
        return;
    if (at >= trace->decisions.n || trace->decisions.v[at].index != task->because) {
        explore_bump(x, EXPLORE_DIVERGED);
        ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, task->site,
                   "a run did not follow the decisions it was made for");
    }
}

void explore_given(const Task *task, Map *given)
{
    for (const Path *p = task->redecide ? task->path : NULL; p; p = p->parent)
        map_put(given, p->condition.id, 1);
}

/* Returns the path of the whole run. */
static Path *expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    uint32_t deep = explore_depth_end(x, trace->decisions.v, trace->decisions.n);
    Map given = {0};
    check_follows(x, task, trace);
    explore_given(task, &given);
    Path *prefix = explore_prefix(task, trace);
    for (uint32_t i = task->bound; i < trace->decisions.n; i++) {
        const VmDecision *d = &trace->decisions.v[i];
        if (d->entailed || (given.n && map_get(&given, d->holds.id, NULL)))
            continue;
        if (i >= deep && d->count)
            ledger_add(x->lane->ledger, LEDGER_DEPTH, d->site, NULL);
        else
            explore_file_alternatives(x, trace, d, prefix, i, origin);
        prefix = path_add(prefix, d->holds);
    }
    map_free(&given);
    return prefix;
}

/* What is left of the run begins after its decisions, all of which are expanded, if it came as far as where
 * its task begins. */
static void set_aside(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    Task rest = task_rest(x, task, trace, origin);
    if (trace->decisions.n > task->bound) {
        path_drop(rest.path);
        rest.path = expand(x, task, trace, origin);
        rest.because = vec_last(&trace->decisions).index;
        rest.bound = trace->decisions.n;
        rest.redecide = false;
    }
    frontier_file_part(&x->lane->frontier, rest, 1);
}

static void full_expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    if (trace->set_aside)
        set_aside(x, task, trace, origin);
    else
        path_drop(expand(x, task, trace, origin));
}

const Explorer explorer_full = {.name = "full", .sets_aside = true, .expand = full_expand};
