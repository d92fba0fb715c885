/* failure_classes.c - classes of inputs that fail alike: see failure_classes.h. They are kept as a tree of
 * the conditions that hold in them, since there may be thousands and most begin alike. */
#include "explore/failure_classes.h"

#include "flow/flow.h"

/* Equations hold of few inputs: what stands behind one is seldom visited. */
static bool is_sharp(const ExprPool *pool, Expr condition) { return expr_op(pool, condition) == EXPR_EQ; }

static void put_class(FailureClasses *s, ExprPool *pool, uint32_t place)
{
    uint32_t at = tree_add(&s->tree, pool, 0, EXPR_TRUE);
    Expr within = expr_not(pool, s->blocking.v[place]);
    vec_clear(&s->members);
    expr_split(pool, within, &s->members);
    for (unsigned sharp = 2; sharp-- > 0;)
        for (uint32_t i = 0; i < s->members.n; i++)
            if (is_sharp(pool, s->members.v[i]) == sharp)
                at = tree_add(&s->tree, pool, at, s->members.v[i]);
    s->tree.v[at].end = place;
}

void failure_class_add(FailureClasses *s, ExprPool *pool, Expr blocking)
{
    if (map_get(&s->known, blocking.id, NULL))
        return;
    map_put(&s->known, blocking.id, 1);
    vec_push(&s->blocking, blocking);
    put_class(s, pool, s->blocking.n - 1);
}

/* A walk through the tree: what follows a node is visited only if the walker goes below it. */
static void below(FailureClasses *s, const ConditionNode *node)
{
    if (node->first)
        vec_push(&s->stack, node->first);
}

static void begin_walk(FailureClasses *s)
{
    vec_clear(&s->stack);
    if (s->tree.n)
        below(s, &s->tree.v[0]);
}

static const ConditionNode *next_node(FailureClasses *s)
{
    if (!s->stack.n)
        return NULL;
    const ConditionNode *node = &s->tree.v[vec_pop(&s->stack)];
    if (node->next)
        vec_push(&s->stack, node->next);
    return node;
}

/* The latest continuation is looked at first: the next model is likely to be near the last one. */
Expr failure_class_of(FailureClasses *s, ExprEval *eval)
{
    if (s->tree.n && s->tree.v[0].end != UINT32_MAX)
        return s->blocking.v[s->tree.v[0].end]; /* every input fails */
    begin_walk(s);
    for (const ConditionNode *node; (node = next_node(s));) {
        if (!expr_eval_true(eval, node->holds))
            continue;
        if (node->end != UINT32_MAX)
            return s->blocking.v[node->end];
        below(s, node);
    }
    return EXPR_NONE;
}

void failure_classes_exclude(FailureClasses *s, Solver *solver, ExprVec *query)
{
    solver_suppose(solver, query->v, query->n);
    stamps_clear(&s->given);
    for (uint32_t i = 0; i < query->n; i++)
        stamps_add(&s->given, query->v[i].id);
    begin_walk(s);
    for (const ConditionNode *node; (node = next_node(s));) {
        if (stamps_has(&s->given, node->blocking.id) || solver_contradicts(solver, node->holds))
            continue;
        if (node->end == UINT32_MAX)
            below(s, node);
        else if (!stamps_has(&s->given, s->blocking.v[node->end].id))
            vec_push(query, s->blocking.v[node->end]);
    }
}

void failure_classes_move(FailureClasses *s, ExprPool *to, ExprImport *import)
{
    map_clear(&s->known);
    vec_clear(&s->tree);
    for (uint32_t i = 0; i < s->blocking.n; i++) {
        s->blocking.v[i] = expr_import(import, s->blocking.v[i]);
        map_put(&s->known, s->blocking.v[i].id, 1);
        put_class(s, to, i);
    }
}

size_t failure_classes_bytes(const FailureClasses *s)
{
    return map_bytes(&s->known) + s->blocking.cap * sizeof *s->blocking.v + s->tree.cap * sizeof *s->tree.v +
           s->given.of.cap * sizeof *s->given.of.v;
}

void failure_classes_free(FailureClasses *s)
{
    map_free(&s->known);
    vec_free(&s->blocking);
    vec_free(&s->tree);
    vec_free(&s->members);
    stamps_free(&s->given);
    vec_free(&s->stack);
}

SolverStatus failure_classes_solve(FailureClasses *s, Explore *x, ExprEval *eval, const Task *task, bool all,
                                   ExprInput *any)
{
    const ExprInput *hint = task->origin ? &task->origin->input : NULL;
    path_list(task->path, &x->query);
    SolverStatus status = explore_solve(x, hint);
    while (status == SOLVER_SAT && s->blocking.n && !explore_is_late(x)) {
        expr_eval_input(eval, &x->answer.model);
        Expr blocking = failure_class_of(s, eval);
        if (expr_is_none(blocking))
            break;
        expr_input_copy(any, &x->answer.model);
        vec_push(&x->query, blocking);
        if (all)
            failure_classes_exclude(s, x->solver, &x->query);
        status = explore_solve(x, hint);
    }
    return status;
}

/* ---- how a run ends ------------------------------------------------------------------------------ */

/* When main returns the start-up code exits, with no function of the user's under way: that is no failure,
 * whatever the handlers that run then depend on. */
static bool main_returned(const Explore *x, const VmResult *r)
{
    for (uint32_t i = 0; i < r->stack.n; i++)
        if (!x->program->fns.v[r->stack.v[i].fn].runtime)
            return false;
    return r->ending == VM_END_EXIT;
}

bool failure_is_none(const Explore *x, const VmResult *r)
{
    unsigned policy = x->options.symbolic.policy;
    return r->ending == VM_END_RETURN || main_returned(x, r) ||
           (r->ending == VM_END_EXIT && policy & FLOW_TIE_EXITS) ||
           (r->ending == VM_END_FAULT && policy & FLOW_TIE_FAULTS);
}

/* A loop was stopped at its bound: that depends on what its being there does, and on what it depended on that
 * each iteration was counted. */
static ExprSet loop_bound_label(ExprPool *p, const VmTrace *trace)
{
    ExprSet all = trace->ending;
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        if (trace->decisions.v[i].counts)
            all = expr_set_union(p, all, trace->decisions.v[i].label);
    return all;
}

/* An ending that no check explains (a limit, an interruption) depends on all that happened; what is left
 * unfreed depends on all of memory. */
ExprSet failure_label(ExprPool *p, const VmTrace *trace)
{
    const VmResult *r = &trace->result;
    bool leak = r->ending == VM_END_FAULT && r->fault == VM_FAULT_LEAK;
    if (r->ending == VM_END_LIMIT && r->limit == LEDGER_LOOP)
        return loop_bound_label(p, trace);
    if (r->ending != VM_END_LIMIT && r->ending != VM_END_INTERRUPTED && !leak)
        return trace->ending;
    return (ExprSet){sets_range(expr_sets(p), 0, trace->decisions.n)};
}

Expr failure_condition(ExprPool *p, const VmTrace *trace, ExprSet decisions)
{
    ExprVec list = {0};
    for (uint32_t i = 0; (i = expr_set_next(p, decisions, i)) != UINT32_MAX; i++)
        vec_push(&list, trace->decisions.v[i].holds);
    Expr all = expr_and_all(p, list.v, list.n);
    vec_free(&list);
    return all;
}
