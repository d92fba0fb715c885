/* depend_mem.c - memory SSA by class: versions, phis at iterated dominance frontiers, renaming along the
 * dominator tree.
 *
 * Requires: classes and touches, nodes of calls and checks. Adds the versions, the edges that lead through
 * memory, and the exits of the function. A version that is written weakly depends on the one before it. */
#include "flow/depend.h"

typedef struct Phi {
    uint32_t class_id, node, next;
} Phi;
typedef struct Undo {
    uint32_t class_id, version;
} Undo;

typedef struct Renamer {
    DependBuild *b;
    uint32_t *pred_start, *preds;
    uint32_t *child, *sibling; /* the dominator tree */
    U32Vec *frontier;          /* by block */
    uint32_t *phi;             /* by block: first of its phis */
    Vec(Phi) phis;
    Vec(Undo) undo;
    U32Vec marks; /* undo log's length where each open block began */
    uint32_t rets;
} Renamer;

static bool skipped(const Renamer *r, uint32_t block)
{
    return r->b->control->flags[block] & FLOW_UNREACHABLE;
}

static void find_preds(Renamer *r)
{
    const IrFn *fn = r->b->fn;
    uint32_t n = fn->blocks.n;
    U32Vec to = {0}, fill = {0};
    r->pred_start = mem_zalloc((n + 2) * sizeof *r->pred_start);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t block = 0; block < n; block++) {
            if (skipped(r, block))
                continue;
            ir_block_successors(fn, block, &to);
            for (uint32_t i = 0; i < to.n; i++)
                if (pass)
                    r->preds[fill.v[to.v[i]]++] = block;
                else
                    r->pred_start[to.v[i] + 1]++;
        }
        for (uint32_t block = 0; !pass && block < n; block++) {
            r->pred_start[block + 1] += r->pred_start[block];
            vec_push(&fill, r->pred_start[block]);
        }
        if (!pass)
            r->preds = mem_alloc((r->pred_start[n] + 1) * sizeof *r->preds);
    }
    vec_free(&to);
    vec_free(&fill);
}

static void find_frontiers(Renamer *r)
{
    const FlowControl *c = r->b->control;
    uint32_t n = r->b->fn->blocks.n;
    r->frontier = mem_zalloc((n + 1) * sizeof *r->frontier);
    for (uint32_t block = 0; block < n; block++) {
        uint32_t first = r->pred_start[block], end = r->pred_start[block + 1];
        if (skipped(r, block) || end - first < 2)
            continue;
        for (uint32_t i = first; i < end; i++)
            for (uint32_t up = r->preds[i]; up != IR_NONE && up != c->idom[block]; up = c->idom[up])
                if (!r->frontier[up].n || vec_last(&r->frontier[up]) != block)
                    vec_push(&r->frontier[up], block);
    }
}

static void find_tree(Renamer *r)
{
    uint32_t n = r->b->fn->blocks.n;
    r->child = mem_alloc((n + 1) * sizeof *r->child);
    r->sibling = mem_alloc((n + 1) * sizeof *r->sibling);
    r->phi = mem_alloc((n + 1) * sizeof *r->phi);
    for (uint32_t block = 0; block < n; block++)
        r->child[block] = r->sibling[block] = r->phi[block] = IR_NONE;
    for (uint32_t block = n; block-- > 0;) {
        uint32_t up = r->b->control->idom[block];
        if (up == IR_NONE || skipped(r, block))
            continue;
        r->sibling[block] = r->child[up];
        r->child[up] = block;
    }
}

/* Phis of one class, from the blocks that write it. */
static void place_phis(Renamer *r, uint32_t class_id, const U32Vec *writers, uint32_t *stamp)
{
    U32Vec work = {0};
    for (uint32_t i = 0; i < writers->n; i++)
        vec_push(&work, writers->v[i]);
    while (work.n) {
        const U32Vec *frontier = &r->frontier[vec_pop(&work)];
        for (uint32_t i = 0; i < frontier->n; i++) {
            uint32_t block = frontier->v[i];
            if (stamp[block] == class_id + 1)
                continue;
            stamp[block] = class_id + 1;
            uint32_t node = depend_node(r->b, DEP_PHI, block, IR_NONE, class_id);
            vec_push(&r->phis, (Phi){class_id, node, r->phi[block]});
            r->phi[block] = r->phis.n - 1;
            vec_push(&work, block);
        }
    }
    vec_free(&work);
}

static void place_all_phis(Renamer *r)
{
    DependBuild *b = r->b;
    uint32_t classes = b->d->classes.n;
    U32Vec *writers = mem_zalloc((classes + 1) * sizeof *writers);
    uint32_t *stamp = mem_zalloc((b->fn->blocks.n + 1) * sizeof *stamp);
    for (uint32_t block = 0; block < b->fn->blocks.n; block++)
        for (uint32_t t = b->touch_first[b->ordinal[block]]; t < b->touch_first[b->ordinal[block + 1]]; t++) {
            U32Vec *w = &writers[b->touches.v[t].class_id];
            if (b->touches.v[t].write && (!w->n || vec_last(w) != block))
                vec_push(w, block);
        }
    for (uint32_t c = 0; c < classes; c++) {
        if (writers[c].n)
            place_phis(r, c, &writers[c], stamp);
        b->set->steps += writers[c].n;
        vec_free(&writers[c]);
    }
    mem_free(writers);
    mem_free(stamp);
}

/* ---- doors ----------------------------------------------------------------------------------- */

static void make_doors(Renamer *r)
{
    DependBuild *b = r->b;
    Depend *d = b->d;
    b->version = mem_alloc((d->classes.n + 1) * sizeof *b->version);
    bool *written = mem_zalloc(d->classes.n + 1);
    for (uint32_t t = 0; t < b->touches.n; t++)
        written[b->touches.v[t].class_id] |= b->touches.v[t].write;
    for (uint32_t k = 0; k < b->fn->results.n; k++)
        vec_push(&d->outs, (DepPortal){DOOR_REG, k, depend_node(b, DEP_OUT, 0, IR_NONE, d->outs.n)});
    for (uint32_t c = 0; c < d->classes.n; c++) {
        bool own = depend_is_own_stack(b->set, d, &d->classes.v[c]);
        b->version[c] = depend_node(b, DEP_IN, 0, IR_NONE, c);
        if (!own)
            vec_push(&d->ins, (DepPortal){DOOR_CLASS, c, b->version[c]});
        if (!own && written[c])
            vec_push(&d->outs, (DepPortal){DOOR_CLASS, c, depend_node(b, DEP_OUT, 0, IR_NONE, d->outs.n)});
    }
    if (b->leaves.n) {
        uint32_t out = depend_node(b, DEP_OUT, 0, IR_NONE, d->outs.n);
        vec_push(&d->outs, (DepPortal){DOOR_LEAVES, 0, out});
        for (uint32_t i = 0; i < b->leaves.n; i++)
            depend_edge(b, b->leaves.v[i], out);
    }
    mem_free(written);
}

static void link_return(Renamer *r, uint32_t block, const IrInsn *insn)
{
    DependBuild *b = r->b;
    const uint32_t *list = &b->fn->extra.v[insn->a];
    for (uint32_t k = 0; k < b->d->outs.n; k++) {
        const DepPortal *out = &b->d->outs.v[k];
        if (out->kind == DOOR_LEAVES)
            continue;
        if (out->kind == DOOR_REG && out->what < list[0])
            depend_use_reg(b, list[1 + out->what], block, out->node);
        if (out->kind == DOOR_CLASS)
            depend_use(b, b->version[out->what], b->d->nodes.v[b->version[out->what]].block, block,
                       out->node);
        if (r->rets > 1)
            depend_edge(b, depend_ctl(b, block), out->node);
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_state(const DependBuild *b, uint32_t class_id)
{
    return depend_is_state(b->set, &b->d->roots.v[b->d->classes.v[class_id].root]);
}

static bool is_stream(DependBuild *b, uint32_t class_id)
{
    return depend_is_stream(b->set, &b->d->roots.v[b->d->classes.v[class_id].root]);
}

static void use_version(DependBuild *b, uint32_t class_id, uint32_t block, uint32_t to)
{
    uint32_t version = b->version[class_id];
    depend_use(b, version, b->d->nodes.v[version].block, block, to);
}

static void set_version(Renamer *r, uint32_t class_id, uint32_t node)
{
    vec_push(&r->undo, (Undo){class_id, r->b->version[class_id]});
    r->b->version[class_id] = node;
}

static void find_own(DependBuild *b)
{
    b->own = mem_alloc(b->d->classes.n + 1);
    for (uint32_t c = 0; c < b->d->classes.n; c++) {
        const DepClass *k = &b->d->classes.v[c];
        b->own[c] = true;
        for (uint32_t r = 0; r < k->nroots && b->own[c]; r++) {
            DepRoot root = b->d->roots.v[k->root + r];
            b->own[c] = depend_is_many(&root)
                            ? b->set->many.v[root.first].library
                            : root.param == IR_NONE &&
                                  depend_is_library(b->set, flow_object(b->set->flow, root.object));
        }
    }
}

static bool is_input(DependBuild *b, uint32_t class_id)
{
    const DepClass *k = &b->d->classes.v[class_id];
    for (uint32_t r = 0; r < k->nroots; r++) {
        const DepRoot *root = &b->d->roots.v[k->root + r];
        if (root->object == IR_NONE)
            return true; /* more than streams */
        uint32_t stream = flow_object(b->set->flow, root->object)->index;
        if (stream == 0 || stream == FLOW_FILES)
            return true;
    }
    return false;
}

/* Whether a call of the library fails depends neither on what it shows nor, if it is described, on what is
 * the library's own. What it takes from a stream may be too much for where it goes. */
static bool harmless(DependBuild *b, uint32_t class_id, const DepCall *collapsed)
{
    if (b->set->wary)
        return false;
    if (is_stream(b, class_id))
        return !collapsed->fills || !is_input(b, class_id);
    return collapsed->described && b->own[class_id];
}

/* What an instruction reads goes to `data`; of a plain one only object state decides whether it fails, of a
 * call all that matters to it, of a jump to another frame what it finds of that. */
static void read_touches(DependBuild *b, uint32_t first, uint32_t end, uint32_t block, uint32_t data,
                         uint32_t check, const DepCall *collapsed, bool contents)
{
    for (uint32_t t = first; t < end; t++) {
        uint32_t c = b->touches.v[t].class_id;
        if (b->touches.v[t].write)
            continue;
        bool state = is_state(b, c);
        if (data != IR_NONE && (!state || collapsed))
            use_version(b, c, block, data);
        if (check != IR_NONE && (state || contents) && !(collapsed && harmless(b, c, collapsed)))
            use_version(b, c, block, check);
    }
}

static void link_plain(Renamer *r, uint32_t block, uint32_t i, uint32_t first, uint32_t end)
{
    DependBuild *b = r->b;
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    uint32_t check = depend_node_at(b->d, block, i, DEP_CHECK),
             address = depend_node_at(b->d, block, i, DEP_ADDRESS);
    U32Vec reads = {0}, made = {0};
    read_touches(b, first, end, block, insn->dst, check, NULL, insn->op == IR_LONGJMP);
    ir_insn_reads(b->fn, insn, &reads);
    for (uint32_t t = first; t < end; t++) {
        if (!b->touches.v[t].write)
            continue;
        uint32_t c = b->touches.v[t].class_id, node = depend_node(b, DEP_MEM, block, i, c);
        vec_push(&made, node);
        for (uint32_t k = 0; k < reads.n; k++)
            depend_use_reg(b, reads.v[k], block, node);
        if (address != IR_NONE)
            depend_edge(b, address, node);
        read_touches(b, first, end, block, node, IR_NONE, NULL, false);
        if (!b->touches.v[t].strong)
            use_version(b, c, block, node);
    }
    for (uint32_t t = first, k = 0; t < end; t++)
        if (b->touches.v[t].write)
            set_version(r, b->touches.v[t].class_id, made.v[k++]);
    vec_free(&reads);
    vec_free(&made);
}

/* New versions of what a call may write: of callees that are not opened everything goes into each. */
static void link_written(Renamer *r, const DepCall *call, uint32_t first, uint32_t end)
{
    DependBuild *b = r->b;
    for (uint32_t t = first; t < end; t++) {
        uint32_t c = b->touches.v[t].class_id;
        if (!b->touches.v[t].write)
            continue;
        uint32_t node = depend_node(b, DEP_MEM, call->block, call->insn, c);
        if (call->collapsed != IR_NONE)
            depend_edge(b, call->collapsed, node);
        if (call->n > 1) /* a join: which of them ran */
            depend_edge(b, call->node, node);
        if (!b->touches.v[t].strong || call->collapsed != IR_NONE)
            use_version(b, c, call->block, node);
        set_version(r, c, node);
    }
}

/* Versions before the call to the callee's entrances, or its exits to the versions after it. */
static void link_doors(DependBuild *b, const DepCall *call, const DepCallee *callee, bool exits)
{
    const IrInsn *insn = &b->fn->blocks.v[call->block].insns.v[call->insn];
    const Depend *d = b->set->fns[callee->fn];
    U32Vec classes = {0};
    uint32_t from = exits ? callee->first_out : callee->first_in, n = exits ? callee->n_out : callee->n_in;
    for (uint32_t x = 0; x < n; x++) {
        DepLink link = b->d->links.v[from + x];
        const DepPortal *portal = exits ? &d->outs.v[link.portal] : &d->ins.v[link.portal];
        if (portal->kind != DOOR_CLASS)
            continue;
        depend_call_classes(b, insn, d, portal->what, &classes);
        for (uint32_t c = 0; c < classes.n; c++)
            if (exits)
                depend_edge(b, link.node, b->version[classes.v[c]]);
            else
                use_version(b, classes.v[c], call->block, link.node);
    }
    vec_free(&classes);
}

static void link_call(Renamer *r, const DepCall *call, uint32_t first, uint32_t end)
{
    DependBuild *b = r->b;
    read_touches(b, first, end, call->block, call->collapsed, call->check, call, true);
    for (uint32_t k = 0; k < call->n; k++)
        link_doors(b, call, &b->d->callees.v[call->first + k], false);
    link_written(r, call, first, end);
    for (uint32_t k = 0; k < call->n; k++)
        link_doors(b, call, &b->d->callees.v[call->first + k], true);
}

static void link_insn(Renamer *r, uint32_t block, uint32_t i)
{
    DependBuild *b = r->b;
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    uint32_t ordinal = b->ordinal[block] + i, first = b->touch_first[ordinal],
             end = b->touch_first[ordinal + 1];
    b->set->steps += 1 + end - first;
    if (b->set->steps > b->set->options.max_steps)
        return; /* the function is given up, see build_graph */
    if (insn->op == IR_RET) {
        link_return(r, block, insn);
    } else if (insn->op == IR_CALL || insn->op == IR_CALLPTR) {
        const DepCall *call = &b->d->calls.v[map_get_or(&b->d->call_at, depend_at(block, i), 0)];
        link_call(r, call, first, end);
    } else if (end > first) {
        link_plain(r, block, i, first, end);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void enter(Renamer *r, uint32_t block)
{
    DependBuild *b = r->b;
    vec_push(&r->marks, r->undo.n);
    for (uint32_t p = r->phi[block]; p != IR_NONE; p = r->phis.v[p].next)
        set_version(r, r->phis.v[p].class_id, r->phis.v[p].node);
    for (uint32_t i = 0; i < b->fn->blocks.v[block].insns.n; i++)
        link_insn(r, block, i);
    U32Vec to = {0};
    ir_block_successors(b->fn, block, &to);
    for (uint32_t i = 0; i < to.n; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again |= to.v[k] == to.v[i];
        for (uint32_t p = r->phi[to.v[i]]; !again && p != IR_NONE; p = r->phis.v[p].next) {
            Phi phi = r->phis.v[p];
            uint32_t version = b->version[phi.class_id];
            depend_use(b, version, b->d->nodes.v[version].block, block, phi.node);
            depend_join(b, block, phi.node);
        }
    }
    vec_free(&to);
}

static void leave(Renamer *r)
{
    uint32_t mark = vec_pop(&r->marks);
    while (r->undo.n > mark) {
        Undo u = vec_pop(&r->undo);
        r->b->version[u.class_id] = u.version;
    }
}

static void rename_all(Renamer *r)
{
    U32Vec stack = {0}; /* a block, or IR_NONE: leave the one below */
    vec_push(&stack, 0);
    while (stack.n) {
        uint32_t block = vec_pop(&stack);
        if (block == IR_NONE) {
            leave(r);
            continue;
        }
        enter(r, block);
        vec_push(&stack, IR_NONE);
        for (uint32_t c = r->child[block]; c != IR_NONE; c = r->sibling[c])
            vec_push(&stack, c);
    }
    vec_free(&stack);
}

void depend_memory(DependBuild *b)
{
    Renamer r = {.b = b};
    uint32_t n = b->fn->blocks.n;
    for (uint32_t block = 0; block < n; block++) {
        const IrBlock *bl = &b->fn->blocks.v[block];
        r.rets += !skipped(&r, block) && bl->insns.v[bl->insns.n - 1].op == IR_RET;
    }
    find_preds(&r);
    find_frontiers(&r);
    find_tree(&r);
    place_all_phis(&r);
    make_doors(&r);
    find_own(b);
    rename_all(&r);
    for (uint32_t block = 0; block < n; block++)
        vec_free(&r.frontier[block]);
    void *owned[] = {r.pred_start, r.preds, r.child, r.sibling, r.frontier, r.phi};
    for (uint32_t i = 0; i < COUNT_OF(owned); i++)
        mem_free(owned[i]);
    vec_free(&r.phis);
    vec_free(&r.undo);
    vec_free(&r.marks);
}
