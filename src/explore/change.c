/* change.c - DiSE (Yang, Person, Rungta, Khurshid, TOSEM 24:1, 2014): depth first, as far as nodes can follow
 * that a change affects.
 *
 * Line numbers are those of the paper's Figure 7. A state is a branch that an input decides, or the end of a
 * path; its node is the block that follows. A run goes from the root to an end, so its first successors are
 * explored when it has been made; the others are tasks, taken depth first, and `prune` is asked when one is
 * taken, as in line 8, when the siblings before it are done. Where the order of successors prefers another to
 * the one that the run took, that one becomes a task as well.
 *
 * Figure 7 as published loses sequences of impacted nodes (docs/change.md): a successor that leads straight
 * to nodes which are all in Explored is pruned although the way to them is another one, as behind an `if`
 * without `else`. EXPLORE_PRUNE_COMPLETE leaves a state out only if no impacted node can follow and the nodes
 * so far were executed by a run in just this order. */
#include "explore/change.h"

typedef struct Change {
    ChangeGraph graph;
    BitSet explored; /* places of impacted nodes: Explored */
    Map sequences;   /* of impacted nodes, of whole runs */
    Rng rng;
    uint32_t bound; /* of the task under way */
    uint32_t stop;  /* its run's first decision that is not expanded */
    bool turned;    /* at that one another successor comes first */
} Change;

/* ---- lines 10 to 17 -------------------------------------------------------------------------- */

static bool prune(Change *c, uint32_t n_i)
{
    bool no_impact = true;                                                            /* line 11 */
    for (uint32_t n_j = 0; n_j < c->graph.impacted.n; n_j++) {                        /* line 12 */
        if (bitset_has(&c->explored, n_j) || !bitset_has(&c->graph.follow[n_i], n_j)) /* line 13 */
            continue;
        no_impact = false; /* line 14 */
        const BitSet *after = &c->graph.follow[c->graph.impacted.v[n_j]];
        for (uint32_t n_k = bitset_next(after, 0); n_k != UINT32_MAX; n_k = bitset_next(after, n_k + 1))
            bitset_remove(&c->explored, n_k); /* lines 15, 16 */
    }
    return no_impact; /* line 17 */
}

/* Is a state left out whose node is this one, after impacted nodes of this sequence? */
static bool is_pruned(Explore *x, uint32_t node, uint64_t sequence)
{
    Change *c = x->lane->state;
    bool pruned = false;
    switch (x->options.prune) {
    case EXPLORE_PRUNE_COMPLETE:
        pruned =
            bitset_next(&c->graph.follow[node], 0) == UINT32_MAX && map_get(&c->sequences, sequence, NULL);
        break;
    case EXPLORE_PRUNE_PUBLISHED: pruned = prune(c, node); break;
    case EXPLORE_PRUNE_NONE: break;
    }
    x->counters[EXPLORE_PRUNED] += pruned;
    return pruned;
}

/* ---- successors ------------------------------------------------------------------------------ */

/* Where the run is when it makes a decision: the last node that it entered. */
static uint32_t node_before(const Change *c, const VmTrace *trace, uint32_t decision)
{
    for (uint32_t i = trace->visits.n; i-- > 0;)
        if (trace->visits.v[i].decisions <= decision)
            return change_node(&c->graph, trace->visits.v[i].fn, trace->visits.v[i].block);
    return IR_NONE;
}

/* The node of a successor. Inside the library, and at the residual alternative of a pointer and where a check
 * fails, it is where the decision is made. */
static uint32_t node_of(const Change *c, const VmTrace *trace, uint32_t decision, const VmAlternative *alt)
{
    uint32_t node = alt->is_fault ? IR_NONE : change_node(&c->graph, alt->fn, alt->block);
    return node != IR_NONE ? node : node_before(c, trace, decision);
}

/* How late a successor comes: smaller is earlier. */
static uint64_t rank(Explore *x, uint32_t node)
{
    Change *c = x->lane->state;
    switch (x->options.order) {
    case EXPLORE_ORDER_GREEDY:
        return node == IR_NONE ? UINT32_MAX : change_distance(&c->graph, node, &c->explored);
    case EXPLORE_ORDER_RANDOM: return rng_next(&c->rng) >> 1;
    case EXPLORE_ORDER_DEFAULT: break;
    }
    return 0;
}

/* Does another successor come before the one that the run took? */
static bool turns(Explore *x, const VmTrace *trace, uint32_t i)
{
    const VmDecision *d = &trace->decisions.v[i];
    Change *c = x->lane->state;
    if (x->options.order == EXPLORE_ORDER_DEFAULT)
        return false;
    uint32_t node = change_node(&c->graph, d->fn, d->took);
    uint64_t own = rank(x, node != IR_NONE ? node : node_before(c, trace, i)), best = UINT64_MAX;
    for (uint32_t k = 0; k < d->count; k++) {
        uint64_t other = rank(x, node_of(c, trace, i, &trace->alternatives.v[d->first + k]));
        best = other < best ? other : best;
    }
    return best < own;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Goes through the run from where its task begins: lines 5 to 8 for the successors that it took. True: an
 * impacted node was added to Explored. */
static bool walk(Explore *x, const VmTrace *trace)
{
    Change *c = x->lane->state;
    ChangeSequence sequence = {0};
    bool added = false;
    c->stop = trace->decisions.n;
    c->turned = false;
    for (uint32_t i = 0; i <= trace->decisions.n; i++) {
        for (const VmVisit *v; (v = change_sequence_next(trace, i, &sequence));) {
            uint32_t node = change_node(&c->graph, v->fn, v->block);
            bool own = v->decisions >= c->bound;
            if (own && x->options.prune == EXPLORE_PRUNE_PUBLISHED &&
                is_pruned(x, node, sequence.hash)) { /* line 8 */
                c->stop = i;
                return added;
            }
            if (!change_is_impacted(&c->graph, node))
                continue;
            sequence.hash = hash_mix(sequence.hash, node);
            added |= own && bitset_add(&c->explored, c->graph.place[node]); /* line 6 */
        }
        if (i < trace->decisions.n)
            change_sequence_decide(&c->graph, &trace->decisions.v[i], &sequence);
        if (i < c->bound || i == trace->decisions.n || !trace->decisions.v[i].count)
            continue;
        explore_bump(x, EXPLORE_STATES);
        if (turns(x, trace, i)) {
            c->stop = i + 1;
            c->turned = true;
            return added;
        }
    }
    explore_bump(x, EXPLORE_STATES); /* the end of the path */
    return added;
}

static bool change_repeats(Explore *x, const Task *task, const VmTrace *trace, const ExprInput *input)
{
    Change *c = x->lane->state;
    c->bound = task->bound;
    bool added = walk(x, trace), fault = trace->result.ending == VM_END_FAULT;
    (void)input;
    if (c->turned && !fault) /* it is made again when its turn comes */
        return true;
    bool first = !c->sequences.n, fresh = map_add(&c->sequences, change_sequence_of(&c->graph, trace), 1);
    x->counters[EXPLORE_SEQUENCES] += fresh;
    if (x->options.prune == EXPLORE_PRUNE_NONE || first || fault)
        return false;
    return x->options.prune == EXPLORE_PRUNE_PUBLISHED ? !added : !fresh;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static void file(Explore *x, const VmTrace *trace, uint32_t i, Path *prefix, Origin *origin,
                 const VmAlternative *alt, uint64_t sequence, uint32_t parts)
{
    const Change *c = x->lane->state;
    const VmDecision *d = &trace->decisions.v[i];
    uint32_t here = node_before(c, trace, i),
             node = alt ? node_of(c, trace, i, alt) : change_node(&c->graph, d->fn, d->took);
    bool again = alt && alt->residual;
    bool inside = (node == IR_NONE || node == here) &&
                  change_is_impacted(&c->graph, here); /* decided within an impacted node */
    VmDecision other = *d;                             /* as it goes there */
    ChangeSequence then = {.hash = sequence};
    other.took = alt ? alt->block : d->took;
    change_sequence_decide(&c->graph, &other, &then);
    Task task = {.path = path_add(path_hold(prefix), alt ? alt->condition : d->holds),
                 .origin = origin_hold(origin),
                 .because = d->index,
                 .bound = again ? i : i + 1,
                 .depth = i + 1,
                 .redecide = again,
                 .solved = !alt,
                 .site = d->site,
                 .fn = IR_NONE,
                 .block = inside            ? IR_NONE
                          : node != IR_NONE ? node
                                            : here,
                 .fingerprint = then.hash};
    explore_bump(x, EXPLORE_TASKS);
    frontier_file_part(&x->lane->frontier, task, parts);
}

/* Successors that come first are filed last. */
static void file_successors(Explore *x, const VmTrace *trace, uint32_t i, bool took_too, Path *prefix,
                            Origin *origin, uint64_t sequence)
{
    const VmDecision *d = &trace->decisions.v[i];
    Change *c = x->lane->state;
    Vec(struct {
        uint64_t rank;
        const VmAlternative *alt;
    }) all = {0};
    for (uint32_t k = 0; k < d->count; k++) {
        const VmAlternative *alt = &trace->alternatives.v[d->first + k];
        uint32_t at = all.n;
        vec_push(&all, (__typeof__(*all.v)){rank(x, node_of(c, trace, i, alt)), alt});
        for (__typeof__(*all.v) t = all.v[at]; at && all.v[at - 1].rank < t.rank; at--) {
            all.v[at] = all.v[at - 1];
            all.v[at - 1] = t;
        }
    }
    if (took_too)
        file(x, trace, i, prefix, origin, NULL, sequence, all.n + 1);
    for (uint32_t k = 0; k < all.n; k++) /* of what the run took a part stays, unless that is a task, too */
        file(x, trace, i, prefix, origin, all.v[k].alt, sequence, all.n - k + !took_too);
    vec_free(&all);
}

static void change_expand(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    const Change *c = x->lane->state;
    uint32_t deep = explore_depth_end(x, trace->decisions.v, trace->decisions.n);
    ChangeSequence sequence = {0};
    Map given = {0};
    explore_given(task, &given);
    Path *prefix = explore_prefix(task, trace);
    for (uint32_t i = 0; i < c->stop; i++) {
        const VmDecision *d = &trace->decisions.v[i];
        change_sequence_until(&c->graph, trace, i, &sequence);
        ChangeSequence before = sequence;
        change_sequence_decide(&c->graph, d, &sequence);
        if (i < task->bound || (given.n && map_get(&given, d->holds.id, NULL)))
            continue;
        if (i >= deep && d->count)
            ledger_add(x->lane->ledger, LEDGER_DEPTH, d->site, NULL);
        else
            file_successors(x, trace, i, c->turned && i + 1 == c->stop, prefix, origin, before.hash);
        prefix = path_add(prefix, d->holds);
    }
    map_free(&given);
    path_drop(prefix);
}

/* Line 8, when a successor's turn comes. Within an impacted node nothing is pruned. */
static bool change_input(Explore *x, Task *task, ExprInput *input)
{
    if (task->because && task->block != IR_NONE && is_pruned(x, task->block, task->fingerprint)) {
        explore_bump(x, EXPLORE_DROPPED);
        return false;
    }
    return explore_input(x, task, input);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void change_begin(Explore *x)
{
    Change *c = x->lane->state = mem_zalloc(sizeof *c);
    const char *entry = x->options.symbolic.inputs.entry;
    change_graph_make(&c->graph, x->program, entry ? ir_fn_find(x->program, entry) : IR_NONE, explore_flow(x),
                      x->options.impact, x->options.nimpact);
    rng_seed(&c->rng, x->options.seed);
    x->options.search = EXPLORE_DFS;
    x->options.symbolic.visits = true;
    x->options.symbolic.snapshot_bytes = 0;
}

static void change_end(Explore *x)
{
    Change *c = x->lane->state;
    change_graph_free(&c->graph);
    bitset_free(&c->explored);
    map_free(&c->sequences);
    mem_free(c);
}

const Explorer explorer_change = {.name = "change",
                                  .expand = change_expand,
                                  .input = change_input,
                                  .repeats = change_repeats,
                                  .begin = change_begin,
                                  .end = change_end};
