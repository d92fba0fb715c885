/* spill.c - staying within the memory budget without losing work.
 *
 * Expressions are never freed one by one, so memory is won back by starting over with an empty pool. What is
 * pending normal as inputs: each task is solved now, and later its run begins at the entry. A task that
 * cannot be solved is entered into the ledger, as it would have been when taken. A task whose decision is
 * decided anew keeps its path as well, moved into the new pool: the path knows which alternatives were tried
 * already. So does every task of an explorer that files tasks again. */
#include "explore/explain.h"

static size_t memory_held(const Explore *x)
{
    return expr_pool_bytes(x->pool) + portfolio_bytes(x) +
           x->fingerprints.of.cap * sizeof *x->fingerprints.of.v + shared_marks_bytes(&x->paths);
}

/* True if the task is still needed: its origin then is an input that satisfies it, unless no time is left to
 * find one. */
static bool spill_task(Explore *x, Task *task)
{
    task_from_entry(x->lane->vm, task);
    if (task->solved || explore_is_late(x))
        return true;
    path_list(task->path, &x->query);
    SolverStatus status = explore_solve(x, task->origin ? &task->origin->input : NULL);
    if (!task->redecide && !x->lane->explorer->move) {
        path_drop(task->path);
        task->path = NULL;
    }
    if (status == SOLVER_SAT) {
        origin_drop(task->origin);
        task->origin = origin_new(&x->answer.model);
        task->solved = true;
        explore_bump(x, EXPLORE_SPILLED);
        return true;
    }
    if (status == SOLVER_UNKNOWN)
        explore_undecided(x, task);
    else
        explore_bump(x, EXPLORE_INFEASIBLE);
    return false;
}

static void spill_tasks(Explore *x)
{
    TaskVec kept = {0};
    Frontier *f = &x->lane->frontier;
    FrontierPlace at = {0};
    for (Task *task; (task = frontier_next(f, &at));)
        if (spill_task(x, task))
            vec_push(&kept, *task);
        else
            frontier_drop(f, x->lane->vm, task);
    frontier_clear(f);
    for (uint32_t i = 0; i < kept.n; i++)
        frontier_file(f, kept.v[i]);
    vec_free(&kept);
}

/* Inputs are flat: the new pool must lay out the objects as the old one did. */
static ExprPool *fresh_pool(const ExprPool *old)
{
    ExprPool *pool = expr_pool_new();
    if (expr_pool_commutes_floats(old))
        expr_pool_commute_floats(pool);
    for (uint32_t i = 0; i < expr_object_count(old); i++) {
        const ExprObjectInfo *o = expr_object_info(old, (ExprObject){i});
        if (o->scalar)
            expr_object_scalar(pool, o->key, o->name, o->scalar, o->type);
        else
            expr_object(pool, o->key, o->name, o->size, o->type);
    }
    return pool;
}

static void move_paths(Explore *x, const ExprPool *old)
{
    ExprImport *import = expr_import_new(x->pool, old);
    fingerprints_move(&x->fingerprints, x->pool);
    if (x->explain)
        explain_move(x->explain, x->pool);
    if (x->lane->explorer->move)
        x->lane->explorer->move(x, x->pool, import);
    FrontierPlace at = {0};
    for (Task *task; (task = frontier_next(&x->lane->frontier, &at));)
        task->path = path_move(task->path, import);
    expr_import_free(import);
}

/* What stays is not to be moved again after every run: the next time only when half the budget has been added
 * to it. */
void explore_keep_within_memory(Explore *x)
{
    size_t budget = x->options.max_memory;
    if (memory_held(x) <= (x->spill_at ? x->spill_at : budget))
        return;
    portfolio_save_memory(x);
    spill_tasks(x);
    solver_free(x->solver);
    ExprPool *old = x->pool;
    x->pool = fresh_pool(old);
    x->functions = 0;
    move_paths(x, old);
    x->solver = solver_new(x->pool, &x->options.solver);
    explore_machines_begin(x);
    expr_pool_free(old);
    x->spill_at = memory_held(x) + budget / 2;
    if (x->spill_at < budget)
        x->spill_at = budget;
}
