/* dependence_regions.c - what `full` would have pending, had it made the runs that `dependence` has made and
 * kept.
 *
 * The paths of these runs, and the regions that branch off them, are all inputs: who runs every path of every
 * region misses none. */
#include "explore/dependence.h"

enum { REGIONS_MOST = 4 }; /* for each task that is pending, in what that costs */

enum { BY_RUN = 1, BY_TASK };

typedef struct Regions {
    Explore *x;
    Map taken;          /* paths that lead to a run or a task, by their conditions */
    Map chosen;         /* paths to decisions for a value, to their places in others */
    Vec(Path *) others; /* none of the values that runs have chosen; NULL: has a task */
    DepRegions *out;
} Regions;

static uint64_t longer(uint64_t path, Expr condition)
{
    return expr_is_true(condition) ? path : hash_mix(path, condition.id + 1);
}

static void note_path(Regions *r, const DepRun *run)
{
    uint64_t path = 0;
    for (uint32_t k = 0; k < run->n; k++)
        if (!run->decisions[k].met)
            map_put(&r->taken, path = longer(path, run->decisions[k].holds), BY_RUN);
}

static void note_other(Regions *r, uint64_t path, Expr condition)
{
    uint64_t there = longer(path, condition), at;
    if (map_get(&r->taken, there, NULL))
        return;
    map_put(&r->taken, there, BY_TASK);
    if (!map_get(&r->chosen, path, &at)) {
        map_put(&r->chosen, path, at = r->others.n);
        vec_push(&r->others, NULL);
    }
    r->others.v[at] = path_add(r->others.v[at], condition);
}

/* "Elsewhere" is said of each value that a run has chosen. What is outside of all is one region: one for
 * each of them would have the others' values again. */
static void note_others(Regions *r, const DepRun *run)
{
    uint64_t path = 0;
    for (uint32_t k = 0; k < run->n; k++) {
        const VmDecision *d = &run->decisions[k];
        if (d->met)
            continue;
        for (uint32_t i = 0; i < d->count; i++)
            if (run->alternatives[d->first + i].elsewhere)
                note_other(r, path, run->alternatives[d->first + i].condition);
        path = longer(path, d->holds);
    }
}

/* Of the alternative, behind the prefix; NULL: there is a run or a task. */
static Path *region_of(Regions *r, uint64_t path, const VmAlternative *alt, Path *prefix)
{
    uint64_t there = longer(path, alt->condition), at;
    if (!alt->elsewhere) {
        bool taken = map_get(&r->taken, there, NULL);
        map_put(&r->taken, there, BY_TASK);
        return taken ? NULL : path_add(path_hold(prefix), alt->condition);
    }
    if (map_get_or(&r->taken, there, 0) == BY_RUN || !map_get(&r->chosen, path, &at) || !r->others.v[at])
        return NULL;
    ExprVec list = {0};
    Path *region = path_hold(prefix);
    path_list(r->others.v[at], &list);
    for (uint32_t i = 0; i < list.n; i++)
        region = path_add(region, list.v[i]);
    path_drop(r->others.v[at]);
    r->others.v[at] = NULL;
    vec_free(&list);
    return region;
}

/* What `full` would have filed, had it made the run: the machine is the same, and finds the snapshots of the
 * latest runs. */
static void add_region(Regions *r, const DepRun *run, uint32_t k, const VmAlternative *alt, Path *path)
{
    vec_push(&r->out->tasks, ((Task){.path = path,
                                     .origin = origin_hold(run->origin),
                                     .because = run->decisions[k].index,
                                     .bound = alt->elsewhere ? k : k + 1,
                                     .again = alt->elsewhere,
                                     .site = run->decisions[k].site,
                                     .fn = alt->fn,
                                     .block = alt->block}));
}

/* Where another path could branch off, and none of the others that are known does. */
static void add_regions_of(Regions *r, const DepRun *run)
{
    uint32_t deep = explore_depth_end(r->x, run->decisions, run->n);
    uint64_t path = 0;
    Path *prefix = NULL;
    for (uint32_t k = 0; k < run->n; k++) {
        const VmDecision *d = &run->decisions[k];
        if (d->met)
            continue;
        for (uint32_t i = 0; i < d->count; i++) {
            const VmAlternative *alt = &run->alternatives[d->first + i];
            Path *region = region_of(r, path, alt, prefix);
            if (region && k < deep) {
                add_region(r, run, k, alt, region);
            } else if (region) {
                vec_push(&r->out->deep, d->site);
                path_drop(region);
            }
        }
        path = longer(path, d->holds);
        prefix = path_add(prefix, d->holds);
    }
    path_drop(prefix);
}

static void with_each(Regions *r, DepRuns *runs, uint32_t end, void (*take)(Regions *r, const DepRun *run))
{
    for (uint32_t i = runs->dropped; i < end; i++) {
        dep_runs_glance(runs, runs->all.v[i]);
        take(r, runs->all.v[i]);
        dep_run_leave(runs->all.v[i]);
    }
}

static void regions_free(Regions *r)
{
    for (uint32_t i = 0; i < r->others.n; i++)
        path_drop(r->others.v[i]);
    vec_free(&r->others);
    map_free(&r->chosen);
    map_free(&r->taken);
}

void dep_regions_find(DepRegions *out, Explore *x, DepRuns *runs)
{
    Regions r = {.x = x, .out = out};
    with_each(&r, runs, runs->all.n, note_path);
    with_each(&r, runs, runs->all.n, note_others);
    bool broken = x->options.rules_off & EXPLORE_OFF_REGIONS;
    with_each(&r, runs, broken ? runs->dropped + 1 : runs->all.n, add_regions_of);
    regions_free(&r);
}

/* Each region has paths of its own, as each task that is pending has runs. */
bool dep_regions_are_few(const DepRegions *s, const Explore *x, double times)
{
    double pending = (double)frontier_size(&x->frontier) + 1; /* and the task under way */
    return s->tasks.n <= REGIONS_MOST * times * pending;
}

void dep_regions_file(DepRegions *s, Explore *x, Frontier *into)
{
    for (uint32_t i = 0; i < s->tasks.n; i++) {
        explore_bump(x, EXPLORE_TASKS);
        frontier_file(into, s->tasks.v[i]);
    }
    vec_clear(&s->tasks);
    for (uint32_t i = 0; i < s->deep.n; i++)
        ledger_add(x->ledger, LEDGER_DEPTH, s->deep.v[i], NULL);
}

void dep_regions_free(DepRegions *s, Explore *x)
{
    for (uint32_t i = 0; i < s->tasks.n; i++)
        task_release(x->vm, &s->tasks.v[i]);
    vec_free(&s->tasks);
    vec_free(&s->deep);
}
