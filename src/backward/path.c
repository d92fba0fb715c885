/* path.c - an input: from the targets backwards, path by path of segments, each with all paths through it
 * merged.
 *
 * Nothing is projected here: a passage of a segment has symbols of its own for the inputs it asks for, and
 * they come along, with the conditions under which they are asked for, until the entry is met. A model then
 * gives their values in the order of a run. */
#include "backward/backward_int.h"

enum { NODES_MOST = 20000, UNKNOWN_MOST = 4 };
static const double PRUNE_SECONDS = 0.1;

typedef struct Asked {
    Expr guard, value;
    uint32_t bytes;
    bool continues;
} Asked;

typedef struct Node {
    uint32_t cut;   /* IR_NONE: the entry */
    Expr condition; /* from here along the path */
    Asked *asked;   /* inputs on it */
    uint32_t nasked;
} Node;

typedef struct Search {
    Backward *bw;
    Arena *arena;
    Vec(Node) nodes;
    Map seen;
    const BitSet *which;
    uint32_t unknown; /* conditions that the solver could not decide soon */
} Search;

/* The node before `after` (NULL: the target) that this end of a segment leads to it from. */
static Node passage(Search *s, uint32_t segment, const BwEnd *end, const Node *after)
{
    Backward *bw = s->bw;
    uint32_t ninputs = bw->segments.v[segment].inputs.n, carried = after ? after->nasked : 0;
    Expr *conditions = arena_alloc(s->arena, (1 + carried) * sizeof *conditions);
    Expr *own = arena_alloc(s->arena, (1 + 2 * ninputs) * sizeof *own);
    Node n = {.cut = bw->segments.v[segment].cut, .nasked = ninputs + carried};
    n.asked = arena_alloc(s->arena, (n.nasked + 1) * sizeof *n.asked);
    conditions[0] = after ? after->condition : EXPR_TRUE;
    for (uint32_t i = 0; i < carried; i++)
        conditions[1 + i] = after->asked[i].guard;
    own[0] = bw_end_guard(bw, segment, end);
    for (uint32_t i = 0; i < ninputs; i++) {
        own[1 + 2 * i] = bw->segments.v[segment].inputs.v[i].guard;
        own[2 + 2 * i] = bw->segments.v[segment].inputs.v[i].value;
    }
    bw_compose_all(bw, segment, end, conditions, 1 + carried, own, 1 + 2 * ninputs);
    for (uint32_t i = 0; i < ninputs; i++) {
        const BwInput *in = &bw->segments.v[segment].inputs.v[i];
        n.asked[i] = (Asked){own[1 + 2 * i], own[2 + 2 * i], in->bytes, in->continues};
    }
    for (uint32_t i = 0; i < carried; i++) {
        n.asked[ninputs + i] = after->asked[i];
        n.asked[ninputs + i].guard = conditions[1 + i];
    }
    n.condition = expr_and(bw->pool, own[0], conditions[0]);
    return n;
}

/* Where the solver needs long it is not asked again: at the entry the question may be easy, since constants
 * come from there. */
static bool is_impossible(Search *s, Expr invariant, Expr condition)
{
    Backward *bw = s->bw;
    double seconds = bw->options.query_seconds;
    Expr both[2] = {invariant, condition};
    if (s->unknown >= UNKNOWN_MOST)
        return false;
    bw->options.query_seconds = PRUNE_SECONDS;
    SolverStatus status = bw_check(bw, both, 2, NULL);
    bw->options.query_seconds = seconds;
    s->unknown += status == SOLVER_UNKNOWN;
    return status == SOLVER_UNSAT;
}

/* Keeps a node if it can be, and is new. */
static void keep(Search *s, Node n)
{
    Backward *bw = s->bw;
    Expr invariant = n.cut == IR_NONE ? EXPR_TRUE : bw_cut_holds(bw, n.cut, n.condition, EXPR_TRUE);
    if (expr_is_false(n.condition) || !map_add(&s->seen, hash_mix(n.cut, n.condition.id), 1))
        return;
    if (n.cut == IR_NONE || !is_impossible(s, invariant, n.condition))
        vec_push(&s->nodes, n);
}

static bool answer_from(Search *s, const Node *n, BackwardAnswer *answer)
{
    Backward *bw = s->bw;
    SolverAnswer a = {0};
    Expr condition = n->condition;
    bool found = bw_check(bw, &condition, 1, &a) == SOLVER_SAT;
    if (found) {
        answer->status = BACKWARD_REACHABLE;
        vec_clear(&answer->values);
        expr_input_copy(&answer->model, &a.model);
        for (uint32_t i = 0; i < n->nasked; i++)
            if (bw_value(bw, &a.model, n->asked[i].guard))
                vec_push(&answer->values, (BackwardValue){bw_value(bw, &a.model, n->asked[i].value),
                                                          n->asked[i].bytes, n->asked[i].continues});
        found = !bw->options.confirm || bw->options.confirm(bw->options.context, answer);
    }
    if (!found)
        answer->status = BACKWARD_OPEN;
    solver_answer_free(&a);
    return found;
}

/* All segments that end at this cut, or at a target if there is no node yet. */
static void extend(Search *s, const Node *after)
{
    Backward *bw = s->bw;
    for (uint32_t g = 0; g < bw->segments.n && !bw_out_of_time(bw); g++)
        for (uint32_t i = 0; i < bw->segments.v[g].ends.n; i++) {
            BwEnd end = bw->segments.v[g].ends.v[i];
            if (after ? end.kind == BW_END_CUT && end.cut == after->cut
                      : end.kind == BW_END_TARGET && bitset_has(s->which, end.target) &&
                            !bw->targets.v[end.target].escape)
                keep(s, passage(s, g, &end, after));
        }
}

bool bw_find_path(Backward *bw, const BitSet *which, BackwardAnswer *answer, uint32_t most)
{
    Search s = {.bw = bw, .arena = arena_new(), .which = which};
    bool found = false;
    extend(&s, NULL);
    for (uint32_t i = 0; i < s.nodes.n && i < most && i < NODES_MOST && !found && !bw_out_of_time(bw); i++) {
        Node n = s.nodes.v[i];
        if (n.cut == IR_NONE)
            found = answer_from(&s, &n, answer);
        else
            extend(&s, &n);
    }
    vec_free(&s.nodes);
    map_free(&s.seen);
    arena_free(s.arena);
    return found;
}
