/* states.c - the explorer `states`: a graph of states, in which paths that come to the same state are one.
 *
 * Two paths differ only through decisions, so states are compared at decisions. A node is the state before a
 * decision (VmKey); an edge is one of its outcomes, with the condition that held. A run files alternatives
 * only at nodes that no run has met; it goes on past those that are known, since a later one may be new.
 *
 *     expand(run):    for each decision: node <- its key; edge from the node before, under what held there
 *                     a new node: file the alternatives under the run's path, as `full` does
 *     more():         reached(root) <- true
 *                     reached(node) <- or over edges into it: reached(from) and condition
 *                     for each node: is reached(node) and not (outcomes taken) satisfiable? then a run of
 * that until nothing is pending.
 *
 * Why nothing is lost: take any path. Its first state is a node. If a state of it is a node, the outcome that
 * it takes there is satisfiable together with reached(node), so that some run takes it; the states behind are
 * equal, since how a run goes on is a function of its state. So every fault, ending and branch outcome of
 * `full` is met. A decision that earlier ones imply is recorded, too: another way to the same state may not
 * imply it. */
#include "explore/output.h"

typedef struct Edge {
    uint32_t from; /* node */
    Expr condition;
    uint32_t next; /* another edge into the same node; IR_NONE: none */
} Edge;

typedef struct Node {
    VmKey key;
    uint32_t in; /* its last edge; IR_NONE: it begins runs */
    uint32_t site;
    Expr taken;            /* that an outcome is met which a run has taken */
    Expr reached;          /* of the round under way */
    Expr asked;            /* the last question; EXPR_NONE: none yet */
    bool found;            /* and an input was its answer */
    Origin *origin;        /* of the run that met it first */
    ExprVec must;          /* of the round: conditions that hold on every way in, ascending by id */
    bool exact;            /* of the round: there is one way in, and `must` is all of it */
    bool over;             /* of the round: it may be reached in fewer cases */
    Expr assumed;          /* what holds here without an alternative; EXPR_NONE: nothing */
    uint32_t row, failure; /* of a node that ends runs: 1 + its number in the signature */
} Node;

typedef struct States {
    Map index; /* key to node */
    Vec(Node) nodes;
    Vec(Edge) edges;
    Map known;      /* edges, by where they begin and their condition: where they lead */
    Output *output; /* the signature; NULL: none is made */
} States;

/* ---- the graph ------------------------------------------------------------------------------- */

static bool same_key(VmKey a, VmKey b) { return a.a == b.a && a.b == b.b; }

static uint32_t node_of(Explore *x, VmKey key, uint32_t site, Origin *origin, bool *is_new)
{
    States *s = x->lane->state;
    uint64_t at, name = key.a;
    while (!(*is_new = !map_get(&s->index, name, &at)) && !same_key(s->nodes.v[at].key, key))
        name = hash_u64(name);
    if (*is_new) {
        at = s->nodes.n;
        map_put(&s->index, name, at);
        vec_push(&s->nodes, (Node){.key = key,
                                   .in = IR_NONE,
                                   .site = site,
                                   .taken = EXPR_FALSE,
                                   .asked = EXPR_NONE,
                                   .origin = origin_hold(origin)});
        explore_bump(x, EXPLORE_STATES);
    }
    return (uint32_t)at;
}

static uint64_t edge_name(uint32_t from, Expr condition) { return (uint64_t)from << 32 | condition.id; }

/* What follows is a function of the state and of what held: if it is not, the key lacks something. */
static void edge_add(Explore *x, uint32_t from, Expr condition, uint32_t to)
{
    States *s = x->lane->state;
    uint64_t other;
    if (!map_get(&s->known, edge_name(from, condition), &other))
        map_put(&s->known, edge_name(from, condition), to);
    else if (other == to)
        return;
    else
        explore_bump(x, EXPLORE_DIVERGED);
    vec_push(&s->edges, (Edge){from, condition, s->nodes.v[to].in});
    s->nodes.v[to].in = s->edges.n - 1;
}

/* The node of a decision of the run, and the edge that the run took to it; `held` did at the node before. */
static uint32_t enter(Explore *x, const VmTrace *trace, uint32_t i, uint32_t before, Expr held,
                      Origin *origin, bool *is_new)
{
    States *s = x->lane->state;
    const VmDecision *d = &trace->decisions.v[i];
    uint32_t at = node_of(x, trace->keys.v[i], d->site, origin, is_new);
    Node *node = &s->nodes.v[at];
    if (before != IR_NONE && before != at) /* the machine may pause in a branch, and then decides it again */
        edge_add(x, before, held, at);
    node->assumed = d->count || expr_is_true(d->holds) ? node->assumed : d->holds;
    node->taken = d->count ? expr_or(x->pool, node->taken, d->holds) : EXPR_TRUE; /* an assumption, say */
    return at;
}

static size_t bytes_of(const States *s)
{
    return s->nodes.n * (sizeof(Node) + 128) + s->edges.n * (sizeof(Edge) + 32);
}

/* ---- a signature: what runs show at their ends -------------------------------------------------- */

/* Of how a run ended, and of what it shows: runs that agree in that end in one node. */
static VmKey end_key(Explore *x, const VmTrace *t)
{
    const VmResult *r = &t->result;
    bool shows = r->ending == VM_END_RETURN || r->ending == VM_END_EXIT;
    SignatureRow shown = {{0}};
    Arena *arena = arena_new();
    uint64_t hash = hash_mix(r->ending == VM_END_EXIT ? VM_END_RETURN : r->ending,
                             shows ? 0 : hash_mix(r->fault, r->site));
    if (shows)
        explore_shown(x->pool, arena, x->program, x->options.symbolic.inputs.entry, &x->options.criteria, t,
                      &shown);
    for (uint32_t i = 0; i < shown.outputs.n; i++) {
        const SignatureOutput *o = &shown.outputs.v[i];
        hash = hash_mix(hash, hash_bytes(o->name, strlen(o->name)));
        for (uint32_t k = 0; k < o->parts.n; k++)
            hash = hash_mix(hash, o->parts.v[k].text ? hash_bytes(o->parts.v[k].text, o->parts.v[k].size)
                                                     : fingerprint_of(&x->fingerprints, o->parts.v[k].value));
    }
    explore_shown_free(&shown);
    arena_free(arena);
    return (VmKey){hash, hash_u64(hash + 1)};
}

static void end_run(Explore *x, const VmTrace *trace, uint32_t before, Expr held, Origin *origin)
{
    States *s = x->lane->state;
    Output *o = s->output;
    const VmResult *r = &trace->result;
    bool is_new, shows = r->ending == VM_END_RETURN || r->ending == VM_END_EXIT;
    uint32_t at = node_of(x, end_key(x, trace), r->site, origin, &is_new);
    s->nodes.v[at].taken = EXPR_TRUE;
    if (before != IR_NONE)
        edge_add(x, before, held, at);
    if (shows)
        output_note_assumptions(o, trace);
    if (is_new && shows) {
        SignatureRow row = {.run = x->counters[EXPLORE_RUNS], .end = output_ending(o, x->program, r)};
        expr_input_copy(&row.input, &origin->input);
        output_fill_row(o, x->program, x->options.symbolic.inputs.entry, &x->options.criteria, trace, &row);
        vec_push(&o->signature.rows, row);
        vec_push(&o->next, 0);
        s->nodes.v[at].row = o->signature.rows.n;
    } else if (is_new) {
        SignatureFailure f = {.run = x->counters[EXPLORE_RUNS], .end = output_ending(o, x->program, r)};
        expr_input_copy(&f.input, &origin->input);
        vec_push(&o->signature.failures, f);
        s->nodes.v[at].failure = o->signature.failures.n;
    }
}

/* Nothing is pending: rows hold where their nodes are reached. Every input is in one, or the solver finds it.
 */
static void end_rows(Explore *x)
{
    States *s = x->lane->state;
    Signature *signature = &s->output->signature;
    vec_clear(&x->query);
    for (uint32_t i = 0; i < s->nodes.n; i++) {
        Node *node = &s->nodes.v[i];
        if (!expr_is_none(node->assumed)) /* who breaks an assumption is in no row */
            vec_push(&x->query,
                     expr_not(x->pool, expr_and(x->pool, node->reached, expr_not(x->pool, node->assumed))));
        ExprVec *condition = node->row       ? &signature->rows.v[node->row - 1].condition
                             : node->failure ? &signature->failures.v[node->failure - 1].condition
                                             : NULL;
        if (!condition)
            continue;
        vec_clear(condition);
        if (!expr_is_true(node->reached))
            vec_push(condition, node->reached);
        vec_push(&x->query, expr_not(x->pool, node->reached));
        if (node->over)
            ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, node->site,
                       "a cycle of states that is entered at several places");
    }
    if (explore_count(x, EXPLORE_DIVERGED)) /* rows may overlap */
        ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, IR_NONE,
                   "a state with several successors for one outcome");
    SolverStatus status = explore_solve(x, NULL);
    signature->certified = status == SOLVER_UNSAT;
    if (status == SOLVER_UNKNOWN)
        explore_note_unknown(x, IR_NONE, " whether an input is missing");
    else if (status == SOLVER_SAT)
        ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, IR_NONE, "an input that no run was like");
}

const Signature *states_signature(const Explore *x)
{
    const States *s = x->lane->state;
    return s->output ? &s->output->signature : NULL;
}

/* ---- a run ------------------------------------------------------------------------------------ */

static void states_expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    uint32_t deep = explore_depth_end(x, trace->decisions.v, trace->decisions.n), node = IR_NONE;
    Map given = {0};
    Expr held = EXPR_TRUE;
    explore_given(task, &given);
    Path *prefix = explore_prefix(task, trace);
    for (uint32_t i = 0; i < trace->decisions.n; i++) {
        const VmDecision *d = &trace->decisions.v[i];
        bool is_new;
        if (d->forced && expr_is_true(d->holds)) /* there for its label, which is a matter of the path */
            continue;
        node = enter(x, trace, i, node, held, origin, &is_new);
        held = d->holds;
        if (i < task->bound || d->entailed || (given.n && map_get(&given, d->holds.id, NULL)))
            continue;
        bool redecides = task->redecide && i == task->bound;
        if (i >= deep && d->count)
            ledger_add(x->lane->ledger, LEDGER_DEPTH, d->site, NULL);
        else if (is_new || redecides)
            explore_file_alternatives(x, trace, d, prefix, i, origin);
        prefix = path_add(prefix, d->holds);
    }
    if (((States *)x->lane->state)->output)
        end_run(x, trace, node, held, origin);
    path_drop(prefix);
    map_free(&given);
    x->lane->bytes = bytes_of(x->lane->state);
}

/* ---- under which condition a node is reached -------------------------------------------------- */

/* The graph of a round: successors of each node, an order in which a node comes after one of its
 * predecessors, and dominators. */
typedef struct Round {
    States *s;
    U32Vec first, targets; /* successors of node n: targets from first[n] to first[n + 1] */
    U32Vec order;          /* reverse postorder from the root */
    U32Vec place;          /* node to its place there */
    U32Vec dominator;      /* by place */
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
    for (uint32_t n = 0; n < s->nodes.n; n++)
        for (uint32_t e = s->nodes.v[n].in; e != IR_NONE; e = s->edges.v[e].next)
            r->targets.v[at.v[s->edges.v[e].from]++] = n;
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

/* An edge back to a node that dominates its beginning adds no input: one that takes it was here before. Of
 * another edge against the order it is not known who comes to its beginning: anyone, then. */
static void reach_node(ExprPool *p, const Round *r, uint32_t i)
{
    States *s = r->s;
    Node *node = &s->nodes.v[r->order.v[i]];
    ExprVec way = {0}, none = {0};
    uint32_t ways = 0;
    node->reached = i ? EXPR_FALSE : EXPR_TRUE;
    node->exact = true;
    node->over = false;
    vec_clear(&node->must);
    for (uint32_t e = node->in; i && e != IR_NONE; e = s->edges.v[e].next) {
        const Edge *edge = &s->edges.v[e];
        const Node *from = &s->nodes.v[edge->from];
        uint32_t place = r->place.v[edge->from];
        if (place == IR_NONE || dominates(r, i, place))
            continue;
        bool against = place >= i;
        insert(&way, against ? &none : &from->must, edge->condition);
        if (!ways++)
            swap(&node->must, &way);
        else
            intersect(&node->must, &way);
        node->exact &= !against && from->exact;
        node->over |= against || from->over;
        node->reached = expr_or(p, node->reached,
                                against ? edge->condition : expr_and(p, from->reached, edge->condition));
    }
    node->exact &= ways <= 1;
    vec_free(&way);
}

/* ---- what is left ---------------------------------------------------------------------------- */

static void file_rest(Explore *x, Node *node)
{
    Task task = {.path = path_add(NULL, expr_not(x->pool, node->taken)),
                 .origin = origin_new(&x->answer.model),
                 .site = node->site,
                 .fn = IR_NONE,
                 .block = IR_NONE,
                 .solved = true};
    explore_bump(x, EXPLORE_TASKS);
    explore_bump(x, EXPLORE_RESIDUAL);
    frontier_file(&x->lane->frontier, task);
}

/* The run of an input that was found takes another outcome, and the next question is another one. If it is
 * not, the input did not come to the node. */
static void note_not_taken(Explore *x, Node *node)
{
    explore_bump(x, EXPLORE_DIVERGED);
    ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, node->site,
               "a run did not follow the decisions it was made for");
    node->found = false;
}

/* Is there an input that comes to the node and takes none of the outcomes that were taken? */
static void ask(Explore *x, Node *node)
{
    Expr rest = expr_not(x->pool, node->taken), whole = expr_and(x->pool, node->reached, rest);
    if (expr_same(whole, node->asked) && node->found)
        note_not_taken(x, node);
    if (expr_is_false(whole) || expr_same(whole, node->asked))
        return;
    vec_clear(&x->query);
    vec_push(&x->query, rest);
    for (uint32_t i = 0; i < node->must.n; i++)
        vec_push(&x->query, node->must.v[i]);
    SolverStatus status = explore_solve(x, &node->origin->input);
    if (status == SOLVER_SAT && !node->exact) {
        vec_push(&x->query, node->reached);
        status = explore_solve(x, &node->origin->input);
    }
    node->asked = whole;
    node->found = status == SOLVER_SAT;
    if (status == SOLVER_SAT)
        file_rest(x, node);
    else if (status == SOLVER_UNKNOWN)
        explore_note_unknown(x, node->site, "");
}

/* All nodes once. */
static bool states_more(Explore *x)
{
    States *s = x->lane->state;
    Round r = {.s = s};
    if (!s->nodes.n)
        return false;
    find_successors(&r);
    find_order(&r);
    find_dominators(&r);
    for (uint32_t i = 0; i < r.order.n && !explore_is_late(x); i++) {
        reach_node(x->pool, &r, i);
        ask(x, &s->nodes.v[r.order.v[i]]);
    }
    vec_free(&r.first);
    vec_free(&r.targets);
    vec_free(&r.order);
    vec_free(&r.place);
    vec_free(&r.dominator);
    bool done = !frontier_size(&x->lane->frontier) && !explore_is_late(x);
    if (done && s->output)
        end_rows(x);
    return !done; /* what is left is not known to be nothing */
}

/* ---- life ------------------------------------------------------------------------------------ */

static void states_begin(Explore *x)
{
    States *s = x->lane->state = mem_zalloc(sizeof(States));
    if (!x->options.sign)
        return;
    s->output = mem_alloc(sizeof *s->output);
    output_init(s->output, x->pool);
    s->output->signature.graph = true;
}

static void states_end(Explore *x)
{
    States *s = x->lane->state;
    for (uint32_t i = 0; i < s->nodes.n; i++) {
        origin_drop(s->nodes.v[i].origin);
        vec_free(&s->nodes.v[i].must);
    }
    vec_free(&s->nodes);
    vec_free(&s->edges);
    map_free(&s->index);
    map_free(&s->known);
    if (s->output)
        output_free(s->output);
    mem_free(s->output);
    mem_free(s);
}

static void states_move(Explore *x, ExprPool *to, ExprImport *import)
{
    States *s = x->lane->state;
    if (s->output)
        output_move(s->output, to, import);
    map_clear(&s->known);
    for (uint32_t i = 0; i < s->nodes.n; i++) {
        Node *node = &s->nodes.v[i];
        node->taken = expr_import(import, node->taken);
        node->assumed = expr_is_none(node->assumed) ? EXPR_NONE : expr_import(import, node->assumed);
        node->asked = EXPR_NONE;
        node->found = false;
        vec_clear(&node->must);
        for (uint32_t e = node->in; e != IR_NONE; e = s->edges.v[e].next) {
            Edge *edge = &s->edges.v[e];
            edge->condition = expr_import(import, edge->condition);
            map_put(&s->known, edge_name(edge->from, edge->condition), i);
        }
    }
}

const Explorer explorer_states = {.name = "states",
                                  .keys = true,
                                  .expand = states_expand,
                                  .begin = states_begin,
                                  .end = states_end,
                                  .move = states_move,
                                  .more = states_more};
