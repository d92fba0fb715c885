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
 * equal (up to names of inputs, see states.h), since how a run goes on is a function of its state. So every
 * fault, ending and branch outcome of `full` is met. A decision that earlier ones imply is recorded, too:
 * another way to the same state may not imply it. */
#include "explore/states.h"

enum { GRAPH_SHARE = 2 }; /* of the memory, for the graph */

/* ---- names of inputs ------------------------------------------------------------------------- */

static bool same_inputs(VmInputList a, VmInputList b)
{
    return a.n == b.n && (!a.n || !memcmp(a.v, b.v, a.n * sizeof *a.v));
}

Expr states_renamed(ExprPool *p, Expr e, VmInputList from, VmInputList to)
{
    ExprSet symbols = expr_symbols(p, e);
    ExprSubst *subst = NULL;
    for (uint32_t i = 0; i < from.n; i++) {
        const ExprObjectInfo *info = expr_object_info(p, (ExprObject){from.v[i]});
        uint32_t at = info->at, size = info->size;
        for (uint32_t k = 0; from.v[i] != to.v[i] && k < size; k++)
            if (expr_set_has(p, symbols, at + k)) {
                subst = subst ? subst : expr_subst_new(p);
                expr_subst_add(subst, expr_object_byte(p, (ExprObject){from.v[i]}, k),
                               expr_object_byte(p, (ExprObject){to.v[i]}, k));
            }
    }
    Expr renamed = subst ? expr_subst_apply(subst, e) : e;
    expr_subst_free(subst);
    return renamed;
}

/* ---- cores: many nodes have the same rest, and for the same reason no run takes it there ---------- */

static bool is_subset(const ExprVec *a, const ExprVec *b)
{
    uint32_t i = 0;
    for (uint32_t k = 0; i < a->n && k < b->n; k++)
        i += a->v[i].id == b->v[k].id;
    return i == a->n;
}

/* Does a core hold on every way to the node? */
static bool has_core(const States *s, const Node *node, Expr rest)
{
    for (uint32_t at = (uint32_t)map_get_or(&s->core_of, rest.id, IR_NONE); at != IR_NONE;
         at = s->cores.v[at].next)
        if (is_subset(&s->cores.v[at].conditions, &node->must))
            return true;
    return false;
}

/* The solver has shown that the rest, the first of the query, contradicts the conditions of the node. */
static void keep_core(Explore *x, Expr rest)
{
    States *s = x->lane->state;
    Core core = {.next = (uint32_t)map_get_or(&s->core_of, rest.id, IR_NONE)};
    for (uint32_t i = 0; i < x->answer.core.n; i++)
        if (x->answer.core.v[i])
            vec_push(&core.conditions, x->query.v[x->answer.core.v[i]]);
    s->core_bytes += core.conditions.cap * sizeof *core.conditions.v;
    map_put(&s->core_of, rest.id, s->cores.n);
    vec_push(&s->cores, core);
}

static void forget_cores(States *s)
{
    for (uint32_t i = 0; i < s->cores.n; i++)
        vec_free(&s->cores.v[i].conditions);
    vec_free(&s->cores);
    map_free(&s->core_of);
    s->core_bytes = 0;
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* Without expressions, which are the pool's. */
static size_t bytes_of(const States *s)
{
    return s->nodes.cap * sizeof *s->nodes.v + s->edges.cap * sizeof *s->edges.v + map_bytes(&s->index) +
           map_bytes(&s->known) + (s->inputs.cap + s->links.cap) * sizeof(uint32_t) +
           s->plans.cap * sizeof *s->plans.v + s->origins + s->musts + s->cores.cap * sizeof *s->cores.v +
           map_bytes(&s->core_of) + s->core_bytes;
}

/* Does another node fit into the graph's share of the memory? What is cut off is in the ledger. */
static bool has_room(Explore *x)
{
    States *s = x->lane->state;
    size_t most = x->options.max_memory / GRAPH_SHARE;
    if (!s->full && bytes_of(s) + s->moved > most)
        forget_cores(s); /* they save questions, no more */
    s->full = s->full || bytes_of(s) + s->moved > most;
    if (s->full)
        ledger_add(x->lane->ledger, LEDGER_TASKS, IR_NONE, ": %u states", s->nodes.n);
    return !s->full;
}

static bool same_key(VmKey a, VmKey b) { return a.a == b.a && a.b == b.b; }

/* Where a run meets a state. */
typedef struct Arrival {
    VmKey key;
    VmInputList inputs;
    uint64_t index; /* execution index */
    uint32_t site;
    Expr holds; /* what it decides there */
} Arrival;

static Arrival arrival_at(Explore *x, const VmTrace *trace, uint32_t i)
{
    const VmDecision *d = &trace->decisions.v[i];
    return (Arrival){.key = trace->keys.v[i].key,
                     .inputs = vm_state_inputs(x->lane->vm, &trace->keys.v[i]),
                     .index = d->index,
                     .site = d->site,
                     .holds = d->holds};
}

/* The node of the key, else IR_NONE, and then by which name to enter it. */
static uint32_t find_node(const States *s, VmKey key, uint64_t *name)
{
    uint64_t at;
    for (*name = key.a; map_get(&s->index, *name, &at); *name = hash_u64(*name))
        if (same_key(s->nodes.v[at].key, key))
            return (uint32_t)at;
    return IR_NONE;
}

bool states_index(States *s, VmKey key, uint32_t node)
{
    uint64_t name;
    bool is_new = find_node(s, key, &name) == IR_NONE;
    if (is_new)
        map_put(&s->index, name, node);
    return is_new;
}

/* IR_NONE: it is new, and there is no room. */
static uint32_t node_of(Explore *x, const Arrival *arrival, Origin *origin, bool *is_new)
{
    States *s = x->lane->state;
    uint64_t name;
    uint32_t at = find_node(s, arrival->key, &name);
    *is_new = at == IR_NONE;
    if (!*is_new)
        return at;
    if (!has_room(x))
        return IR_NONE;
    at = s->nodes.n;
    map_put(&s->index, name, at);
    vec_push(&s->nodes, (Node){.key = arrival->key,
                               .index = arrival->index,
                               .in = IR_NONE,
                               .site = arrival->site,
                               .inputs = s->inputs.n,
                               .ninputs = arrival->inputs.n,
                               .taken = EXPR_FALSE,
                               .origin = origin_hold(origin)});
    for (uint32_t i = 0; i < arrival->inputs.n; i++)
        vec_push(&s->inputs, arrival->inputs.v[i]);
    s->named |= arrival->inputs.n != 0;
    explore_bump(x, EXPLORE_STATES);
    return (uint32_t)at;
}

/* Does the run have there the names of the node, and will it give the same to later inputs? */
static bool is_actual(const States *s, const Node *node, const Arrival *arrival)
{
    return node->index == arrival->index && same_inputs(node_inputs(s, node), arrival->inputs);
}

static uint32_t place_of(VmInputList list, uint32_t input)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i] == input)
            return i;
    return IR_NONE;
}

static uint64_t edge_name(uint32_t from, Expr condition) { return (uint64_t)from << 32 | condition.id; }

/* What follows is a function of the state and of what held: if it is not, the key lacks something. */
static void edge_add(Explore *x, uint32_t from, const Arrival *before, uint32_t to, const Arrival *arrival)
{
    States *s = x->lane->state;
    const Node *source = &s->nodes.v[from], *target = &s->nodes.v[to];
    Expr condition = states_renamed(x->pool, before->holds, before->inputs, node_inputs(s, source));
    bool actual = is_actual(s, source, before) && is_actual(s, target, arrival);
    uint64_t known;
    if (!map_get(&s->known, edge_name(from, condition), &known))
        map_put(&s->known, edge_name(from, condition), s->edges.n);
    else if (s->edges.v[known].to == to) {
        s->edges.v[known].actual |= actual;
        return;
    } else
        explore_bump(x, EXPLORE_DIVERGED);
    vec_push(&s->edges, ((Edge){.from = from,
                                .to = to,
                                .condition = condition,
                                .next = target->in,
                                .links = s->links.n,
                                .actual = actual}));
    s->nodes.v[to].in = s->edges.n - 1;
    for (uint32_t i = 0; i < arrival->inputs.n; i++)
        vec_push(&s->links, place_of(before->inputs, arrival->inputs.v[i]));
}

/* The node of a decision of the run, and the edge that the run took to it from the node before, at `last`. */
static uint32_t enter(Explore *x, const VmTrace *trace, uint32_t i, uint32_t before, uint32_t last,
                      Origin *origin, bool *is_new)
{
    States *s = x->lane->state;
    Arrival arrival = arrival_at(x, trace, i);
    uint32_t at = node_of(x, &arrival, origin, is_new);
    if (at == IR_NONE)
        return at;
    if (before != IR_NONE) {
        Arrival from = arrival_at(x, trace, last);
        bool again = before == at && from.index == arrival.index;
        if (!again) /* the machine may pause in a branch, and then decides it again */
            edge_add(x, before, &from, at, &arrival);
    }
    Node *node = &s->nodes.v[at];
    Expr holds = states_renamed(x->pool, arrival.holds, arrival.inputs, node_inputs(s, node));
    bool ends = trace->repeats && i + 1 == trace->decisions.n; /* it came here, and no further */
    if (!trace->decisions.v[i].count && !expr_is_true(arrival.holds))
        node->assumed = holds;
    if (!ends)
        node->taken = trace->decisions.v[i].count ? expr_or(x->pool, node->taken, holds)
                                                  : EXPR_TRUE; /* an assumption, say */
    return at;
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

static void end_run(Explore *x, const VmTrace *trace, uint32_t before, uint32_t last, Origin *origin)
{
    States *s = x->lane->state;
    Output *o = s->output;
    const VmResult *r = &trace->result;
    bool is_new, shows = r->ending == VM_END_RETURN || r->ending == VM_END_EXIT;
    Arrival arrival = {.key = end_key(x, trace), .index = 1, .site = r->site};
    uint32_t at = node_of(x, &arrival, origin, &is_new);
    if (at == IR_NONE)
        return;
    s->nodes.v[at].taken = EXPR_TRUE;
    if (before != IR_NONE) {
        Arrival from = arrival_at(x, trace, last);
        edge_add(x, before, &from, at, &arrival);
    }
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
    States *s = x->lane->state;
    uint32_t before = s->nodes.n;
    U32Vec nodes = {0}; /* by decision */
    BitSet left = {0};  /* decisions whose alternatives are those of a known node */
    uint32_t last = 0;  /* decision that has one */
    explore_given(task, &given);
    Path *prefix = explore_prefix(task, trace);
    for (uint32_t i = 0; i < trace->decisions.n; i++) {
        const VmDecision *d = &trace->decisions.v[i];
        bool is_new;
        if (d->forced && expr_is_true(d->holds)) { /* there for its label, which is a matter of the path */
            vec_push(&nodes, IR_NONE);
            continue;
        }
        node = enter(x, trace, i, node, last, origin, &is_new);
        vec_push(&nodes, node);
        last = i;
        if (i < task->bound || d->entailed || (given.n && map_get(&given, d->holds.id, NULL)))
            continue;
        bool redecides = task->redecide && i == task->bound;
        if (i >= deep && d->count)
            ledger_add(x->lane->ledger, LEDGER_DEPTH, d->site, NULL);
        else if (node != IR_NONE && (is_new || redecides))
            explore_file_alternatives(x, trace, d, prefix, i, origin);
        else if (node != IR_NONE && d->count && s->explain)
            bitset_add(&left, i);
        prefix = path_add(prefix, d->holds);
    }
    if (s->explain)
        states_explain_run(s->explain, trace, x->counters[EXPLORE_RUNS], &nodes, &left);
    if (s->output)
        end_run(x, trace, node, last, origin);
    if (task->fingerprint)
        states_follow(x, task, trace, &nodes, origin);
    vec_free(&nodes);
    bitset_free(&left);
    path_drop(prefix);
    map_free(&given);
    if (s->nodes.n > before)
        s->origins += sizeof *origin + origin->input.n;
    x->lane->bytes = bytes_of(s);
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

/* Is there an input that comes to the node, under other names than those of runs? */
static bool ask_renamed(Explore *x, Node *node, Expr rest)
{
    vec_clear(&x->query);
    vec_push(&x->query, rest);
    vec_push(&x->query, node->actual);
    if (!expr_is_false(node->actual) && explore_solve(x, &node->origin->input) == SOLVER_SAT) {
        file_rest(x, node);
        return true;
    }
    if (states_plan(x, node, rest))
        return true;
    if (!explore_is_late(x))
        ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, node->site,
                   "whether a later iteration goes another way here is not known");
    return false;
}

/* Does an input satisfy the rest, and what is known of every way to the node; if so, with one of the ways? */
static SolverStatus solve_at(Explore *x, const Node *node, Expr rest)
{
    vec_clear(&x->query);
    vec_push(&x->query, rest);
    for (uint32_t i = 0; i < node->must.n; i++)
        vec_push(&x->query, node->must.v[i]);
    explore_bump(x, EXPLORE_ASKED);
    SolverStatus status = explore_solve(x, &node->origin->input);
    if (status == SOLVER_UNSAT)
        keep_core(x, rest);
    if (status == SOLVER_SAT && !node->exact) {
        vec_push(&x->query, node->reached);
        status = explore_solve(x, &node->origin->input);
    }
    return status;
}

/* Is there an input that comes to the node and takes none of the outcomes that were taken? */
static void ask(Explore *x, Node *node)
{
    Expr rest = expr_not(x->pool, node->taken), whole = expr_and(x->pool, node->reached, rest);
    uint64_t question = 1 | hash_u64(fingerprint_of(&x->fingerprints, whole));
    if (question == node->asked && node->found)
        note_not_taken(x, node);
    if (expr_is_false(whole) || question == node->asked)
        return;
    SolverStatus status = has_core(x->lane->state, node, rest) ? SOLVER_UNSAT : solve_at(x, node, rest);
    node->asked = question;
    node->found = status == SOLVER_SAT;
    if (status == SOLVER_SAT && !node->is_actual)
        node->found = ask_renamed(x, node, rest);
    else if (status == SOLVER_SAT)
        file_rest(x, node);
    else if (status == SOLVER_UNKNOWN)
        explore_note_unknown(x, node->site, "");
}

/* All nodes once. */
static bool states_more(Explore *x)
{
    States *s = x->lane->state;
    if (!s->nodes.n)
        return false;
    double start = clock_seconds();
    states_round(x, ask);
    explore_bump(x, EXPLORE_ROUNDS);
    x->residual_seconds += clock_seconds() - start;
    bool done = !frontier_size(&x->lane->frontier) && !explore_is_late(x);
    if (done && s->output)
        end_rows(x);
    return !done; /* what is left is not known to be nothing */
}

/* A run ends where its state repeats, but not before the decision that it is made for. */
static bool states_input(Explore *x, Task *task, ExprInput *input)
{
    const States *s = x->lane->state;
    const Plan *plan = task->fingerprint ? &s->plans.v[task->fingerprint - 1] : NULL;
    vm_endure(x->lane->vm, plan && plan->begun ? plan->at + 1 : task->bound);
    return explore_input(x, task, input);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void states_begin(Explore *x)
{
    States *s = x->lane->state = mem_zalloc(sizeof(States));
    s->explain = x->options.explain ? states_explain_new(x) : NULL;
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
    vec_free(&s->inputs);
    vec_free(&s->links);
    for (uint32_t i = 0; i < s->plans.n; i++)
        vec_free(&s->plans.v[i].edges);
    vec_free(&s->plans);
    forget_cores(s);
    map_free(&s->index);
    map_free(&s->known);
    if (s->output)
        output_free(s->output);
    mem_free(s->output);
    states_explain_free(s->explain);
    mem_free(s);
}

void states_know_edges(States *s)
{
    map_clear(&s->known);
    for (uint32_t e = 0; e < s->edges.n; e++)
        map_put(&s->known, edge_name(s->edges.v[e].from, s->edges.v[e].condition), e);
}

static void states_move(Explore *x, ExprPool *to, ExprImport *import)
{
    States *s = x->lane->state;
    size_t fresh = expr_pool_bytes(to);
    if (s->output)
        output_move(s->output, to, import);
    if (s->explain)
        states_explain_move(s->explain, to);
    for (uint32_t i = 0; i < s->nodes.n; i++) {
        Node *node = &s->nodes.v[i];
        node->taken = expr_import(import, node->taken);
        node->assumed = expr_is_none(node->assumed) ? EXPR_NONE : expr_import(import, node->assumed);
        vec_free(&node->must);
    }
    s->musts = 0;
    forget_cores(s);
    for (uint32_t e = 0; e < s->edges.n; e++)
        s->edges.v[e].condition = expr_import(import, s->edges.v[e].condition);
    states_know_edges(s);
    for (uint32_t i = 0; i < s->plans.n; i++)
        s->plans.v[i].rest = expr_import(import, s->plans.v[i].rest);
    s->moved = expr_pool_bytes(to) - fresh;
}

const Explorer explorer_states = {.name = "states",
                                  .keys = true,
                                  .renames = true,
                                  .input = states_input,
                                  .expand = states_expand,
                                  .begin = states_begin,
                                  .end = states_end,
                                  .move = states_move,
                                  .save = states_save,
                                  .load = states_load,
                                  .more = states_more};
