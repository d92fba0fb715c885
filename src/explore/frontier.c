/* frontier.c - pending tasks and the five orders in which they are taken.
 *
 * In any order a run that meets many decisions is set aside, and goes on when as much was done for others: a
 * loop without end keeps nothing from being run.
 *
 * dfs takes the deepest (of equally deep ones the latest; of the first tasks some are the shallowest, if that
 * is asked for), bfs the earliest, random any with equal chance (seeded), coverage first those that lead to a
 * block that no run has entered yet and otherwise any. mixed interleaves: after a task that dfs would take,
 * one that leads to a block that no run has entered; where there is none, now and then any, the less often
 * the longer those have covered nothing new. All are O(1) for each task, but for the promising ones of
 * coverage and mixed, which are looked at again when they are taken, since their block may have been entered
 * meanwhile, and for mixed where any is taken, which looks through the levels. */
#include "explore/explore_int.h"

enum { LEVELS_MOST = 1024 };

void frontier_init(Frontier *f, ExploreSearch search, uint64_t seed, const Vm *vm)
{
    *f = (Frontier){.search = search, .vm = vm};
    rng_seed(&f->rng, seed);
}

static bool promises(const Frontier *f, const Task *task)
{
    return task->block != IR_NONE && task->fn != IR_NONE && !vm_block_covered(f->vm, task->fn, task->block);
}

static void file_deep(Frontier *f, Task task)
{
    uint32_t level = task.depth < LEVELS_MOST ? task.depth : LEVELS_MOST - 1;
    while (f->levels.n <= level)
        vec_push(&f->levels, (TaskVec){0});
    vec_push(&f->levels.v[level], task);
    f->top = f->top > level ? f->top : level + 1;
    f->deep++;
}

static Task take_from(Frontier *f, uint32_t level)
{
    Task task = vec_pop(&f->levels.v[level]);
    f->deep--;
    while (f->top && !f->levels.v[f->top - 1].n)
        f->top--;
    return task;
}

static uint32_t shallowest(const Frontier *f)
{
    uint32_t level = 0;
    while (!f->levels.v[level].n)
        level++;
    return level;
}

/* Not the first ones, but then for a while every fourth. */
static bool samples_shallow(Frontier *f)
{
    enum { FIRST = 16, EVERY = 4, LAST = 272 };
    if (!f->samples || f->taken >= LAST)
        return false;
    return f->taken++ >= FIRST && f->taken % EVERY == 0;
}

/* The space in front of head is given back once it is half of the vector, so that a step costs O(1) on
 * average. */
static Task take_first(TaskVec *from, uint32_t *head)
{
    Task task = from->v[(*head)++];
    if (*head * 2 >= from->n) {
        from->n -= *head;
        memmove(from->v, from->v + *head, from->n * sizeof *from->v);
        *head = 0;
    }
    return task;
}

/* What was set aside waits until as much was done for others. */
static bool goes_on(const Frontier *f)
{
    return f->aside_head < f->aside.n && f->credit >= f->aside.v[f->aside_head].patience;
}

static Task take_aside(Frontier *f)
{
    f->credit = 0;
    return take_first(&f->aside, &f->aside_head);
}

void frontier_file(Frontier *f, Task task)
{
    if (task.patience)
        vec_push(&f->aside, task);
    else if (f->search == EXPLORE_DFS)
        file_deep(f, task);
    else if ((f->search == EXPLORE_COVERAGE || f->search == EXPLORE_MIXED) && promises(f, &task))
        vec_push(&f->fresh, task);
    else if (f->search == EXPLORE_MIXED)
        file_deep(f, task);
    else
        vec_push(&f->tasks, task);
}

/* ---- weights --------------------------------------------------------------------------------- */

void frontier_file_part(Frontier *f, Task task, uint32_t parts)
{
    task.weight = f->hand / parts;
    f->hand -= task.weight;
    frontier_file(f, task);
}

void frontier_file_first(Frontier *f)
{
    Task first = task_first();
    first.weight = EXPLORE_WHOLE;
    frontier_file(f, first);
}

void frontier_drop(Frontier *f, Vm *vm, Task *task)
{
    f->explored += task->weight;
    task_release(vm, task);
}

uint64_t frontier_weight(Frontier *f)
{
    uint64_t sum = 0;
    FrontierPlace at = {0};
    for (const Task *task; (task = frontier_next(f, &at));)
        sum += task->weight;
    return sum;
}

uint64_t frontier_explored(const Frontier *f) { return f->explored + f->hand; }

void frontier_explored_set(Frontier *f, uint64_t sum)
{
    f->explored = sum;
    f->hand = 0;
}

/* ---- taking ---------------------------------------------------------------------------------- */

static Task take_any(Rng *rng, TaskVec *from)
{
    uint32_t i = (uint32_t)rng_below(rng, from->n);
    Task task = from->v[i];
    from->v[i] = vec_last(from);
    from->n--;
    return task;
}

/* A task that leads to a block which no run has entered. Those that do no longer are filed again with the
 * others. */
static bool take_fresh(Frontier *f, Task *out)
{
    while (f->fresh.n) {
        *out = vec_pop(&f->fresh);
        if (promises(f, out))
            return true;
        frontier_file(f, *out);
    }
    return false;
}

/* ---- mixed ----------------------------------------------------------------------------------- */

static Task take_any_level(Frontier *f)
{
    uint64_t at = rng_below(&f->rng, f->deep);
    uint32_t level = 0;
    while (at >= f->levels.v[level].n)
        at -= f->levels.v[level++].n;
    TaskVec *from = &f->levels.v[level];
    Task task = from->v[at];
    from->v[at] = vec_last(from);
    vec_last(from) = task;
    return take_from(f, level);
}

static Task take_deep(Frontier *f) { return take_from(f, samples_shallow(f) ? shallowest(f) : f->top - 1); }

/* How many come before the next one taken by chance: one more each time that as many of those were in vain as
 * ever before. So an exploration that has nothing left to cover makes most of its runs where snapshots are
 * near and few tasks are pending. */
static uint64_t depth_first_turns(const Frontier *f)
{
    uint64_t turns = 1;
    for (uint64_t vain = f->vain; vain; vain /= 2)
        turns++;
    return turns;
}

/* Requires a task that is not set aside. */
static Task take_mixed(Frontier *f)
{
    Task task;
    bool guided = f->turn > 0 || !f->deep;
    if (guided && take_fresh(f, &task)) {
        f->turn = 0;
        return task;
    }
    if (f->turn < depth_first_turns(f)) {
        f->turn++;
        return take_deep(f);
    }
    f->turn = 0;
    f->vain++;
    return take_any_level(f);
}

void frontier_ran(Frontier *f, bool grew) { f->vain = grew ? 0 : f->vain; }

static bool take(Frontier *f, Task *out)
{
    if (goes_on(f)) {
        *out = take_aside(f);
        return true;
    }
    if (f->search == EXPLORE_COVERAGE && take_fresh(f, out))
        return true;
    if (f->head == f->tasks.n && !f->deep && !f->fresh.n) {
        bool any = f->aside_head < f->aside.n;
        if (any)
            *out = take_aside(f);
        return any;
    }
    switch (f->search) {
    case EXPLORE_MIXED: *out = take_mixed(f); break;
    case EXPLORE_DFS: *out = take_deep(f); break;
    case EXPLORE_BFS: *out = take_first(&f->tasks, &f->head); break;
    case EXPLORE_RANDOM:
    case EXPLORE_COVERAGE: *out = take_any(&f->rng, &f->tasks); break;
    }
    return true;
}

bool frontier_take(Frontier *f, Task *out)
{
    if (!take(f, out))
        return false;
    f->explored += f->hand;
    f->hand = out->weight;
    return true;
}

uint64_t frontier_size(const Frontier *f)
{
    return (uint64_t)f->tasks.n - f->head + f->aside.n - f->aside_head + f->fresh.n + f->deep;
}

Task *frontier_next(Frontier *f, FrontierPlace *at)
{
    for (; at->list < f->levels.n; at->list++, at->i = 0)
        if (at->i < f->levels.v[at->list].n)
            return &f->levels.v[at->list].v[at->i++];
    TaskVec rest[] = {{.v = f->tasks.v + f->head, .n = f->tasks.n - f->head},
                      f->fresh,
                      {.v = f->aside.v + f->aside_head, .n = f->aside.n - f->aside_head}};
    for (uint32_t k; (k = at->list - f->levels.n) < COUNT_OF(rest); at->list++, at->i = 0)
        if (at->i < rest[k].n)
            return &rest[k].v[at->i++];
    return NULL;
}

void frontier_clear(Frontier *f)
{
    for (uint32_t i = 0; i < f->levels.n; i++)
        vec_free(&f->levels.v[i]);
    vec_clear(&f->levels);
    vec_clear(&f->tasks);
    vec_clear(&f->fresh);
    vec_clear(&f->aside);
    f->head = f->aside_head = f->top = 0;
    f->deep = 0;
}

void frontier_free(Frontier *f, Vm *vm)
{
    FrontierPlace at = {0};
    for (Task *task; (task = frontier_next(f, &at));)
        task_release(vm, task);
    frontier_clear(f);
    vec_free(&f->levels);
    vec_free(&f->tasks);
    vec_free(&f->fresh);
    vec_free(&f->aside);
}
