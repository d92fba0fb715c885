/* path.c - conjunctions that share their beginnings, and inputs that tasks share. */
#include "explore/explore_int.h"

Path *path_hold(Path *p)
{
    if (p)
        p->refs++;
    return p;
}

/* A loop, not a recursion: paths are as long as runs have decisions. */
void path_drop(Path *p)
{
    while (p && --p->refs == 0) {
        Path *parent = p->parent;
        mem_free(p);
        p = parent;
    }
}

Path *path_add(Path *p, Expr condition)
{
    if (expr_is_true(condition) || (p && expr_same(p->condition, condition)))
        return p;
    Path *more = mem_alloc(sizeof *more);
    *more = (Path){.parent = p, .condition = condition, .refs = 1, .length = p ? p->length + 1 : 1};
    return more;
}

Path *path_move(Path *p, ExprImport *import)
{
    ExprVec list = {0};
    Path *moved = NULL;
    path_list(p, &list);
    path_drop(p);
    for (uint32_t i = 0; i < list.n; i++)
        moved = path_add(moved, expr_import(import, list.v[i]));
    vec_free(&list);
    return moved;
}

void path_list(const Path *p, ExprVec *out)
{
    uint32_t n = p ? p->length : 0;
    vec_clear(out);
    vec_reserve(out, n);
    out->n = n;
    for (; p; p = p->parent)
        out->v[--n] = p->condition;
}

Origin *origin_new(const ExprInput *input)
{
    Origin *o = mem_zalloc(sizeof *o);
    expr_input_copy(&o->input, input);
    o->refs = 1;
    return o;
}

Origin *origin_hold(Origin *o)
{
    if (o)
        o->refs++;
    return o;
}

void origin_drop(Origin *o)
{
    if (o && --o->refs == 0) {
        expr_input_free(&o->input);
        mem_free(o);
    }
}

void task_from_entry(Vm *vm, Task *task)
{
    if (task->resume)
        vm_snapshot_drop(vm, task->resume);
    task->resume = NULL;
}

Task task_first(void) { return (Task){.site = IR_NONE, .fn = IR_NONE, .block = IR_NONE}; }

Task task_copy(const Task *task)
{
    Task copy = *task;
    path_hold(copy.path);
    origin_hold(copy.origin);
    if (copy.resume)
        vm_snapshot_hold(copy.resume);
    return copy;
}

Task task_rest(const Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    Task rest = *task;
    VmSnapshot *last = trace->decisions.n ? vec_last(&trace->decisions).snapshot : NULL;
    path_hold(rest.path);
    rest.origin = origin_hold(origin);
    rest.resume = last ? vm_snapshot_hold(last) : NULL;
    rest.solved = true;
    rest.patience = 2 * (task->patience ? task->patience : x->options.patience);
    return rest;
}

void task_release(Vm *vm, Task *task)
{
    path_drop(task->path);
    origin_drop(task->origin);
    task_from_entry(vm, task);
    *task = (Task){0};
}
