/* dom.c - dominators after Lengauer and Tarjan, with path compression, without recursion: O(edges * log blocks)
 * whatever the graph looks like, so that hostile text cannot make the verifier hang. */
#include "ir/dom.h"

/* Nodes are reached blocks in preorder of a depth-first search. */
typedef struct Search {
    const IrFn *fn;
    uint32_t n;
    uint32_t *node;                           /* block to node or IR_NONE */
    uint32_t *block, *parent, *semi, *idom;
    uint32_t *ancestor, *label;               /* the forest of processed nodes */
    uint32_t *bucket, *next;                  /* nodes by semidominator, as lists */
    U32Vec path;
} Search;

static uint32_t *array(Arena *a, uint64_t n) { return arena_alloc(a, (n + 1) * sizeof(uint32_t)); }

static void find_preds(const IrFn *fn, Dom *d, Arena *a)
{
    U32Vec to = {0};
    uint64_t edges = 0;
    d->pred_start = array(a, fn->blocks.n + 1);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        ir_block_successors(fn, b, &to);
        edges += to.n;
        for (uint32_t i = 0; i < to.n; i++)
            d->pred_start[to.v[i] + 1]++;
    }
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        d->pred_start[b + 1] += d->pred_start[b];
    d->preds = array(a, edges);
    uint32_t *fill = array(a, fn->blocks.n);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        ir_block_successors(fn, b, &to);
        for (uint32_t i = 0; i < to.n; i++)
            d->preds[d->pred_start[to.v[i]] + fill[to.v[i]]++] = b;
    }
    vec_free(&to);
}

/* A stack of pairs (block, parent node) gives a depth-first search too: a block is entered when taken. */
static void number_blocks(Search *s)
{
    U32Vec stack = {0}, to = {0};
    vec_push(&stack, 0);
    vec_push(&stack, 0);
    while (stack.n) {
        uint32_t parent = vec_pop(&stack), block = vec_pop(&stack);
        if (s->node[block] != IR_NONE)
            continue;
        uint32_t x = s->n++;
        s->node[block] = x;
        s->block[x] = block;
        s->parent[x] = parent;
        ir_block_successors(s->fn, block, &to);
        for (uint32_t i = 0; i < to.n; i++)
            if (s->node[to.v[i]] == IR_NONE) {
                vec_push(&stack, to.v[i]);
                vec_push(&stack, x);
            }
    }
    vec_free(&stack);
    vec_free(&to);
}

/* The node of least semidominator on the forest's path to v, roots left out; shortens the path. */
static uint32_t eval(Search *s, uint32_t v)
{
    vec_clear(&s->path);
    for (uint32_t x = v; s->ancestor[x] != IR_NONE && s->ancestor[s->ancestor[x]] != IR_NONE; x = s->ancestor[x])
        vec_push(&s->path, x);
    while (s->path.n) {
        uint32_t x = vec_pop(&s->path), up = s->ancestor[x];
        if (s->semi[s->label[up]] < s->semi[s->label[x]])
            s->label[x] = s->label[up];
        s->ancestor[x] = s->ancestor[up];
    }
    return s->label[v];
}

static void find_idoms(Search *s, const Dom *d)
{
    for (uint32_t w = s->n; w-- > 1;) {
        uint32_t block = s->block[w], parent = s->parent[w];
        for (uint32_t i = d->pred_start[block]; i < d->pred_start[block + 1]; i++) {
            uint32_t v = s->node[d->preds[i]];
            if (v == IR_NONE)
                continue;
            uint32_t u = eval(s, v);
            if (s->semi[u] < s->semi[w])
                s->semi[w] = s->semi[u];
        }
        s->next[w] = s->bucket[s->semi[w]];
        s->bucket[s->semi[w]] = w;
        s->ancestor[w] = parent;
        for (uint32_t v = s->bucket[parent]; v != IR_NONE; v = s->next[v]) {
            uint32_t u = eval(s, v);
            s->idom[v] = s->semi[u] < s->semi[v] ? u : parent;
        }
        s->bucket[parent] = IR_NONE;
    }
    for (uint32_t w = 1; w < s->n; w++)
        if (s->idom[w] != s->semi[w])
            s->idom[w] = s->idom[s->idom[w]];
}

/* A dominator has a lesser number than what it dominates, so two sweeps lay the tree out in preorder. */
static void lay_out(const Search *s, Dom *d, Arena *a)
{
    uint32_t *size = array(a, s->n), *first = array(a, s->n), *used = array(a, s->n);
    for (uint32_t w = s->n; w-- > 0;) {
        size[w]++;
        if (w)
            size[s->idom[w]] += size[w];
    }
    for (uint32_t w = 0; w < s->n; w++) {
        if (w) {
            uint32_t up = s->idom[w];
            first[w] = first[up] + 1 + used[up];
            used[up] += size[w];
        }
        d->first[s->block[w]] = first[w];
        d->size[s->block[w]] = size[w];
    }
}

Dom dom_compute(const IrFn *fn, Arena *a)
{
    Dom d = {.first = array(a, fn->blocks.n), .size = array(a, fn->blocks.n)};
    Search s = {.fn = fn, .path = {0}};
    uint32_t **const arrays[] = {&s.node,     &s.block, &s.parent, &s.semi, &s.idom,
                                 &s.ancestor, &s.label, &s.bucket, &s.next};
    for (uint32_t i = 0; i < COUNT_OF(arrays); i++)
        *arrays[i] = array(a, fn->blocks.n);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        s.node[b] = s.ancestor[b] = s.bucket[b] = IR_NONE;
        s.semi[b] = s.label[b] = b;
    }
    find_preds(fn, &d, a);
    number_blocks(&s);
    find_idoms(&s, &d);
    lay_out(&s, &d, a);
    vec_free(&s.path);
    return d;
}

bool dom_reached(const Dom *d, uint32_t block) { return d->size[block] != 0; }

bool dom_dominates(const Dom *d, uint32_t a, uint32_t b)
{
    return dom_reached(d, a) && d->first[b] - d->first[a] < d->size[a];
}
