/* graph.c - compressed rows, reachability, dominators, components. Nothing here recurses: graphs may be
 * hostile. */
#include "base/base.h"

static uint32_t *array(Arena *a, uint64_t n) { return arena_alloc(a, (n + 1) * sizeof(uint32_t)); }

Graph graph_make(Arena *a, uint32_t n, const GraphEdges *edges)
{
    Graph g = {n, array(a, (uint64_t)n + 1), array(a, edges->n)};
    uint32_t *fill = mem_zalloc((n + 1) * sizeof *fill);
    for (uint32_t i = 0; i < edges->n; i++)
        g.start[edges->v[i].from + 1]++;
    for (uint32_t x = 0; x < n; x++)
        g.start[x + 1] += g.start[x];
    for (uint32_t i = 0; i < edges->n; i++) {
        uint32_t from = edges->v[i].from;
        g.to[g.start[from] + fill[from]++] = edges->v[i].to;
    }
    mem_free(fill);
    return g;
}

Graph graph_reverse(Arena *a, const Graph *g)
{
    GraphEdges edges = {0};
    for (uint32_t x = 0; x < g->n; x++)
        for (uint32_t i = g->start[x]; i < g->start[x + 1]; i++)
            vec_push(&edges, (GraphEdge){g->to[i], x});
    Graph r = graph_make(a, g->n, &edges);
    vec_free(&edges);
    return r;
}

void graph_reach(const Graph *g, U32Vec *roots, uint8_t *marks)
{
    for (uint32_t i = 0; i < roots->n; i++)
        marks[roots->v[i]] = 1;
    while (roots->n) {
        uint32_t x = vec_pop(roots);
        for (uint32_t i = g->start[x]; i < g->start[x + 1]; i++)
            if (!marks[g->to[i]]) {
                marks[g->to[i]] = 1;
                vec_push(roots, g->to[i]);
            }
    }
}

/* ---- dominators ------------------------------------------------------------------------------ */

/* Nodes are numbered in preorder of a depth-first search. */
typedef struct Search {
    const Graph *g;
    uint32_t n;
    uint32_t *number, *node, *parent, *semi, *idom, *ancestor, *label, *bucket, *next;
    U32Vec path;
} Search;

static void number_nodes(Search *s, uint32_t root)
{
    U32Vec stack = {0};
    vec_push(&stack, root);
    vec_push(&stack, 0);
    while (stack.n) {
        uint32_t parent = vec_pop(&stack), node = vec_pop(&stack);
        if (s->number[node] != GRAPH_NONE)
            continue;
        uint32_t x = s->n++;
        s->number[node] = x;
        s->node[x] = node;
        s->parent[x] = parent;
        for (uint32_t i = s->g->start[node]; i < s->g->start[node + 1]; i++)
            if (s->number[s->g->to[i]] == GRAPH_NONE) {
                vec_push(&stack, s->g->to[i]);
                vec_push(&stack, x);
            }
    }
    vec_free(&stack);
}

/* The node of least semidominator on the forest's path to v, roots left out; shortens the path. */
static uint32_t eval(Search *s, uint32_t v)
{
    vec_clear(&s->path);
    for (uint32_t x = v; s->ancestor[x] != GRAPH_NONE && s->ancestor[s->ancestor[x]] != GRAPH_NONE;
         x = s->ancestor[x])
        vec_push(&s->path, x);
    while (s->path.n) {
        uint32_t x = vec_pop(&s->path), up = s->ancestor[x];
        if (s->semi[s->label[up]] < s->semi[s->label[x]])
            s->label[x] = s->label[up];
        s->ancestor[x] = s->ancestor[up];
    }
    return s->label[v];
}

static void find_idoms(Search *s, const Graph *reverse)
{
    for (uint32_t w = s->n; w-- > 1;) {
        uint32_t node = s->node[w], parent = s->parent[w];
        for (uint32_t i = reverse->start[node]; i < reverse->start[node + 1]; i++) {
            uint32_t v = s->number[reverse->to[i]];
            if (v == GRAPH_NONE)
                continue;
            uint32_t u = eval(s, v);
            if (s->semi[u] < s->semi[w])
                s->semi[w] = s->semi[u];
        }
        s->next[w] = s->bucket[s->semi[w]];
        s->bucket[s->semi[w]] = w;
        s->ancestor[w] = parent;
        for (uint32_t v = s->bucket[parent]; v != GRAPH_NONE; v = s->next[v]) {
            uint32_t u = eval(s, v);
            s->idom[v] = s->semi[u] < s->semi[v] ? u : parent;
        }
        s->bucket[parent] = GRAPH_NONE;
    }
    for (uint32_t w = 1; w < s->n; w++)
        if (s->idom[w] != s->semi[w])
            s->idom[w] = s->idom[s->idom[w]];
}

uint32_t *graph_dominators(Arena *a, const Graph *g, const Graph *reverse, uint32_t root)
{
    Arena *scratch = arena_new();
    Search s = {.g = g};
    uint32_t **const arrays[] = {&s.number,   &s.node,  &s.parent, &s.semi, &s.idom,
                                 &s.ancestor, &s.label, &s.bucket, &s.next};
    for (uint32_t i = 0; i < COUNT_OF(arrays); i++)
        *arrays[i] = array(scratch, g->n);
    for (uint32_t x = 0; x < g->n; x++) {
        s.number[x] = s.ancestor[x] = s.bucket[x] = GRAPH_NONE;
        s.semi[x] = s.label[x] = x;
    }
    number_nodes(&s, root);
    find_idoms(&s, reverse);
    uint32_t *idom = array(a, g->n);
    for (uint32_t x = 0; x < g->n; x++)
        idom[x] = s.number[x] == GRAPH_NONE || x == root ? GRAPH_NONE : s.node[s.idom[s.number[x]]];
    vec_free(&s.path);
    arena_free(scratch);
    return idom;
}

Tree graph_tree(Arena *a, const uint32_t *parent, uint32_t n)
{
    Tree t = {array(a, n), array(a, n)};
    GraphEdges edges = {0};
    Arena *scratch = arena_new();
    for (uint32_t x = 0; x < n; x++)
        if (parent[x] != GRAPH_NONE)
            vec_push(&edges, (GraphEdge){parent[x], x});
    Graph down = graph_make(scratch, n, &edges);
    U32Vec order = {0}, stack = {0};
    for (uint32_t x = 0; x < n; x++)
        if (parent[x] == GRAPH_NONE)
            vec_push(&stack, x);
    while (stack.n) {
        uint32_t x = vec_pop(&stack);
        t.first[x] = order.n;
        vec_push(&order, x);
        for (uint32_t i = down.start[x]; i < down.start[x + 1]; i++)
            vec_push(&stack, down.to[i]);
    }
    for (uint32_t i = order.n; i-- > 0;) {
        t.size[order.v[i]]++;
        if (parent[order.v[i]] != GRAPH_NONE)
            t.size[parent[order.v[i]]] += t.size[order.v[i]];
    }
    vec_free(&order);
    vec_free(&stack);
    vec_free(&edges);
    arena_free(scratch);
    return t;
}

/* ---- components ------------------------------------------------------------------------------ */

/* Tarjan's algorithm; `at` is how far a node on the stack has gone through its successors. */
typedef struct Components {
    const Graph *g;
    uint32_t *component, *index, *low, *at;
    uint32_t next, count;
    U32Vec path, open;
} Components;

static void close_component(Components *c, uint32_t x)
{
    uint32_t y;
    do {
        y = vec_pop(&c->open);
        c->component[y] = c->count;
    } while (y != x);
    c->count++;
}

static void enter(Components *c, uint32_t x)
{
    c->index[x] = c->low[x] = ++c->next;
    c->at[x] = c->g->start[x];
    vec_push(&c->path, x);
    vec_push(&c->open, x);
}

static void visit(Components *c, uint32_t root)
{
    enter(c, root);
    while (c->path.n) {
        uint32_t x = vec_last(&c->path);
        if (c->at[x] < c->g->start[x + 1]) {
            uint32_t y = c->g->to[c->at[x]++];
            if (!c->index[y])
                enter(c, y);
            else if (c->component[y] == GRAPH_NONE && c->index[y] < c->low[x])
                c->low[x] = c->index[y];
            continue;
        }
        c->path.n--;
        if (c->low[x] == c->index[x])
            close_component(c, x);
        if (c->path.n && c->low[x] < c->low[vec_last(&c->path)])
            c->low[vec_last(&c->path)] = c->low[x];
    }
}

uint32_t *graph_components(Arena *a, const Graph *g, uint32_t *count)
{
    Arena *scratch = arena_new();
    Components c = {.g = g,
                    .component = array(a, g->n),
                    .index = array(scratch, g->n),
                    .low = array(scratch, g->n),
                    .at = array(scratch, g->n)};
    for (uint32_t x = 0; x < g->n; x++)
        c.component[x] = GRAPH_NONE;
    for (uint32_t x = 0; x < g->n; x++)
        if (!c.index[x])
            visit(&c, x);
    vec_free(&c.path);
    vec_free(&c.open);
    arena_free(scratch);
    *count = c.count;
    return c.component;
}
