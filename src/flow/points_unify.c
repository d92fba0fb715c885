/* points_unify.c - when the budget is spent: what still moves is made equal instead of being copied.
 *
 * A node that is visited then is settled: the ends of its edges become one with it; all that is read or
 * stored through it becomes one node, and the contents of every object that it points into one with that;
 * calls through it that are alike become one call. Settled nodes name objects as wholes. Where two of them
 * become one, only what is new to the larger has to be passed on: what the smaller is used for is made one
 * with what the larger is used for. So the cost is nearly linear. */
#include "flow/points.h"

enum { CALL_KINDS_MOST = 64 }; /* uses among which a call looks for one that is like it */

/* ---- sets ------------------------------------------------------------------------------------ */

/* Adds what is in `more` to the set, and what was not there to fresh; both are of whole objects. */
static void add_wide(Points *p, Node *x, const LocSet *more)
{
    LocSet fresh = {0};
    uint32_t before = x->all.n;
    p->steps += more->n;
    set_add(&x->all, more->v, more->n, &p->fresh_locs);
    p->bytes += ((uint64_t)x->all.n - before) * sizeof(Loc);
    if (p->fresh_locs.n)
        set_add(&x->todo, p->fresh_locs.v, p->fresh_locs.n, &fresh);
    vec_free(&fresh);
}

/* ---- two nodes ------------------------------------------------------------------------------- */

static void begin_settled(Points *p, uint32_t node)
{
    Node *x = &p->nodes.v[node];
    if (x->settled)
        return;
    x->settled = true;
    uint32_t before = x->all.n;
    set_widen(&x->all);
    set_widen(&x->todo);
    p->bytes -= (uint64_t)(before - x->all.n) * sizeof(Loc);
}

void unify_nodes(Points *p, uint32_t a, uint32_t b)
{
    begin_settled(p, a);
    begin_settled(p, b);
    Node *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    for (uint32_t i = 0; i < y->arrows.n; i++)
        vec_push(&x->arrows, y->arrows.v[i]);
    for (uint32_t i = 0; i < y->uses.n; i++) {
        y->uses.v[i].done = false;
        vec_push(&x->uses, y->uses.v[i]);
    }
    for (uint32_t shadow = 0; shadow < 2; shadow++)
        if (y->what[shadow])
            vec_push(&x->uses, (Use){.kind = USE_LOAD, .shadow = shadow, .other = y->what[shadow]});
    p->bytes -= (uint64_t)y->all.n * sizeof(Loc);
    add_wide(p, x, &(LocSet){y->all.v, y->all.n, y->all.cap});
    vec_free(&y->all);
    vec_free(&y->todo);
    vec_free(&y->arrows);
    vec_free(&y->uses);
    if (x->all.n && (x->todo.n || x->arrows.n || x->uses.n > x->ncalls || x->whole[0] || x->whole[1]))
        node_queue(p, a);
}

/* ---- one node -------------------------------------------------------------------------------- */

/* The node of what a use reads or stores. */
static uint32_t use_node(Points *p, const Use *u)
{
    return u->kind == USE_LOAD || u->kind == USE_STORE ? u->other : mem_hub_node(p, u->other, u->shadow);
}

static void settle_access(Points *p, uint32_t node, const Use *u)
{
    uint32_t what = use_node(p, u);
    Node *x = &p->nodes.v[node_find(p, node)];
    if (!x->what[u->shadow]) {
        x->what[u->shadow] = what;
        x->whole[u->shadow] = true;
    } else {
        node_unite(p, x->what[u->shadow], what);
    }
}

/* Calls through one pointer become one: n calls of n functions would be n * n. Kinds beyond a number stay
 * apart. */
static void settle_call(Points *p, uint32_t node, Use u)
{
    Node *x = &p->nodes.v[node];
    uint32_t k = 0;
    while (k < x->ncalls && k < CALL_KINDS_MOST && !call_alike(p, x->uses.v[k].other, u.other))
        k++;
    if (k == x->ncalls || k == CALL_KINDS_MOST) {
        vec_push(&x->uses, x->uses.n > x->ncalls ? x->uses.v[x->ncalls] : u);
        x->uses.v[x->ncalls++] = u;
        return;
    }
    Use kept = x->uses.v[k];
    if (kept.other == u.other)
        return;
    /* out of the list: the pointer may be among the arguments, and become another's */
    x->uses.v[k] = x->uses.v[--x->ncalls];
    x->uses.v[x->ncalls] = vec_last(&x->uses);
    x->uses.n--;
    kept.done &= p->calls.v[kept.other].merged;
    kept.other = call_merge(p, kept.other, u.other);
    vec_push(&p->nodes.v[node_find(p, node)].uses, kept);
}

/* A store of what was nothing until now; its address does not know of it if it came to rest before. */
static void settle_stored(Points *p, uint32_t address)
{
    address = node_find(p, address);
    if (!p->nodes.v[address].settled)
        node_requeue(p, address);
}

/* Edges and uses are worked off one by one: each may make the node another's. */
static uint32_t settle(Points *p, uint32_t node)
{
    for (;;) {
        node = node_find(p, node);
        begin_settled(p, node);
        Node *x = &p->nodes.v[node];
        if (x->arrows.n) {
            node_unite(p, node, vec_pop(&x->arrows).to);
            continue;
        }
        if (x->uses.n == x->ncalls)
            return node;
        Use u = vec_pop(&x->uses);
        if (u.kind == USE_CALL)
            settle_call(p, node, u);
        else if (u.kind == USE_STORED)
            settle_stored(p, u.other);
        else
            settle_access(p, node, &u);
        p->steps++;
    }
}

static void meet_objects(Points *p, uint32_t what, bool shadow, const LocSet *at)
{
    p->steps += at->n;
    for (uint32_t i = 0; i < at->n; i++)
        mem_unify(p, at->v[i], what, shadow);
}

static void enter_functions(Points *p, uint32_t call, const LocSet *at)
{
    p->steps += at->n;
    for (uint32_t i = 0; i < at->n; i++)
        call_pointer(p, call, at->v[i]);
}

static LocSet copy_of(const LocSet *set)
{
    LocSet copy = {0};
    vec_reserve(&copy, set->n);
    if (set->n)
        memcpy(copy.v, set->v, set->n * sizeof *set->v);
    copy.n = set->n;
    return copy;
}

void unify_visit(Points *p, uint32_t node)
{
    node = settle(p, node);
    Node *x = &p->nodes.v[node];
    x->queued = false;
    Vec(Use) calls = {0};
    bool all_of_it = false, whole[2] = {x->whole[0], x->whole[1]};
    uint32_t what[2] = {x->what[0], x->what[1]};
    for (uint32_t i = 0; i < x->ncalls; i++) {
        vec_push(&calls, x->uses.v[i]);
        all_of_it |= !x->uses.v[i].done;
        x->uses.v[i].done = true;
    }
    LocSet now = copy_of(&x->todo), all = {0};
    if (all_of_it || whole[0] || whole[1])
        all = copy_of(&x->all);
    x->whole[0] = x->whole[1] = false;
    vec_free(&x->todo);
    for (uint32_t shadow = 0; shadow < 2; shadow++)
        if (what[shadow])
            meet_objects(p, what[shadow], shadow, whole[shadow] ? &all : &now);
    for (uint32_t i = 0; i < calls.n; i++)
        enter_functions(p, calls.v[i].other, calls.v[i].done ? &now : &all);
    vec_free(&calls);
    vec_free(&now);
    vec_free(&all);
}
