/* graph.h - small directed graphs in compressed rows, and dominators on them. Private to flow. */
#ifndef SHEAF_FLOW_GRAPH_H
#define SHEAF_FLOW_GRAPH_H

#include "flow/flow.h"

/* Successors of node x: to[start[x]] up to before to[start[x + 1]]. */
typedef struct Graph {
    uint32_t n;
    uint32_t *start, *to;
} Graph;

typedef struct Edge { uint32_t from, to; } Edge;
typedef Vec(Edge) EdgeVec;

Graph graph_make(Arena *a, uint32_t n, const EdgeVec *edges);
Graph graph_reverse(Arena *a, const Graph *g);
/* Marks (1) what is reached from the roots, which count as reached, without going through nodes marked 2. */
void graph_reach(const Graph *g, U32Vec *roots, uint8_t *marks);

/* Immediate dominator of every node, IR_NONE for the root and what it does not reach. After Lengauer and Tarjan with
 * path compression, without recursion. `reverse` is the graph's own reverse. */
uint32_t *graph_dominators(Arena *a, const Graph *g, const Graph *reverse, uint32_t root);

/* A tree given by parents, so that ancestry is a comparison. */
typedef struct Tree { uint32_t *first, *size; } Tree;
Tree graph_tree(Arena *a, const uint32_t *parent, uint32_t n);
static inline bool tree_above(const Tree *t, uint32_t a, uint32_t b) { return t->first[b] - t->first[a] < t->size[a]; }

/* Strongly connected components: number of each node's, callees before callers (an edge never goes to a higher number). */
uint32_t *graph_components(Arena *a, const Graph *g, uint32_t *count);

#endif
