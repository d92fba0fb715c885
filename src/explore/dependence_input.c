/* dependence_input.c - a task is taken: an earlier run is reused, or an input is found.
 *
 * In this order: an earlier run that terminates normally and satisfies the task; an input outside the failure
 * classes that are known; any earlier run that satisfies the task; any input. */
#include "explore/dependence.h"

/* ---- reuse --------------------------------------------------------------------------------------- */

/* A stored run, in a phase in which it was not expanded. */
static void expand_again(Explore *x, StoredRun *run)
{
    Expansion e = {.x = x, .d = dependence_of(x), .run = run};
    if (run->phase == e.d->phase)
        return;
    run_store_load(&e.d->runs, run);
    dependence_load(&e);
    dependence_expand_run(&e);
    stored_run_unload(run);
    if (e.d->late) { /* a part of what follows is not filed, and which task it was for is settled */
        x->torn = true;
        frontier_file_part(&x->lane->frontier, task_first(), 1);
    }
}

void dependence_expand_stored(Explore *x)
{
    const RunStore *s = &dependence_of(x)->runs;
    for (uint32_t i = s->dropped; i < s->all.n && !dependence_of(x)->late; i++)
        expand_again(x, s->all.v[i]);
}

/* A task's path up to the alternative that it is for: blocking clauses follow it. */
static Path *target_of(const Task *task)
{
    Path *path = task->path;
    for (uint32_t i = 0; i < task->tries && path; i++)
        path = path->parent;
    return path;
}

static void file_or_release(Explore *x, Task again, bool open)
{
    if (open)
        frontier_file_part(&x->lane->frontier, again, 1);
    else
        task_release(x->lane->vm, &again);
}

/* The latest run that satisfies it and, while these fail, those outside of its class. */
static bool reuse_satisfying(Explore *x, const Task *task, bool normal_only)
{
    Task again = task_copy(task);
    const Path *target = target_of(task);
    uint32_t looked = 0;
    bool open = true, reused = false;
    for (StoredRun *run;
         open && (run = run_store_satisfying(&dependence_of(x)->runs, &again, target, normal_only, &looked));
         reused = true) {
        expand_again(x, run);
        open = dependence_settle(x, &again, run);
    }
    file_or_release(x, again, reused && open);
    return reused;
}

/* A run of just this input, or, where every input of the task fails, of its path. */
static bool reuse_same(Explore *x, const Task *task, const ExprInput *input)
{
    Dependence *d = dependence_of(x);
    StoredRun *run = run_store_of_input(&d->runs, input);
    if (!run && marks_get(&d->failing, task->fingerprint))
        run = run_store_of_path(&d->runs, input);
    if (!run)
        return false;
    expand_again(x, run);
    Task again = task_copy(task);
    file_or_release(x, again, dependence_settle(x, &again, run));
    return true;
}

static bool count_reuse(Explore *x, double start, bool reused)
{
    x->counters[EXPLORE_REUSED] += reused;
    x->guidance_seconds += clock_seconds() - start;
    return reused;
}

/* A run that has the outcome under these conditions was noted as such when it was expanded. Not so a run that
 * was not expanded in this phase, or one that chose another value than those chosen so far. */
static bool reuse_normal(Explore *x, const Task *task)
{
    Dependence *d = dependence_of(x);
    if (task->because && filed_tasks_normal(&d->filed, task->outcome ? task->flip : task->fingerprint)) {
        explore_bump(x, EXPLORE_REUSED);
        return true;
    }
    if (task->because && !task->redecide && d->phase == 1)
        return false;
    double start = clock_seconds();
    return count_reuse(x, start, reuse_satisfying(x, task, true));
}

/* ---- inputs -------------------------------------------------------------------------------------- */

/* Tests that are to notice wrong outputs stand where a comparison just turns: a < b where a + 1 == b, else a
 * == b. */
static Expr boundary_of(Explore *x, const Task *task)
{
    ExprPool *p = x->pool;
    if (!task->because || !(x->options.sinks & FLOW_SINK_OUTPUTS))
        return EXPR_NONE;
    Expr target = target_of(task)->condition;
    bool negated = expr_op(p, target) == EXPR_NOT;
    Expr compare = negated ? expr_child(p, target, 0) : target;
    if (expr_op(p, compare) != EXPR_SLT && expr_op(p, compare) != EXPR_ULT)
        return EXPR_NONE;
    Expr a = expr_child(p, compare, 0), b = expr_child(p, compare, 1);
    return expr_eq(p, negated ? a : expr_add(p, a, expr_const(p, expr_width(p, a), 1)), b);
}

/* An input at the boundary that lies in no failure class. */
static bool solve_boundary(Explore *x, const Task *task)
{
    Dependence *d = dependence_of(x);
    Expr boundary = task->path ? boundary_of(x, task) : EXPR_NONE;
    if (expr_is_none(boundary))
        return false;
    path_list(task->path, &x->query);
    vec_push(&x->query, boundary);
    if (explore_solve(x, task->origin ? &task->origin->input : NULL) != SOLVER_SAT)
        return false;
    expr_eval_input(d->runs.eval, &x->answer.model);
    return expr_is_none(failure_class_of(&d->classes, d->runs.eval));
}

/* Every known class is avoided, or no input is left. */
static SolverStatus solve_avoiding(Explore *x, const Task *task, ExprInput *any)
{
    Dependence *d = dependence_of(x);
    if (marks_get(&d->failing, task->fingerprint))
        return SOLVER_UNSAT;
    if (solve_boundary(x, task))
        return SOLVER_SAT;
    SolverStatus status = failure_classes_solve(&d->classes, x, d->runs.eval, task, true, any);
    bool avoided = x->query.n > (task->path ? task->path->length : 0);
    if (status == SOLVER_UNSAT && avoided && task->fingerprint)
        marks_set(&d->failing, task->fingerprint, 1, 1);
    return status;
}

/* Rather an input that fails than none. */
static SolverStatus solve_anyhow(Explore *x, const Task *task, const ExprInput *any)
{
    if (any->n) {
        expr_input_copy(&x->answer.model, any);
        return SOLVER_SAT;
    }
    path_list(task->path, &x->query);
    return explore_solve(x, task->origin ? &task->origin->input : NULL);
}

/* False: none is needed, or there is none. */
static bool find_input(Explore *x, Task *task, ExprInput *input)
{
    if (task->solved)
        return explore_input(x, task, input);
    ExprInput any = {0};
    SolverStatus status = solve_avoiding(x, task, &any);
    bool failing = marks_get(&dependence_of(x)->failing, task->fingerprint), reused = false;
    bool avoided = failing || x->query.n > (task->path ? task->path->length : 0);
    if (status != SOLVER_SAT && avoided) {
        double start = clock_seconds();
        reused = count_reuse(x, start, reuse_satisfying(x, task, false));
        status = reused ? status : solve_anyhow(x, task, &any);
    }
    expr_input_free(&any);
    return !reused && explore_answer(x, task, status, input);
}

/* ---- a task is taken ----------------------------------------------------------------------------- */

/* Outcomes are left open after so many runs, and all that is pending with them; a task for one outcome is of
 * no use once a run has taken that. */
static bool is_dropped(Explore *x, const Task *task)
{
    Dependence *d = dependence_of(x);
    if (d->phase > 1 && (d->outcomes.left_by_some || outcomes_enough(&d->outcomes, x))) {
        if (d->filed.pairs.table)
            outcomes_drop(&d->outcomes, x);
        else
            outcomes_leave(&d->outcomes, x, dependence_guards(d));
        return true;
    }
    return task->outcome && !task->patience && outcome_is_taken(&d->outcomes, task->outcome);
}

/* What was set aside goes on: its run took outcomes that are its own. */
bool dependence_input(Explore *x, Task *task, ExprInput *input)
{
    if (is_dropped(x, task)) {
        explore_bump(x, EXPLORE_DROPPED);
        return false;
    }
    if (!task->patience && reuse_normal(x, task))
        return false;
    if (!find_input(x, task, input))
        return false;
    double start = clock_seconds();
    return task->patience || !count_reuse(x, start, reuse_same(x, task, input));
}
