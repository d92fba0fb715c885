/* loops.c - the loop forest of a function, irreducible cycles included.
 *
 * Tarjan's interval search as Havlak extended it and Ramalingam made it near-linear: a depth-first search
 * finds the retreating edges; their targets are the headers. Headers are taken innermost first (descending
 * preorder), each collects the nodes that reach its retreating edges without passing it, and these collapse
 * into it. An edge that is neither in the search tree nor retreating joins the graph only when the least
 * common ancestor of its ends is taken: whatever loop has been collapsed around its target by then does not
 * hold its source, so the edge is a second entry.
 *
 * Every cycle holds a retreating edge, and all members of a loop are descendants of its header in the search
 * tree; so every cycle passes an edge that ir_edge_is_back calls back. No recursion: depth is bounded by
 * memory alone.
 *
 * Requires: a terminator's blocks are in range. Blocks that the entry does not reach belong to no loop. */
#include "ir/ir_int.h"

typedef struct Edge {
    uint32_t from, to, next;
} Edge;

/* A list of edges for each node, all in one pool. */
typedef struct EdgeList {
    uint32_t *first; /* node to its newest edge, IR_NONE if none */
    Vec(Edge) edges;
} EdgeList;

/* Nodes are blocks by preorder number of the search; only reached blocks have one. */
typedef struct LoopFinder {
    IrFn *fn;
    uint32_t n;       /* blocks reached */
    uint32_t *block;  /* node to block */
    uint32_t *node;   /* block to node or IR_NONE */
    uint32_t *tree;   /* node to its parent in the search tree; the entry: itself */
    uint32_t *leader; /* disjoint sets: of finished subtrees first, of collapsed loops later */
    uint32_t *up;     /* node to the header of the innermost loop that holds it as a member */
    uint32_t *marked; /* disjoint sets of headers known to be irreducible, up the nest */
    bool *header, *irreducible, *in_body;
    EdgeList retreating; /* by target */
    EdgeList late;       /* edges neither tree nor retreating, by the ancestor that adds them */
    EdgeList entering;   /* of these, the ones added, by target as collapsed then */
    U32Vec body;
} LoopFinder;

static uint32_t *numbers(uint32_t n, bool identity)
{
    uint32_t *v = mem_alloc((n + 1) * sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        v[i] = identity ? i : IR_NONE;
    return v;
}

static void edge_add(EdgeList *l, uint32_t at, uint32_t from, uint32_t to)
{
    vec_push(&l->edges, (Edge){from, to, l->first[at]});
    l->first[at] = l->edges.n - 1;
}

static uint32_t find(uint32_t *leader, uint32_t x)
{
    uint32_t root = x;
    while (leader[root] != root)
        root = leader[root];
    while (leader[x] != root) {
        uint32_t next = leader[x];
        leader[x] = root;
        x = next;
    }
    return root;
}

/* A search under way: the successors of all open blocks lie one behind the other in `pending`. */
typedef struct Open {
    uint32_t node, next, end;
} Open;

/* Numbers the reached blocks in preorder and sorts their edges. When an edge to a finished node is met, the
 * deepest open ancestor of that node is the least common ancestor of both ends (Tarjan's off-line method). */
static void search(LoopFinder *f)
{
    Vec(Open) stack = {0};
    U32Vec pending = {0}, successors = {0};
    bool *finished = mem_zalloc(f->fn->blocks.n + 1);
    uint32_t enter = 0, parent = 0;
    for (;;) {
        if (enter != IR_NONE) {
            uint32_t node = f->n++;
            f->node[enter] = node;
            f->block[node] = enter;
            f->tree[node] = parent;
            ir_block_successors(f->fn, enter, &successors);
            uint32_t begin = pending.n;
            for (uint32_t i = 0; i < successors.n; i++)
                vec_push(&pending, successors.v[i]);
            vec_push(&stack, (Open){node, begin, pending.n});
            enter = IR_NONE;
        }
        Open *top = &vec_last(&stack);
        if (top->next == top->end) {
            finished[top->node] = true;
            f->leader[top->node] = f->tree[top->node];
            (void)vec_pop(&stack);
            if (stack.n == 0)
                break;
            pending.n = vec_last(&stack).end;
            continue;
        }
        uint32_t to = pending.v[top->next++];
        if (f->node[to] == IR_NONE) {
            enter = to;
            parent = top->node;
        } else if (finished[f->node[to]]) {
            edge_add(&f->late, find(f->leader, f->node[to]), top->node, f->node[to]);
        } else {
            edge_add(&f->retreating, f->node[to], top->node, f->node[to]);
        }
    }
    mem_free(finished);
    vec_free(&stack);
    vec_free(&pending);
    vec_free(&successors);
}

/* All loops that hold z as a member, collapsed so far, are entered beside their headers. Each is marked
 * once. */
static void mark_irreducible(LoopFinder *f, uint32_t z)
{
    for (uint32_t h = f->up[z]; h != IR_NONE;) {
        h = find(f->marked, h);
        f->irreducible[h] = true;
        uint32_t outer = f->up[h];
        if (outer != IR_NONE)
            f->marked[h] = outer;
        h = outer;
    }
}

static void body_add(LoopFinder *f, uint32_t header, uint32_t x)
{
    x = find(f->leader, x);
    if (x != header && !f->in_body[x]) {
        f->in_body[x] = true;
        vec_push(&f->body, x);
    }
}

/* Collects and collapses the loop of a header, if it is one. */
static void collapse(LoopFinder *f, uint32_t header)
{
    vec_clear(&f->body);
    for (uint32_t e = f->retreating.first[header]; e != IR_NONE; e = f->retreating.edges.v[e].next) {
        f->header[header] = true;
        body_add(f, header, f->retreating.edges.v[e].from);
    }
    for (uint32_t i = 0; i < f->body.n; i++) {
        uint32_t x = f->body.v[i];
        body_add(f, header, f->tree[x]);
        for (uint32_t e = f->entering.first[x]; e != IR_NONE; e = f->entering.edges.v[e].next)
            body_add(f, header, f->entering.edges.v[e].from);
    }
    for (uint32_t i = 0; i < f->body.n; i++) {
        uint32_t x = f->body.v[i];
        f->up[x] = f->leader[x] = header;
        f->in_body[x] = false;
    }
}

/* Headers get their loops in preorder, so an enclosing loop precedes what it holds. */
static void store(LoopFinder *f)
{
    IrFn *fn = f->fn;
    vec_clear(&fn->loops);
    vec_clear(&fn->loop_of);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        vec_push(&fn->loop_of, IR_NONE);
    for (uint32_t x = 0; x < f->n; x++) {
        uint32_t outer = f->up[x] == IR_NONE ? IR_NONE : fn->loop_of.v[f->block[f->up[x]]];
        fn->loop_of.v[f->block[x]] = outer;
        if (!f->header[x])
            continue;
        fn->loop_of.v[f->block[x]] = fn->loops.n;
        vec_push(&fn->loops, (IrLoop){.header = f->block[x],
                                      .parent = outer,
                                      .irreducible = f->irreducible[x],
                                      .depth = outer == IR_NONE ? 1 : fn->loops.v[outer].depth + 1});
    }
}

void ir_find_loops(IrFn *fn)
{
    uint32_t n = fn->blocks.n;
    LoopFinder f = {.fn = fn,
                    .block = numbers(n, false),
                    .node = numbers(n, false),
                    .tree = numbers(n, false),
                    .leader = numbers(n, true),
                    .up = numbers(n, false),
                    .marked = numbers(n, true),
                    .header = mem_zalloc(n + 1),
                    .irreducible = mem_zalloc(n + 1),
                    .in_body = mem_zalloc(n + 1),
                    .retreating.first = numbers(n, false),
                    .late.first = numbers(n, false),
                    .entering.first = numbers(n, false)};
    if (n)
        search(&f);
    for (uint32_t x = 0; x < f.n; x++)
        f.leader[x] = x; /* the sets of finished subtrees are not needed any more */
    for (uint32_t x = f.n; x-- > 0;) {
        for (uint32_t e = f.late.first[x]; e != IR_NONE; e = f.late.edges.v[e].next) {
            Edge edge = f.late.edges.v[e];
            edge_add(&f.entering, find(f.leader, edge.to), edge.from, edge.to);
            mark_irreducible(&f, edge.to);
        }
        collapse(&f, x);
    }
    store(&f);
    void *owned[] = {f.block,  f.node,        f.tree,    f.leader,           f.up,         f.marked,
                     f.header, f.irreducible, f.in_body, f.retreating.first, f.late.first, f.entering.first};
    for (uint32_t i = 0; i < COUNT_OF(owned); i++)
        mem_free(owned[i]);
    vec_free(&f.retreating.edges);
    vec_free(&f.late.edges);
    vec_free(&f.entering.edges);
    vec_free(&f.body);
}

bool ir_edge_is_back(const IrFn *fn, uint32_t from, uint32_t to)
{
    uint32_t loop = fn->loop_of.v[to];
    if (loop == IR_NONE || fn->loops.v[loop].header != to)
        return false;
    for (uint32_t l = fn->loop_of.v[from]; l != IR_NONE; l = fn->loops.v[l].parent)
        if (l == loop)
            return true;
    return false;
}
