/* states_save.c - the graph of states as bytes, for explore_save. Questions that were asked are asked again:
 * an answer may have been missing for want of time. */
#include "explore/save.h"
#include "explore/states.h"

static void save_node(Saving *s, const Node *node)
{
    wire_u64(&s->body, node->key.a);
    wire_u64(&s->body, node->key.b);
    wire_u64(&s->body, node->index);
    wire_uint(&s->body, node->site);
    wire_uint(&s->body, node->inputs);
    wire_uint(&s->body, node->ninputs);
    save_expr(s, node->taken);
    save_expr(s, node->assumed);
    save_origin(s, node->origin);
}

static void save_edge(Saving *s, const Edge *edge)
{
    wire_uint(&s->body, edge->from);
    wire_uint(&s->body, edge->to);
    save_expr(s, edge->condition);
    wire_uint(&s->body, edge->links);
    wire_uint(&s->body, edge->actual);
}

static void save_numbers(Saving *s, const U32Vec *list)
{
    wire_uint(&s->body, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        wire_uint(&s->body, list->v[i]);
}

void states_save(Explore *x, Saving *s)
{
    const States *states = x->lane->state;
    save_numbers(s, &states->inputs);
    save_numbers(s, &states->links);
    wire_uint(&s->body, states->nodes.n);
    for (uint32_t i = 0; i < states->nodes.n; i++)
        save_node(s, &states->nodes.v[i]);
    wire_uint(&s->body, states->edges.n);
    for (uint32_t i = 0; i < states->edges.n; i++)
        save_edge(s, &states->edges.v[i]);
    wire_uint(&s->body, states->plans.n);
    for (uint32_t i = 0; i < states->plans.n; i++) {
        const Plan *plan = &states->plans.v[i];
        save_numbers(s, &plan->edges);
        save_expr(s, plan->rest);
        wire_uint(&s->body, plan->steps);
        wire_uint(&s->body, plan->at);
        wire_uint(&s->body, plan->begun);
    }
    wire_uint(&s->body, states->named);
    wire_uint(&s->body, states->full);
    wire_uint(&s->body, states->origins);
}

/* ---- loading --------------------------------------------------------------------------------- */

/* Each below the limit, or IR_NONE where that is allowed. */
static void load_numbers(Loading *l, uint64_t limit, bool none, U32Vec *out)
{
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        uint32_t value = wire_get_u32(&l->in);
        if (value >= limit && !(none && value == IR_NONE))
            wire_refuse(&l->in);
        vec_push(out, value);
    }
}

static void load_inputs(Loading *l, U32Vec *out)
{
    load_numbers(l, l->objects.n, false, out);
    for (uint32_t i = 0; i < out->n && !l->in.bad; i++)
        out->v[i] = l->objects.v[out->v[i]];
}

static void load_node(Loading *l, States *states)
{
    Node node = {.in = IR_NONE};
    node.key.a = wire_get_u64(&l->in);
    node.key.b = wire_get_u64(&l->in);
    node.index = wire_get_u64(&l->in);
    node.site = wire_get_u32(&l->in);
    node.inputs = (uint32_t)wire_get_below(&l->in, (uint64_t)states->inputs.n + 1);
    node.ninputs = (uint32_t)wire_get_below(&l->in, (uint64_t)states->inputs.n - node.inputs + 1);
    node.taken = load_condition(l);
    node.assumed = load_expr(l);
    node.origin = load_origin(l);
    bool ok = node.origin && (expr_is_none(node.assumed) || expr_width(l->x->pool, node.assumed) == 1) &&
              (node.site == IR_NONE || node.site < l->x->program->sites.n);
    vec_push(&states->nodes, node);
    if (!ok || l->in.bad || !states_index(states, node.key, states->nodes.n - 1))
        wire_refuse(&l->in);
}

static void load_edge(Loading *l, States *states)
{
    Edge edge = {.from = (uint32_t)wire_get_below(&l->in, states->nodes.n),
                 .to = (uint32_t)wire_get_below(&l->in, states->nodes.n),
                 .condition = load_condition(l),
                 .links = (uint32_t)wire_get_below(&l->in, (uint64_t)states->links.n + 1),
                 .actual = wire_get_below(&l->in, 2)};
    if (l->in.bad)
        return;
    Node *to = &states->nodes.v[edge.to];
    uint32_t before = states->nodes.v[edge.from].ninputs;
    if (to->ninputs > states->links.n - edge.links)
        wire_refuse(&l->in);
    for (uint32_t i = 0; i < to->ninputs && !l->in.bad; i++)
        if (states->links.v[edge.links + i] != IR_NONE && states->links.v[edge.links + i] >= before)
            wire_refuse(&l->in);
    edge.next = to->in;
    to->in = states->edges.n;
    vec_push(&states->edges, edge);
}

static void load_plan(Loading *l, States *states)
{
    Plan plan = {0};
    load_numbers(l, states->edges.n, false, &plan.edges);
    plan.rest = load_condition(l);
    plan.steps = (uint32_t)wire_get_below(&l->in, (uint64_t)plan.edges.n + 1);
    plan.at = wire_get_u32(&l->in);
    plan.begun = wire_get_below(&l->in, 2);
    vec_push(&states->plans, plan);
}

/* Tasks with a plan name it. */
static void check_tasks(Loading *l, const States *states)
{
    FrontierPlace at = {0};
    for (const Task *task; (task = frontier_next(&l->x->lane->frontier, &at));)
        if (task->fingerprint > states->plans.n)
            wire_refuse(&l->in);
}

void states_load(Explore *x, Loading *l)
{
    States *states = x->lane->state;
    load_inputs(l, &states->inputs);
    load_numbers(l, UINT32_MAX, true, &states->links);
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++)
        load_node(l, states);
    n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++)
        load_edge(l, states);
    n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++)
        load_plan(l, states);
    states->named = wire_get_below(&l->in, 2);
    states->full = wire_get_below(&l->in, 2);
    states->origins = wire_get(&l->in);
    check_tasks(l, states);
    if (!l->in.bad)
        states_know_edges(states);
}
