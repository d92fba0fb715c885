/* slice.c - slices through the whole program, with calls and returns matched.
 *
 * Two phases: first within functions and out of them towards callers, never into callees (summary edges lead
 * past them); then into callees, never out again. Collapsed functions are in a slice as a whole or not
 * at all. Code of runtime/ has no graph: it may always depend. */
#include "flow/flow_int.h"
#include "flow/slice_int.h"

typedef struct Caller {
    uint32_t fn, callee;
} Caller; /* callee: index into the caller's callees */
typedef struct Reverse {
    uint32_t *start;
    uint32_t *edges;
} Reverse;

typedef struct Place {
    uint32_t fn, node;
} Place;

typedef struct Slicer {
    Vec(Caller) * callers;  /* by function */
    Vec(Place) * collapsed; /* by recursion: collapsed calls that enter it */
    U32Vec entered;         /* those that have collapsed calls and lead to code of the user's */
    U32Vec whole;           /* functions that are collapsed themselves */
    Reverse *reverse;       /* by function; made when first needed */
} Slicer;

typedef struct Slice {
    BitSet *nodes; /* by function */
    BitSet whole;  /* functions of which everything belongs to it */
} Slice;

typedef struct Walk {
    FlowSlices *all;
    Slice *slice;
    bool forward, down;
    BitSet collapsed, ran;  /* by recursion: its collapsed calls are reached; all that it leads to is */
    BitSet up;              /* by function: collapsed calls that may run it are reached */
    Vec(Place) work, later; /* later: the second phase starts there */
} Walk;

/* ---- preparation ----------------------------------------------------------------------------- */

static bool leads_to_users(FlowSlices *all, uint32_t recursion)
{
    const BitSet *to = slices_lead_from(all, recursion);
    for (uint32_t f = bitset_next(to, 0); f != UINT32_MAX; f = bitset_next(to, f + 1))
        if (all->depend->fns[f])
            return true;
    return false;
}

static uint32_t entered_by(const FlowSlices *all, uint32_t fn, const DepNode *node)
{
    return slices_entered(all, (FlowSite){fn, node->block, node->insn});
}

static void add_collapsed(FlowSlices *all, Slicer *s, Place at)
{
    uint32_t to = entered_by(all, at.fn, &all->depend->fns[at.fn]->nodes.v[at.node]);
    if (!s->collapsed[to].n && leads_to_users(all, to))
        vec_push(&s->entered, to);
    vec_push(&s->collapsed[to], at);
}

static bool is_lump(const DepNode *node) { return node->kind == DEP_BACK && node->what == IR_NONE; }

static Slicer *slicer(FlowSlices *all)
{
    if (all->slicer)
        return all->slicer;
    DependSet *set = all->depend;
    Slicer *s = all->slicer = mem_zalloc(sizeof *s);
    s->callers = mem_zalloc((set->program->fns.n + 1) * sizeof *s->callers);
    s->collapsed = mem_zalloc((set->components + 1) * sizeof *s->collapsed);
    s->reverse = mem_zalloc((set->program->fns.n + 1) * sizeof *s->reverse);
    for (uint32_t i = 0; i < set->order.n; i++) {
        const Depend *d = set->fns[set->order.v[i]];
        if (d->collapsed)
            vec_push(&s->whole, d->fn);
        for (uint32_t n = 0; n < d->nodes.n; n++)
            if (is_lump(&d->nodes.v[n]))
                add_collapsed(all, s, (Place){d->fn, n});
        for (uint32_t k = 0; k < d->callees.n; k++)
            vec_push(&s->callers[d->callees.v[k].fn], (Caller){d->fn, k});
    }
    return s;
}

static const Reverse *reverse_of(FlowSlices *all, uint32_t fn)
{
    Reverse *r = &slicer(all)->reverse[fn];
    const Depend *d = all->depend->fns[fn];
    if (r->start)
        return r;
    uint32_t n = d->nodes.n, edges = d->start[n], *fill = mem_zalloc((n + 2) * sizeof *fill);
    r->start = mem_zalloc((n + 2) * sizeof *r->start);
    r->edges = mem_alloc((edges + 1) * sizeof *r->edges);
    for (uint32_t e = 0; e < edges; e++)
        r->start[d->edges[e] + 1]++;
    for (uint32_t i = 0; i < n; i++)
        r->start[i + 1] += r->start[i];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = d->start[i]; e < d->start[i + 1]; e++) {
            uint32_t to = d->edges[e];
            r->edges[r->start[to] + fill[to]++] = i;
        }
    mem_free(fill);
    return r;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void reach(Walk *w, uint32_t fn, uint32_t node)
{
    if (bitset_add(&w->slice->nodes[fn], node))
        vec_push(&w->work, (Place){fn, node});
}

/* A collapsed call may run everything that it leads to. */
static void reach_lump(Walk *w, uint32_t fn, const DepNode *node)
{
    uint32_t to = entered_by(w->all, fn, node);
    if (bitset_add(&w->ran, to))
        bitset_unite(&w->slice->whole, slices_lead_from(w->all, to));
}

/* Collapsed calls that may run the function. */
static void reach_lumps_of(Walk *w, uint32_t fn)
{
    const Slicer *s = slicer(w->all);
    if (!bitset_add(&w->up, fn))
        return;
    for (uint32_t k = 0; k < s->entered.n; k++) {
        uint32_t to = s->entered.v[k];
        if (!bitset_has(slices_lead_from(w->all, to), fn) || !bitset_add(&w->collapsed, to))
            continue;
        for (uint32_t i = 0; i < s->collapsed[to].n; i++)
            reach(w, s->collapsed[to].v[i].fn, s->collapsed[to].v[i].node);
    }
}

static uint32_t portal_of(const Depend *d, const DepCallee *callee, uint32_t node, bool in)
{
    uint32_t first = in ? callee->first_in : callee->first_out, n = in ? callee->n_in : callee->n_out;
    for (uint32_t i = 0; i < n; i++)
        if (d->links.v[first + i].node == node)
            return d->links.v[first + i].portal;
    return IR_NONE;
}

/* A collapsed function is one node for what it leads to and for what may run it. */
static void reach_whole(Walk *w, uint32_t fn)
{
    if (!bitset_add(&w->slice->whole, fn))
        return;
    bitset_unite(&w->slice->whole, slices_lead_to(w->all, fn));
    if (w->all->depend->fns[fn])
        reach_lumps_of(w, fn);
}

/* From an entrance or exit of a call into the callee. */
static void go_down(Walk *w, Place at)
{
    const Depend *d = w->all->depend->fns[at.fn];
    const DepNode *node = &d->nodes.v[at.node];
    uint64_t index = map_get_or(&d->call_at, depend_at(node->block, node->insn), IR_NONE);
    if (index == IR_NONE)
        return;
    const DepCall *call = &d->calls.v[index];
    for (uint32_t k = 0; k < call->n; k++) {
        const DepCallee *callee = &d->callees.v[call->first + k];
        uint32_t portal = portal_of(d, callee, at.node, w->forward);
        const Depend *to = w->all->depend->fns[callee->fn];
        if (portal != IR_NONE)
            reach(w, callee->fn, w->forward ? to->ins.v[portal].node : to->outs.v[portal].node);
    }
}

static void go_up(Walk *w, Place at)
{
    const Depend *d = w->all->depend->fns[at.fn];
    DepKind kind = d->nodes.v[at.node].kind;
    uint32_t portal = IR_NONE, n = w->forward ? d->outs.n : d->ins.n;
    if (w->forward ? kind != DEP_OUT : kind != DEP_REG && kind != DEP_ENTRY && kind != DEP_IN)
        return;
    for (uint32_t i = 0; i < n; i++)
        if ((w->forward ? d->outs.v[i].node : d->ins.v[i].node) == at.node)
            portal = i;
    if (portal == IR_NONE)
        return;
    const Slicer *s = slicer(w->all);
    reach_lumps_of(w, at.fn);
    for (uint32_t i = 0; i < s->whole.n; i++)
        if (bitset_has(slices_lead_to(w->all, s->whole.v[i]), at.fn))
            reach_whole(w, s->whole.v[i]);
    for (uint32_t i = 0; i < s->callers[at.fn].n; i++) {
        Caller c = s->callers[at.fn].v[i];
        const Depend *up = w->all->depend->fns[c.fn];
        const DepCallee *callee = &up->callees.v[c.callee];
        reach(w, c.fn, up->links.v[(w->forward ? callee->first_out : callee->first_in) + portal].node);
    }
}

static void step(Walk *w, Place at)
{
    const Depend *d = w->all->depend->fns[at.fn];
    const DepNode *node = &d->nodes.v[at.node];
    const Reverse *r = w->forward ? NULL : reverse_of(w->all, at.fn);
    const uint32_t *start = r ? r->start : d->start;
    const uint32_t *edges = r ? r->edges : d->edges;
    for (uint32_t e = start[at.node]; e < start[at.node + 1]; e++)
        reach(w, at.fn, edges[e]);
    w->all->depend->steps += start[at.node + 1] - start[at.node];
    if (is_lump(node))
        reach_lump(w, at.fn, node);
    else if (node->kind == (w->forward ? DEP_ARG : DEP_BACK)) {
        if (w->down)
            go_down(w, at);
        else
            vec_push(&w->later, at);
    }
    if (!w->down)
        go_up(w, at);
}

static void run(Walk *w)
{
    while (w->work.n)
        step(w, vec_pop(&w->work));
    w->down = true;
    for (uint32_t i = 0; i < w->later.n; i++)
        go_down(w, w->later.v[i]);
    while (w->work.n)
        step(w, vec_pop(&w->work));
    vec_free(&w->work);
    vec_free(&w->later);
    bitset_free(&w->collapsed);
    bitset_free(&w->ran);
    bitset_free(&w->up);
}

/* ---- where it starts and what it holds ------------------------------------------------------- */

static bool stands_at(const DepNode *node, FlowSite at)
{
    return node->block == at.block && node->insn == at.insn;
}

/* In a collapsed function, or code that has no graph: it is one node for all callers. */
static void start_whole(Walk *w, FlowSite at)
{
    const Slicer *s = slicer(w->all);
    reach_whole(w, at.fn);
    for (uint32_t i = 0; i < s->whole.n; i++)
        if (bitset_has(slices_lead_to(w->all, s->whole.v[i]), at.fn))
            reach_whole(w, s->whole.v[i]);
}

static void start(Walk *w, FlowSite at)
{
    const Depend *d = w->all->depend->fns[at.fn];
    const IrFn *fn = &w->all->depend->program->fns.v[at.fn];
    if (!d || d->collapsed) {
        start_whole(w, at);
        return;
    }
    for (uint32_t n = 0; n < d->nodes.n; n++)
        if (stands_at(&d->nodes.v[n], at))
            reach(w, at.fn, n);
    if (w->forward || at.block >= fn->blocks.n)
        return;
    U32Vec reads = {0};
    ir_insn_reads(fn, &fn->blocks.v[at.block].insns.v[at.insn], &reads);
    for (uint32_t i = 0; i < reads.n; i++)
        reach(w, at.fn, reads.v[i]);
    reach(w, at.fn, fn->regs.n + at.block);
    vec_free(&reads);
}

static Slice *new_slice(FlowSlices *all, const FlowSite *of, uint32_t n, bool forward)
{
    Slice *slice = mem_zalloc(sizeof *slice);
    slice->nodes = mem_zalloc((all->depend->program->fns.n + 1) * sizeof *slice->nodes);
    Walk w = {.all = all, .slice = slice, .forward = forward};
    for (uint32_t i = 0; i < n; i++)
        start(&w, of[i]);
    run(&w);
    return slice;
}

static void free_slice(FlowSlices *all, Slice *slice)
{
    for (uint32_t f = 0; f < all->depend->program->fns.n; f++)
        bitset_free(&slice->nodes[f]);
    mem_free(slice->nodes);
    bitset_free(&slice->whole);
    mem_free(slice);
}

/* A return has no node of its own: it belongs to a slice with what it hands out, backward if that is asked
 * for. */
static bool has_return(const FlowSlices *all, const Slice *slice, FlowSite at, bool forward)
{
    const Depend *d = all->depend->fns[at.fn];
    const IrFn *fn = &all->depend->program->fns.v[at.fn];
    const IrInsn *insn = &fn->blocks.v[at.block].insns.v[at.insn];
    bool found = false;
    if (insn->op != IR_RET)
        return false;
    const uint32_t *list = &fn->extra.v[insn->a];
    for (uint32_t k = 0; forward && k < list[0]; k++)
        found |= bitset_has(&slice->nodes[at.fn], list[1 + k]);
    for (uint32_t o = 0; !forward && o < d->outs.n; o++)
        found |= d->outs.v[o].kind == DOOR_REG && bitset_has(&slice->nodes[at.fn], d->outs.v[o].node);
    return found;
}

/* Marks the instructions of a function that belong to a slice; ordinal is by block. */
static void mark_insns(const FlowSlices *all, const Slice *slice, uint32_t f, const uint32_t *ordinal,
                       bool forward, uint8_t *marks)
{
    const Depend *d = all->depend->fns[f];
    const IrFn *fn = &all->depend->program->fns.v[f];
    for (uint32_t n = bitset_next(&slice->nodes[f], 0); n != UINT32_MAX;
         n = bitset_next(&slice->nodes[f], n + 1)) {
        const DepNode *node = &d->nodes.v[n];
        if (node->kind == DEP_CTL && forward)
            for (uint32_t i = 0; i < fn->blocks.v[node->block].insns.n; i++)
                marks[ordinal[node->block] + i] = 1;
        else if (node->block != IR_NONE && node->insn != IR_NONE)
            marks[ordinal[node->block] + node->insn] = 1;
    }
}

static void list_fn(FlowSlices *all, const Slice *slice, uint32_t f, const FlowSite *of, uint32_t n,
                    bool forward)
{
    const IrFn *fn = &all->depend->program->fns.v[f];
    bool whole = bitset_has(&slice->whole, f) && !fn->runtime;
    if (!whole && bitset_next(&slice->nodes[f], 0) == UINT32_MAX)
        return;
    uint32_t *ordinal = mem_alloc((fn->blocks.n + 1) * sizeof *ordinal), total = 0;
    for (uint32_t block = 0; block < fn->blocks.n; block++) {
        ordinal[block] = total;
        total += fn->blocks.v[block].insns.n;
    }
    uint8_t *marks = mem_zalloc(total + 1);
    if (!whole)
        mark_insns(all, slice, f, ordinal, forward, marks);
    for (uint32_t i = 0; i < n; i++)
        if (of[i].fn == f)
            marks[ordinal[of[i].block] + of[i].insn] = 1;
    for (uint32_t block = 0; block < fn->blocks.n; block++)
        for (uint32_t i = 0; i < fn->blocks.v[block].insns.n; i++)
            if (whole || marks[ordinal[block] + i] ||
                has_return(all, slice, (FlowSite){f, block, i}, forward))
                vec_push(&all->list, (FlowSite){f, block, i});
    mem_free(ordinal);
    mem_free(marks);
}

FlowSites flow_slice(FlowSlices *all, const FlowSite *of, uint32_t n, bool forward)
{
    Slice *slice = new_slice(all, of, n, forward);
    vec_clear(&all->list);
    for (uint32_t f = 0; f < all->depend->program->fns.n; f++)
        list_fn(all, slice, f, of, n, forward);
    free_slice(all, slice);
    return (FlowSites){all->list.v, all->list.n};
}

bool flow_may_depend(FlowSlices *all, FlowSite from, FlowSite to)
{
    const Depend *d = all->depend->fns[to.fn];
    if (!all->depend->fns[from.fn] || !d || d->collapsed)
        return true;
    uint64_t key = flow_site_key(from), kept;
    if (!map_get(&all->kept, key, &kept)) {
        kept = (uint64_t)(uintptr_t)new_slice(all, &from, 1, true);
        map_put(&all->kept, key, kept);
    }
    const Slice *slice = (const Slice *)(uintptr_t)kept;
    const IrFn *fn = &all->depend->program->fns.v[to.fn];
    if (bitset_has(&slice->whole, to.fn) || bitset_has(&slice->nodes[to.fn], fn->regs.n + to.block))
        return true;
    for (uint32_t n = bitset_next(&slice->nodes[to.fn], 0); n != UINT32_MAX;
         n = bitset_next(&slice->nodes[to.fn], n + 1))
        if (stands_at(&d->nodes.v[n], to))
            return true;
    return has_return(all, slice, to, true);
}

/* ---- life ------------------------------------------------------------------------------------ */

enum { DEFAULT_LISTED = 64 };
#define DEFAULT_STEPS  ((uint64_t)250 * 1000 * 1000)
#define DEFAULT_MEMORY ((size_t)256 << 20)

FlowSlices *flow_slices_new(Flow *flow, const FlowSliceOptions *options)
{
    FlowSlices *all = mem_zalloc(sizeof *all);
    FlowSliceOptions o = options ? *options : (FlowSliceOptions){0};
    o.max_steps = o.max_steps ? o.max_steps : DEFAULT_STEPS;
    o.max_memory = o.max_memory ? o.max_memory : DEFAULT_MEMORY;
    o.max_listed = o.max_listed ? o.max_listed : DEFAULT_LISTED;
    all->flow = flow;
    all->depend = depend_new(flow, flow->program, &o);
    return all;
}

uint32_t flow_slices_cut(const FlowSlices *all) { return all->depend->cut; }

void flow_slices_free(FlowSlices *all)
{
    uint32_t cursor = 0;
    uint64_t key, value;
    while (map_next(&all->kept, &cursor, &key, &value))
        free_slice(all, (Slice *)(uintptr_t)value);
    map_free(&all->kept);
    for (uint32_t f = 0; all->slicer && f < all->depend->program->fns.n; f++) {
        vec_free(&all->slicer->callers[f]);
        mem_free(all->slicer->reverse[f].start);
        mem_free(all->slicer->reverse[f].edges);
    }
    for (uint32_t c = 0; all->slicer && c < all->depend->components; c++)
        vec_free(&all->slicer->collapsed[c]);
    if (all->slicer) {
        mem_free(all->slicer->callers);
        vec_free(&all->slicer->entered);
        mem_free(all->slicer->collapsed);
        vec_free(&all->slicer->whole);
        mem_free(all->slicer->reverse);
        mem_free(all->slicer);
    }
    for (uint32_t c = 0; all->leads_to && c < all->depend->components; c++)
        bitset_free(&all->leads_to[c]);
    mem_free(all->leads_to);
    vec_free(&all->list);
    depend_free(all->depend);
    mem_free(all);
}
