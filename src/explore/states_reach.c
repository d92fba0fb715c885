/* states_reach.c - under which condition a node of the graph of states is reached.
 *
 *     reached(root) = true
 *     reached(node) = or over edges into it: reached(from) and the condition of the edge, in the node's names
 *
 * Edges that go against the order of the graph close cycles. One back to a node that dominates its beginning
 * adds no input: a run that takes it was there, with the same values of inputs, but for those inputs that
 * were made on the way. What else comes over such edges is computed in passes, from above.
 *
 * A condition over an input whose name the node gives to another one is dropped: `reached` may hold for more
 * than comes to the node, never for less. */
#include "explore/states.h"

#include <stdlib.h>

enum {
    PASSES = 3,     /* over a graph with edges against its order */
    LISTS_SHARE = 4 /* of the memory, for conditions that hold on every way to a node */
};

/* The graph of a round: successors of each node, an order in which a node comes after one of its
 * predecessors, and dominators. */
typedef struct Round {
    States *s;
    U32Vec first, targets; /* successors of node n: targets from first[n] to first[n + 1] */
    U32Vec order;          /* reverse postorder from the root */
    U32Vec place;          /* node to its place there */
    U32Vec dominator;      /* by place */
    U32Vec value;          /* for each input of each node: equal numbers, equal values */
    size_t most;           /* bytes that lists of conditions may take */
} Round;

static void find_successors(Round *r)
{
    const States *s = r->s;
    vec_reserve(&r->first, s->nodes.n + 2);
    r->first.n = s->nodes.n + 1;
    memset(r->first.v, 0, r->first.n * sizeof *r->first.v);
    for (uint32_t i = 0; i < s->edges.n; i++)
        r->first.v[s->edges.v[i].from + 1]++;
    for (uint32_t n = 0; n < s->nodes.n; n++)
        r->first.v[n + 1] += r->first.v[n];
    U32Vec at = {0};
    vec_reserve(&at, r->first.n);
    memcpy(at.v, r->first.v, r->first.n * sizeof *at.v);
    vec_reserve(&r->targets, s->edges.n + 1);
    r->targets.n = s->edges.n;
    for (uint32_t i = 0; i < s->edges.n; i++)
        r->targets.v[at.v[s->edges.v[i].from]++] = s->edges.v[i].to;
    vec_free(&at);
}

static void find_order(Round *r)
{
    uint32_t n = r->s->nodes.n;
    U32Vec work = {0}, next = {0};
    vec_reserve(&r->place, n + 1);
    r->place.n = n;
    memset(r->place.v, 0xff, n * sizeof *r->place.v);
    vec_reserve(&next, n + 1);
    memcpy(next.v, r->first.v, n * sizeof *next.v);
    vec_push(&work, 0);
    r->place.v[0] = 0;
    while (work.n) {
        uint32_t node = vec_last(&work);
        if (next.v[node] == r->first.v[node + 1]) {
            vec_push(&r->order, node);
            work.n--;
            continue;
        }
        uint32_t to = r->targets.v[next.v[node]++];
        if (r->place.v[to] == IR_NONE) {
            r->place.v[to] = 0;
            vec_push(&work, to);
        }
    }
    for (uint32_t i = 0; i < r->order.n / 2; i++) {
        uint32_t other = r->order.v[r->order.n - 1 - i];
        r->order.v[r->order.n - 1 - i] = r->order.v[i];
        r->order.v[i] = other;
    }
    for (uint32_t i = 0; i < r->order.n; i++)
        r->place.v[r->order.v[i]] = i;
    vec_free(&work);
    vec_free(&next);
}

/* Cooper, Harvey and Kennedy: where two ways up the tree meet. */
static uint32_t meet(const Round *r, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = r->dominator.v[a];
        while (b > a)
            b = r->dominator.v[b];
    }
    return a;
}

static void find_dominators(Round *r)
{
    const States *s = r->s;
    vec_reserve(&r->dominator, r->order.n + 1);
    r->dominator.n = r->order.n;
    memset(r->dominator.v, 0xff, r->order.n * sizeof *r->dominator.v);
    r->dominator.v[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < r->order.n; i++) {
            uint32_t best = IR_NONE;
            for (uint32_t e = s->nodes.v[r->order.v[i]].in; e != IR_NONE; e = s->edges.v[e].next) {
                uint32_t from = r->place.v[s->edges.v[e].from];
                if (from != IR_NONE && r->dominator.v[from] != IR_NONE)
                    best = best == IR_NONE ? from : meet(r, best, from);
            }
            changed |= best != r->dominator.v[i];
            r->dominator.v[i] = best;
        }
    }
}

static bool dominates(const Round *r, uint32_t a, uint32_t b)
{
    while (b > a)
        b = r->dominator.v[b];
    return a == b;
}

/* Conditions that are in both. */
static void intersect(ExprVec *a, const ExprVec *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0, k = 0; i < a->n && k < b->n;)
        if (a->v[i].id == b->v[k].id)
            a->v[n++] = a->v[i], i++, k++;
        else if (a->v[i].id < b->v[k].id)
            i++;
        else
            k++;
    a->n = n;
}

static void insert(ExprVec *to, const ExprVec *from, Expr condition)
{
    vec_clear(to);
    vec_reserve(to, from->n + 1);
    bool in = expr_is_true(condition);
    for (uint32_t i = 0; i < from->n; i++) {
        if (!in && condition.id <= from->v[i].id) {
            if (condition.id < from->v[i].id)
                to->v[to->n++] = condition;
            in = true;
        }
        to->v[to->n++] = from->v[i];
    }
    if (!in)
        to->v[to->n++] = condition;
}

static void swap(ExprVec *a, ExprVec *b)
{
    ExprVec c = *a;
    *a = *b;
    *b = c;
}

/* ---- which inputs have equal values ----------------------------------------------------------- */

static uint32_t link_of(const States *s, const Edge *edge, uint32_t i) { return s->links.v[edge->links + i]; }

/* The number of an input of a node: that which it has on all edges, or its own. */
static uint32_t value_of(const Round *r, uint32_t place, uint32_t i)
{
    const States *s = r->s;
    const Node *node = &s->nodes.v[r->order.v[place]];
    uint32_t own = 1 + node->inputs + i, found = place ? 0 : own;
    for (uint32_t e = node->in; e != IR_NONE && found != own; e = s->edges.v[e].next) {
        const Edge *edge = &s->edges.v[e];
        uint32_t link = link_of(s, edge, i), value = 1 + s->inputs.n + edge->links + i;
        if (r->place.v[edge->from] == IR_NONE)
            continue;
        if (link != IR_NONE)
            value = r->value.v[s->nodes.v[edge->from].inputs + link];
        if (value && found && found != value)
            found = own;
        else if (value)
            found = value;
    }
    return found;
}

/* Optimistic, as value numbering is: what closes a cycle counts as equal until it is seen to differ. */
static void find_values(Round *r)
{
    const States *s = r->s;
    vec_reserve(&r->value, s->inputs.n + 1);
    r->value.n = s->inputs.n;
    memset(r->value.v, 0, r->value.n * sizeof *r->value.v);
    for (bool changed = s->inputs.n != 0; changed;) {
        changed = false;
        for (uint32_t place = 0; place < r->order.n; place++) {
            const Node *node = &s->nodes.v[r->order.v[place]];
            for (uint32_t i = 0; i < node->ninputs; i++) {
                uint32_t *value = &r->value.v[node->inputs + i], own = 1 + node->inputs + i;
                uint32_t now = *value == own ? own : value_of(r, place, i);
                changed |= now != *value;
                *value = now;
            }
        }
    }
}

/* Does the input have the value that it had when the node was last passed, where an edge leads back to it? */
static bool is_preserved(const Round *r, const Node *node, const Edge *edge, uint32_t i)
{
    const States *s = r->s;
    uint32_t link = link_of(s, edge, i), value = r->value.v[node->inputs + i], same = 0;
    for (uint32_t k = 0; k < node->ninputs; k++)
        same += r->value.v[node->inputs + k] == value;
    return link != IR_NONE && same == 1 && r->value.v[s->nodes.v[edge->from].inputs + link] == value;
}

/* ---- conditions in other names ---------------------------------------------------------------- */

static ExprSet symbols_of(ExprPool *p, uint32_t object)
{
    ExprSet all = EXPR_SET_EMPTY;
    uint32_t size = expr_object_info(p, (ExprObject){object})->size;
    for (uint32_t k = 0; k < size; k++)
        all = expr_set_union(p, all, expr_symbols(p, expr_object_byte(p, (ExprObject){object}, k)));
    return all;
}

/* How names change over an edge. */
typedef struct Carrying {
    U32Vec from, to;  /* inputs that it carries: their names before and behind */
    ExprSet dropped;  /* symbols whose names another input has behind it */
    bool is_identity; /* no name changes */
} Carrying;

static bool has(const U32Vec *list, uint32_t x)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i] == x)
            return true;
    return false;
}

static Carrying carrying_of(ExprPool *p, const States *s, const Edge *edge, const Node *node)
{
    Carrying c = {.dropped = EXPR_SET_EMPTY, .is_identity = true};
    VmInputList before = node_inputs(s, &s->nodes.v[edge->from]), behind = node_inputs(s, node);
    for (uint32_t i = 0; i < behind.n; i++) {
        uint32_t link = link_of(s, edge, i);
        if (link == IR_NONE)
            continue;
        vec_push(&c.from, before.v[link]);
        vec_push(&c.to, behind.v[i]);
        c.is_identity &= before.v[link] == behind.v[i];
    }
    for (uint32_t i = 0; i < behind.n; i++)
        if (!has(&c.from, behind.v[i]))
            c.dropped = expr_set_union(p, c.dropped, symbols_of(p, behind.v[i]));
    return c;
}

static bool is_dropped(ExprPool *p, ExprSet dropped, Expr e)
{
    return dropped.id && expr_set_meets(p, expr_symbols(p, e), dropped);
}

static Expr carried_part(ExprPool *p, const Carrying *c, Expr e)
{
    return c->is_identity
               ? e
               : states_renamed(p, e, (VmInputList){c->from.v, c->from.n}, (VmInputList){c->to.v, c->to.n});
}

/* The condition without its conjuncts over what is dropped. */
static Expr without(ExprPool *p, ExprSet dropped, Expr e)
{
    ExprVec parts = {0};
    Expr kept = EXPR_TRUE;
    if (!is_dropped(p, dropped, e))
        return e;
    expr_split(p, e, &parts);
    for (uint32_t i = 0; i < parts.n; i++)
        if (!is_dropped(p, dropped, parts.v[i]))
            kept = expr_and(p, kept, parts.v[i]);
    vec_free(&parts);
    return kept;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const Expr *)a)->id, y = ((const Expr *)b)->id;
    return x < y ? -1 : x > y;
}

static void drop_from(ExprPool *p, ExprSet dropped, ExprVec *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        if (!is_dropped(p, dropped, list->v[i]))
            list->v[n++] = list->v[i];
    list->n = n;
}

static void carry_list(ExprPool *p, const Carrying *c, ExprVec *list)
{
    drop_from(p, c->dropped, list);
    for (uint32_t i = 0; !c->is_identity && i < list->n; i++)
        list->v[i] = carried_part(p, c, list->v[i]);
    if (!c->is_identity && list->n)
        qsort(list->v, list->n, sizeof *list->v, by_id);
}

/* ---- one node --------------------------------------------------------------------------------- */

typedef struct Ways {
    uint32_t n;
    ExprVec way; /* of the edge under way */
} Ways;

/* An edge in the order, or one against it: then what is known of its beginning is of the pass before. */
static void add_way(ExprPool *p, const Round *r, Node *node, const Edge *edge, bool against, Ways *ways)
{
    States *s = r->s;
    const Node *from = &s->nodes.v[edge->from];
    Expr whole = expr_and(p, from->reached, edge->condition);
    Carrying c = carrying_of(p, s, edge, node);
    insert(&ways->way, &from->must, edge->condition);
    bool same = c.is_identity && !is_dropped(p, c.dropped, whole);
    if (!same) {
        carry_list(p, &c, &ways->way);
        whole = carried_part(p, &c, without(p, c.dropped, whole));
    }
    if (!ways->n++)
        swap(&node->must, &ways->way);
    else
        intersect(&node->must, &ways->way);
    bool actual = (edge->actual || !s->named) && same;
    node->exact &= !against && from->exact && same;
    node->over |= against || !same || from->over;
    node->is_actual &= actual && from->is_actual && !(against && s->named);
    node->reached = expr_or(p, node->reached, whole);
    if (actual)
        node->actual = expr_or(p, node->actual, expr_and(p, from->actual, edge->condition));
    vec_free(&c.from);
    vec_free(&c.to);
}

/* An edge from what the node dominates: of its inputs that are others now, what is known at the beginning of
 * the edge. `before`: what the node had in the pass before; `first`: what it has by the other edges. */
static void add_back(ExprPool *p, const Round *r, Node *node, const Edge *edge, Expr before, Expr first)
{
    ExprSet changed = EXPR_SET_EMPTY;
    States *s = r->s;
    const Node *from = &s->nodes.v[edge->from];
    VmInputList inputs = node_inputs(s, node);
    for (uint32_t i = 0; i < inputs.n; i++)
        if (!is_preserved(r, node, edge, i))
            changed = expr_set_union(p, changed, symbols_of(p, inputs.v[i]));
    if (!is_dropped(p, changed, first))
        return;
    Carrying c = carrying_of(p, s, edge, node);
    Expr whole = expr_and(p, from == node ? before : from->reached, edge->condition);
    whole = carried_part(p, &c, without(p, c.dropped, whole));
    node->reached = expr_or(p, node->reached, expr_and(p, without(p, changed, first), whole));
    drop_from(p, changed, &node->must);
    node->exact = node->is_actual = false;
    node->over = true;
    vec_free(&c.from);
    vec_free(&c.to);
}

/* Nothing need be listed: what is reached says it, too. */
static void keep_within(const Round *r, Node *node, size_t before)
{
    size_t bytes = node->must.cap * sizeof *node->must.v;
    if (r->s->musts - before + bytes > r->most) {
        vec_free(&node->must);
        node->exact = false;
        bytes = 0;
    }
    r->s->musts += bytes - before;
}

static void reach_node(ExprPool *p, const Round *r, uint32_t i)
{
    States *s = r->s;
    Node *node = &s->nodes.v[r->order.v[i]];
    Ways ways = {0};
    size_t listed = node->must.cap * sizeof *node->must.v;
    Expr before = node->reached;
    node->reached = node->actual = i ? EXPR_FALSE : EXPR_TRUE;
    node->exact = node->is_actual = true;
    node->over = false;
    vec_clear(&node->must);
    for (uint32_t e = node->in; i && e != IR_NONE; e = s->edges.v[e].next) {
        uint32_t place = r->place.v[s->edges.v[e].from];
        if (place != IR_NONE && !dominates(r, i, place))
            add_way(p, r, node, &s->edges.v[e], place >= i, &ways);
    }
    node->exact &= ways.n <= 1;
    Expr first = node->reached;
    for (uint32_t e = node->in; node->ninputs && e != IR_NONE; e = s->edges.v[e].next) {
        uint32_t place = r->place.v[s->edges.v[e].from];
        if (place != IR_NONE && dominates(r, i, place))
            add_back(p, r, node, &s->edges.v[e], before, first);
    }
    keep_within(r, node, listed);
    vec_free(&ways.way);
}

/* Before the first pass every node may be reached by any input. Each pass knows no less than the one before,
 * and holds for every way in: what is computed from more than comes to the nodes before is more than comes
 * here. */
static void forget(Round *r)
{
    for (uint32_t i = 0; i < r->order.n; i++) {
        Node *node = &r->s->nodes.v[r->order.v[i]];
        node->reached = EXPR_TRUE;
        node->actual = EXPR_FALSE;
        node->is_actual = !r->s->named;
        if (node->is_actual)
            node->actual = EXPR_TRUE;
        node->exact = node->over = false;
        vec_clear(&node->must);
    }
}

static bool goes_against(const Round *r)
{
    for (uint32_t e = 0; e < r->s->edges.n; e++) {
        uint32_t from = r->place.v[r->s->edges.v[e].from], to = r->place.v[r->s->edges.v[e].to];
        if (from != IR_NONE && from >= to && (r->s->named || !dominates(r, to, from)))
            return true;
    }
    return false;
}

void states_round(Explore *x, void (*ask)(Explore *x, Node *node))
{
    Round r = {.s = x->lane->state, .most = x->options.max_memory / LISTS_SHARE};
    find_successors(&r);
    find_order(&r);
    find_dominators(&r);
    find_values(&r);
    forget(&r);
    for (unsigned pass = goes_against(&r) ? PASSES : 1; pass-- > 0;)
        for (uint32_t i = 0; i < r.order.n; i++)
            reach_node(x->pool, &r, i);
    for (uint32_t i = 0; i < r.order.n && !explore_is_late(x); i++)
        ask(x, &r.s->nodes.v[r.order.v[i]]);
    vec_free(&r.first);
    vec_free(&r.targets);
    vec_free(&r.order);
    vec_free(&r.place);
    vec_free(&r.dominator);
    vec_free(&r.value);
}
