/* states_plan.c - inputs for a node that is reached by iterations whose inputs have other names.
 *
 * Conditions of the graph are in the names of its nodes, and the names that a run will give to inputs that it
 * has not made are not known before it does. So a way is chosen backwards, edge by edge, until a node is
 * reached whose condition is in names of a run; and it is followed forwards: each run tells the names for the
 * next condition. What must hold at the end is carried back over the edges, so every step has an input. */
#include "explore/states.h"

enum { STEPS_MOST = 1 << 10 }; /* of one plan */

/* The condition at the end of an edge as one at its beginning: inputs made on the way are any inputs, by a
 * name of their own. */
static Expr before_edge(Explore *x, const Edge *edge, Expr condition, uint32_t step)
{
    const States *s = x->lane->state;
    VmInputList behind = node_inputs(s, &s->nodes.v[edge->to]),
                before = node_inputs(s, &s->nodes.v[edge->from]);
    U32Vec to = {0};
    for (uint32_t i = 0; i < behind.n; i++) {
        uint32_t link = s->links.v[edge->links + i];
        const ExprObjectInfo *info = expr_object_info(x->pool, (ExprObject){behind.v[i]});
        char key[64];
        snprintf(key, sizeof key, "later:%u:%u@%u", step, i, info->size);
        vec_push(&to, link != IR_NONE ? before.v[link]
                                      : expr_object(x->pool, key, "later", info->size, info->type).id);
    }
    Expr renamed = states_renamed(x->pool, condition, behind, (VmInputList){to.v, to.n});
    vec_free(&to);
    return renamed;
}

static bool holds_at(Explore *x, const Node *node, Expr reached, Expr condition)
{
    vec_clear(&x->query);
    vec_push(&x->query, reached);
    vec_push(&x->query, condition);
    return !expr_is_false(reached) && explore_solve(x, &node->origin->input) == SOLVER_SAT;
}

/* The edge into the node that the way comes over, and what must hold before it. */
static uint32_t choose_edge(Explore *x, const Node *node, Expr *condition, uint32_t step)
{
    const States *s = x->lane->state;
    for (unsigned actual = 2; actual-- > 0;)
        for (uint32_t e = node->in; e != IR_NONE; e = s->edges.v[e].next) {
            const Edge *edge = &s->edges.v[e];
            const Node *from = &s->nodes.v[edge->from];
            Expr before = expr_and(x->pool, edge->condition, before_edge(x, edge, *condition, step));
            if (holds_at(x, from, actual ? from->actual : from->reached, before)) {
                *condition = before;
                return e;
            }
        }
    return IR_NONE;
}

static void file_plan(Explore *x, Plan plan, const Node *from)
{
    States *s = x->lane->state;
    for (uint32_t i = 0; i < plan.edges.n / 2; i++) {
        uint32_t other = plan.edges.v[plan.edges.n - 1 - i];
        plan.edges.v[plan.edges.n - 1 - i] = plan.edges.v[i];
        plan.edges.v[i] = other;
    }
    vec_push(&s->plans, plan);
    Task task = {.origin = origin_new(&x->answer.model),
                 .site = from->site,
                 .fn = IR_NONE,
                 .block = IR_NONE,
                 .solved = true,
                 .fingerprint = s->plans.n};
    explore_bump(x, EXPLORE_TASKS);
    explore_bump(x, EXPLORE_RESIDUAL);
    frontier_file(&x->lane->frontier, task);
}

bool states_plan(Explore *x, Node *node, Expr rest)
{
    States *s = x->lane->state;
    Plan plan = {.rest = rest};
    Expr condition = rest;
    while (plan.edges.n < STEPS_MOST && !explore_is_late(x)) {
        uint32_t e = choose_edge(x, node, &condition, plan.edges.n);
        if (e == IR_NONE)
            break;
        vec_push(&plan.edges, e);
        node = &s->nodes.v[s->edges.v[e].from];
        if (holds_at(x, node, node->actual, condition)) {
            file_plan(x, plan, node);
            return true;
        }
    }
    vec_free(&plan.edges);
    return false;
}

/* How many edges of the plan the run follows from its decision `at` on. */
static uint32_t followed(const States *s, const Plan *plan, const U32Vec *nodes, uint32_t at)
{
    uint32_t n = 0;
    while (n < plan->edges.n && at + n + 1 < nodes->n &&
           nodes->v[at + n] == s->edges.v[plan->edges.v[n]].from &&
           nodes->v[at + n + 1] == s->edges.v[plan->edges.v[n]].to)
        n++;
    return n;
}

/* All that the run has decided before. */
static Path *path_before(const VmTrace *trace, uint32_t n)
{
    Path *path = NULL;
    for (uint32_t i = 0; i < n; i++)
        path = trace->decisions.v[i].entailed ? path : path_add(path, trace->decisions.v[i].holds);
    return path;
}

void states_follow(Explore *x, const Task *task, const VmTrace *trace, const U32Vec *nodes, Origin *origin)
{
    States *s = x->lane->state;
    Plan *plan = &s->plans.v[task->fingerprint - 1];
    uint32_t first = s->edges.v[plan->edges.v[0]].from, best = IR_NONE, steps = 0;
    for (uint32_t i = 0; i < nodes->n; i++)
        if (nodes->v[i] == first && (best == IR_NONE || followed(s, plan, nodes, i) > steps))
            best = i, steps = followed(s, plan, nodes, i);
    if (best == IR_NONE || (plan->begun && steps <= plan->steps))
        return; /* the question is asked once more, and what is open goes to the ledger */
    plan->begun = true;
    plan->steps = steps;
    uint32_t at = plan->at = best + steps;
    const Node *node = &s->nodes.v[nodes->v[at]];
    Expr next = steps < plan->edges.n ? s->edges.v[plan->edges.v[steps]].condition : plan->rest;
    VmInputList names = vm_state_inputs(x->lane->vm, &trace->keys.v[at]);
    const VmDecision *d = &trace->decisions.v[at];
    Task step = {
        .path = path_add(path_before(trace, at), states_renamed(x->pool, next, node_inputs(s, node), names)),
        .origin = origin_hold(origin),
        .resume = d->snapshot ? vm_snapshot_hold(d->snapshot) : NULL,
        .site = d->site,
        .fn = IR_NONE,
        .block = IR_NONE,
        .fingerprint = task->fingerprint};
    explore_bump(x, EXPLORE_TASKS);
    frontier_file_part(&x->lane->frontier, step, 1);
}
