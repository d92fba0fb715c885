/* places.c - sets of places, and which places an address means. */
#include "flow/places.h"

#include <stdlib.h>

void places_add(PlaceVec *set, uint32_t object, uint64_t first, uint64_t size)
{
    vec_push(set, (FlowPlace){ object, IR_NONE, size == FLOW_WHOLE ? 0 : first, size });
}

void places_add_param(PlaceVec *set, uint32_t param, uint64_t first, uint64_t size)
{
    vec_push(set, (FlowPlace){ IR_NONE, param, size == FLOW_WHOLE ? 0 : first, size });
}

static int compare(const void *a, const void *b)
{
    const FlowPlace *x = a, *y = b;
    if (x->param != y->param)
        return x->param > y->param ? -1 : 1;  /* places of objects first */
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

/* Two ascending lists as one, into set. */
static void merge(PlaceVec *set, const FlowPlace *a, uint32_t na, const FlowPlace *b, uint32_t nb)
{
    PlaceVec out = {0};
    vec_reserve(&out, na + nb);
    for (uint32_t i = 0, k = 0; i < na || k < nb;) {
        bool first = k == nb || (i < na && compare(&a[i], &b[k]) <= 0);
        FlowPlace next = first ? a[i++] : b[k++];
        if (!out.n || compare(&vec_last(&out), &next))
            vec_push(&out, next);
    }
    vec_free(set);
    *set = (PlaceVec){ out.v, out.n, out.cap };
}

/* Most of a set is often in order already: only what comes behind that is sorted. */
static void sort(PlaceVec *set)
{
    uint32_t n = 1;
    while (n < set->n && compare(&set->v[n - 1], &set->v[n]) <= 0)
        n++;
    if (n >= set->n)
        return;
    qsort(set->v + n, set->n - n, sizeof *set->v, compare);
    merge(set, set->v, n, set->v + n, set->n - n);
}

/* Long lists are results, and those are in order. */
void places_add_all(PlaceVec *set, FlowPlaces more)
{
    if (more.n > 64) {
        sort(set);
        merge(set, set->v, set->n, more.v, more.n);
        return;
    }
    for (uint32_t i = 0; i < more.n; i++)
        vec_push(set, more.v[i]);
}

static bool same_base(const FlowPlace *a, const FlowPlace *b) { return a->param == b->param && a->object == b->object; }

void places_close(PlaceVec *set)
{
    uint32_t n = 0;
    if (!set->n)
        return;
    sort(set);
    for (uint32_t i = 0; i < set->n;) {
        uint32_t begin = n;
        bool whole = false;
        for (FlowPlace base = set->v[i]; i < set->n && same_base(&base, &set->v[i]); i++) {
            FlowPlace *last = n > begin ? &set->v[n - 1] : NULL, p = set->v[i];
            whole |= p.size == FLOW_WHOLE;
            if (last && !whole && p.first <= last->first + last->size) {
                if (p.first + p.size > last->first + last->size)
                    last->size = p.first + p.size - last->first;
            } else {
                set->v[n++] = p;
            }
        }
        if (whole || n - begin > PLACES_APART) {
            n = begin + 1;
            set->v[begin].first = 0;
            set->v[begin].size = FLOW_WHOLE;
        }
    }
    set->n = n;
}

FlowPlaces places_keep(Flow *flow, PlaceVec *set)
{
    places_close(set);
    FlowPlace *v = arena_alloc(flow->arena, (set->n + 1) * sizeof *v);
    if (set->n)
        memcpy(v, set->v, set->n * sizeof *v);
    FlowPlaces kept = { v, set->n };
    vec_free(set);
    return kept;
}

/* ---- where addresses come from ---------------------------------------------------------------------------------- */

static Origin join(Origin a, Origin b)
{
    if (a.kind == ORIGIN_NONE || b.kind == ORIGIN_OTHER)
        return b;
    if (b.kind == ORIGIN_NONE || a.kind == ORIGIN_OTHER)
        return a;
    if (a.param != b.param)
        return (Origin){ .kind = ORIGIN_OTHER };
    if (a.kind == ORIGIN_PARAM && b.kind == ORIGIN_PARAM && a.offset == b.offset)
        return a;
    return (Origin){ .kind = ORIGIN_PARAM_ANYWHERE, .param = a.param };
}

static Origin moved(const IrFn *fn, Origin o, const IrInsn *insn)
{
    const IrConst *c = ir_reg_const_of(fn, insn->b);
    if (o.kind != ORIGIN_PARAM)
        return o;
    if (!c || c->kind != IR_CONST_INT)
        return (Origin){ .kind = ORIGIN_PARAM_ANYWHERE, .param = o.param };
    int64_t by = (int64_t)bits_signed(c->bits, fn->regs.v[insn->b].width) * (insn->op == IR_INDEX ? (int64_t)insn->c : 1);
    if (by > 1 << 24 || by < -(1 << 24) || o.offset > 1 << 24 || o.offset < -(1 << 24))
        return (Origin){ .kind = ORIGIN_PARAM_ANYWHERE, .param = o.param };
    o.offset += by;
    return o;
}

static Origin origin_of(const IrFn *fn, const Origin *now, const IrInsn *insn)
{
    Origin o = { .kind = ORIGIN_NONE };
    switch ((IrOp)insn->op) {
    case IR_OFFSET: case IR_INDEX:
        return moved(fn, now[insn->a], insn);
    case IR_SELECT:
        return join(now[insn->b], now[insn->c]);
    case IR_PHI: {
        const uint32_t *list = &fn->extra.v[insn->a];
        for (uint32_t i = 0; i < list[0]; i++)
            o = join(o, now[list[2 + 2 * i]]);
        return o;
    }
    default:
        return (Origin){ .kind = ORIGIN_OTHER };
    }
}

static bool origin_pass(const IrFn *fn, Origin *now)
{
    bool changed = false;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->dst == IR_NONE)
                continue;
            Origin o = join(now[insn->dst], origin_of(fn, now, insn));
            if (o.kind != now[insn->dst].kind) {
                now[insn->dst] = o;
                changed = true;
            }
        }
    return changed;
}

/* Numbers as pointers are null: they add nothing to what a phi may be. */
const Origin *origins_of(Flow *flow, uint32_t index)
{
    if (flow->origins[index])
        return flow->origins[index];
    const IrFn *fn = flow_fn(flow, index);
    Origin *now = arena_alloc(flow->arena, (fn->regs.n + 1) * sizeof *now);
    for (uint32_t r = 0; r < fn->regs.n; r++) {
        const IrConst *c = ir_reg_const_of(fn, r);
        if (r < fn->nparams)
            now[r] = (Origin){ .kind = ORIGIN_PARAM, .param = r };
        else if (c && c->kind != IR_CONST_INT && c->kind != IR_CONST_UNDEF)
            now[r] = (Origin){ .kind = ORIGIN_OTHER };
    }
    U32Vec defs = {0};
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].dst == IR_NONE) {
                ir_insn_defs(fn, &fn->blocks.v[b].insns.v[i], &defs);
                for (uint32_t k = 0; k < defs.n; k++)
                    if (defs.v[k] < fn->regs.n)
                        now[defs.v[k]] = (Origin){ .kind = ORIGIN_OTHER };
            }
    vec_free(&defs);
    while (origin_pass(fn, now)) {
    }
    return flow->origins[index] = now;
}

/* ---- places behind an address --------------------------------------------------------------------------------------- */

static void add_loc(Flow *flow, Loc l, uint64_t size, PlaceVec *out)
{
    Place at = loc_place(l);
    const FlowObject *o = &flow->objects.v[at.object];
    bool exact = !at.stride && at.offset >= 0 && size != FLOW_WHOLE && at.object != OBJECT_ANY &&
                 (o->size == FLOW_WHOLE || (uint64_t)at.offset + size <= o->size);
    if (o->kind == FLOW_FN)
        return;
    places_add(out, 2 * at.object, exact ? (uint64_t)at.offset : 0, exact ? size : FLOW_WHOLE);
}

static void add_locs(Flow *flow, uint32_t fn, uint32_t reg, uint64_t size, PlaceVec *out)
{
    Points *p = points_of(flow);
    LocSet locs = {0};
    if (!points_reached(p, fn)) {
        places_add(out, FLOW_OBJECT_ANY, 0, FLOW_WHOLE);
        return;
    }
    points_locs(p, fn, reg, &locs);
    for (uint32_t i = 0; i < locs.n; i++)
        add_loc(flow, locs.v[i], size, out);
    /* An address that nothing makes may be put together from bytes of an input. */
    if (!locs.n && !flow_fn(flow, fn)->runtime && !ir_reg_const_of(flow_fn(flow, fn), reg))
        places_add(out, FLOW_OBJECT_ANY, 0, FLOW_WHOLE);
    vec_free(&locs);
}

void places_behind(Flow *flow, uint32_t fn, uint32_t reg, uint64_t size, PlaceVec *out)
{
    Origin o = origins_of(flow, fn)[reg];
    if (o.kind == ORIGIN_PARAM && o.offset >= 0 && size != FLOW_WHOLE)
        places_add_param(out, o.param, (uint64_t)o.offset, size);
    else if (o.kind == ORIGIN_PARAM || o.kind == ORIGIN_PARAM_ANYWHERE)
        places_add_param(out, o.param, 0, FLOW_WHOLE);
    else
        add_locs(flow, fn, reg, size, out);
}

/* Globals and functions live for ever: theirs is no state. */
static bool has_state(const FlowObject *o)
{
    return o->kind == FLOW_STACK || o->kind == FLOW_HEAP || o->kind == FLOW_VARARGS || o->kind == FLOW_ANY;
}

void places_state(Flow *flow, uint32_t fn, uint32_t reg, PlaceVec *out)
{
    FlowList objects = flow_points_to(flow, fn, reg);
    for (uint32_t i = 0; i < objects.n; i++)
        if (has_state(flow_object(flow, objects.v[i])))
            places_add(out, flow_state_of(objects.v[i]), 0, FLOW_WHOLE);
}

void touch_state(Flow *flow, uint32_t fn, uint32_t reg, Touched *out)
{
    if (!out->states) {
        places_state(flow, fn, reg, &out->reads);
        return;
    }
    FlowList objects = flow_points_to(flow, fn, reg);
    for (uint32_t i = 0; i < objects.n; i++)
        if (has_state(flow_object(flow, objects.v[i])))
            bitset_add(out->states, objects.v[i] / 2);
}
