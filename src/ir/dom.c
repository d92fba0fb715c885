/* dom.c - dominators of a function's blocks, by base's graphs. */
#include "ir/dom.h"

Dom dom_compute(const IrFn *fn, Arena *a)
{
    GraphEdges edges = {0};
    U32Vec to = {0};
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        ir_block_successors(fn, b, &to);
        for (uint32_t i = 0; i < to.n; i++)
            vec_push(&edges, (GraphEdge){b, to.v[i]});
    }
    Graph blocks = graph_make(a, fn->blocks.n, &edges);
    Dom d = {.preds = graph_reverse(a, &blocks)};
    d.idom = graph_dominators(a, &blocks, &d.preds, 0);
    d.tree = graph_tree(a, d.idom, fn->blocks.n);
    vec_free(&edges);
    vec_free(&to);
    return d;
}

bool dom_reached(const Dom *d, uint32_t block) { return !block || d->idom[block] != GRAPH_NONE; }

bool dom_dominates(const Dom *d, uint32_t a, uint32_t b)
{
    return dom_reached(d, a) && tree_above(&d->tree, a, b);
}
