/* join.c - the region between a branch and its immediate post-dominator, and the registers that join
 * there. */
#include "flow/flow_int.h"

#include <stdlib.h>

/* Marks what control may pass from `from` on without passing `stop`; dead-end blocks are left out. */
static void mark_region(const Control *c, uint32_t from, uint32_t stop, uint8_t *marks, U32Vec *found)
{
    U32Vec work = {0};
    vec_push(&work, from);
    while (work.n) {
        uint32_t x = vec_pop(&work);
        if (x == stop || marks[x] || c->face.ipdom[x] == IR_NONE)
            continue;
        marks[x] = 1;
        vec_push(found, x);
        for (uint32_t i = c->blocks.start[x]; i < c->blocks.start[x + 1]; i++)
            vec_push(&work, c->blocks.to[i]);
    }
    vec_free(&work);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void flow_sort_unique(U32Vec *list)
{
    uint32_t n = 0;
    if (list->n)
        qsort(list->v, list->n, sizeof *list->v, compare);
    for (uint32_t i = 0; i < list->n; i++)
        if (!n || list->v[n - 1] != list->v[i])
            list->v[n++] = list->v[i];
    list->n = n;
}

FlowList flow_side_blocks(Flow *flow, uint32_t fn, uint32_t block, uint32_t side, unsigned policy)
{
    const Control *c = control_of(flow, fn, policy);
    U32Vec found = {0};
    uint8_t *marks = mem_zalloc(c->fn->blocks.n + 1);
    if (c->face.ipdom[block] != IR_NONE && side < c->blocks.start[block + 1] - c->blocks.start[block])
        mark_region(c, c->blocks.to[c->blocks.start[block] + side], c->face.ipdom[block], marks, &found);
    flow_sort_unique(&found);
    FlowList list = flow_keep(flow, &found);
    vec_free(&found);
    mem_free(marks);
    return list;
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Registers that the block defines and that are live at the beginning of `at`. */
static void add_live(const Control *c, uint32_t block, uint32_t at, U32Vec *out)
{
    const IrFn *fn = c->fn;
    U32Vec defs = {0};
    for (uint32_t i = 0; i < fn->blocks.v[block].insns.n; i++) {
        ir_insn_defs(fn, &fn->blocks.v[block].insns.v[i], &defs);
        for (uint32_t k = 0; k < defs.n; k++)
            if (ir_live_in(c->live, defs.v[k], at))
                vec_push(out, defs.v[k]);
    }
    vec_free(&defs);
}

/* Marks the registers that a region sets. */
static uint8_t *mark_set(const IrFn *fn, const U32Vec *region)
{
    uint8_t *set = mem_zalloc(fn->regs.n + 1);
    U32Vec defs = {0};
    for (uint32_t r = 0; r < region->n; r++)
        for (uint32_t i = 0; i < fn->blocks.v[region->v[r]].insns.n; i++) {
            ir_insn_defs(fn, &fn->blocks.v[region->v[r]].insns.v[i], &defs);
            for (uint32_t k = 0; k < defs.n; k++)
                set[defs.v[k]] = 1;
        }
    vec_free(&defs);
    return set;
}

/* What a phi with one predecessor renames (at a loop's exit, say) depends on no branch if it was set
 * before. */
static void add_phis(const IrFn *fn, uint32_t join, const U32Vec *region, U32Vec *out)
{
    uint8_t *set = NULL;
    for (uint32_t i = 0; fn->blocks.v[join].insns.v[i].op == IR_PHI; i++) {
        const IrInsn *phi = &fn->blocks.v[join].insns.v[i];
        const uint32_t *list = &fn->extra.v[phi->a];
        if (list[0] == 1 && !set)
            set = mark_set(fn, region);
        if (list[0] > 1 || set[list[2]])
            vec_push(out, phi->dst);
    }
    mem_free(set);
}

static FlowList find_join(Flow *flow, Control *c, uint32_t index, uint32_t block)
{
    const IrFn *fn = c->fn;
    uint32_t join = c->face.ipdom[block];
    U32Vec region = {0}, regs = {0};
    if (join < fn->blocks.n) {
        uint8_t *marks = mem_zalloc(fn->blocks.n + 1);
        for (uint32_t i = c->blocks.start[block]; i < c->blocks.start[block + 1]; i++)
            mark_region(c, c->blocks.to[i], join, marks, &region);
        for (uint32_t i = 0; i < region.n; i++)
            if (tree_above(&c->dominators, region.v[i], join)) { /* else nothing of it is live there: SSA */
                if (!c->live)
                    c->live = ir_live_find(fn, &(IrLiveOptions){.preds = &c->blocks_back}, flow->arena);
                add_live(c, region.v[i], join, &regs);
            }
        region_drop_known(flow, index, block, c->policy, &regs);
        add_phis(fn, join, &region, &regs);
        mem_free(marks);
    }
    flow_sort_unique(&regs);
    FlowList list = flow_keep(flow, &regs);
    vec_free(&region);
    vec_free(&regs);
    return list;
}

FlowList flow_join_regs(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    Control *c = control_of(flow, fn, policy);
    if (!c->join[block].v)
        c->join[block] = find_join(flow, c, fn, block);
    return c->join[block];
}
