/* diff_calls.c - who calls whom, and globals that a function finds in any state. */
#include "versions/diff_int.h"

/* A call through a pointer may be of any function whose address is taken. */
static void gather_calls(Levels *l, unsigned version, uint32_t pair, const BitSet *taken, GraphEdges *edges)
{
    const Versions *v = l->d->versions;
    const IrFn *fn = &v->program[version]->fns.v[v->fns.v[pair].fn[version]];
    bool pointers = false;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            pointers |= insn->op == IR_CALLPTR;
            uint32_t to = insn->op == IR_CALL ? v->fn_of[version].v[insn->a] : IR_NONE;
            if (to != IR_NONE)
                vec_push(edges, (GraphEdge){pair, to});
        }
    for (uint32_t i = 0; i < fn->consts.n; i++) { /* an address that it hands on may be called with it */
        uint32_t to =
            fn->consts.v[i].kind == IR_CONST_FN ? v->fn_of[version].v[fn->consts.v[i].index] : IR_NONE;
        if (to != IR_NONE)
            vec_push(edges, (GraphEdge){pair, to});
    }
    for (uint32_t i = bitset_next(taken, 0); pointers && i != UINT32_MAX; i = bitset_next(taken, i + 1))
        vec_push(edges, (GraphEdge){pair, i});
}

static void gather_taken(const Versions *v, unsigned version, BitSet *taken)
{
    const IrProgram *p = v->program[version];
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t i = 0; i < p->fns.v[f].consts.n; i++) {
            const IrConst *c = &p->fns.v[f].consts.v[i];
            if (c->kind == IR_CONST_FN && v->fn_of[version].v[c->index] != IR_NONE)
                bitset_add(taken, v->fn_of[version].v[c->index]);
        }
    for (uint32_t g = 0; g < p->globals.n; g++)
        for (uint32_t i = 0; i < p->globals.v[g].relocs.n; i++) {
            const IrConst *c = &p->globals.v[g].relocs.v[i].value;
            if (c->kind == IR_CONST_FN && v->fn_of[version].v[c->index] != IR_NONE)
                bitset_add(taken, v->fn_of[version].v[c->index]);
        }
}

void diff_find_calls(Levels *l)
{
    const Versions *v = l->d->versions;
    GraphEdges edges = {0};
    BitSet taken = {0};
    uint32_t count = 0;
    for (unsigned version = 0; version < 2; version++)
        gather_taken(v, version, &taken);
    for (unsigned version = 0; version < 2; version++)
        for (uint32_t i = 0; i < v->fns.n; i++)
            if (v->fns.v[i].fn[version] != IR_NONE)
                gather_calls(l, version, i, &taken, &edges);
    l->calls = graph_make(l->arena, v->fns.n, &edges);
    l->component = graph_components(l->arena, &l->calls, &count);
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = 0; i < v->fns.n; i++)
            if (l->component[i] == c)
                vec_push(&l->order, i);
    vec_free(&edges);
    bitset_free(&taken);
}

/* ---- globals that a function finds in any state ---------------------------------------------- */

static uint32_t global_pair(const Versions *v, unsigned version, uint32_t global)
{
    for (uint32_t i = 0; i < v->globals.n; i++)
        if (v->globals.v[i].global[version] == global)
            return i;
    return IR_NONE;
}

void diff_find_written(Levels *l, unsigned version)
{
    const Versions *v = l->d->versions;
    Flow *flow = flow_new(v->program[version], NULL);
    for (uint32_t i = 0; i < v->fns.n; i++) {
        uint32_t fn = v->fns.v[i].fn[version];
        FlowPlaces places = fn == IR_NONE ? (FlowPlaces){0} : flow_fn_writes(flow, fn);
        for (uint32_t k = 0; k < places.n; k++) {
            const FlowObject *o = places.v[k].param == IR_NONE ? flow_object(flow, places.v[k].object) : NULL;
            l->any_written |= o && o->kind == FLOW_ANY;
            uint32_t pair = o && o->kind == FLOW_GLOBAL ? global_pair(v, version, o->index) : IR_NONE;
            if (pair != IR_NONE)
                bitset_add(&l->written, pair);
        }
    }
    flow_free(flow);
}

const char *diff_free_globals(Levels *l, const VersionsFn *f, StrVec *out)
{
    const Versions *v = l->d->versions;
    BitSet read = {0};
    const char *bound = NULL;
    for (unsigned version = 0; version < 2; version++) {
        FlowOptions o = {.entry = f->fn[version], .lazy_inputs = true};
        Flow *flow = flow_new(v->program[version], &o);
        FlowPlaces places = flow_fn_reads(flow, f->fn[version]);
        for (uint32_t k = 0; k < places.n; k++) {
            const FlowObject *at =
                places.v[k].param == IR_NONE ? flow_object(flow, places.v[k].object) : NULL;
            for (uint32_t g = 0; at && at->kind == FLOW_ANY && g < v->globals.n; g++)
                if (l->any_written || bitset_has(&l->written, g))
                    bitset_add(&read, g);
            uint32_t pair = at && at->kind == FLOW_GLOBAL && !flow_is_state(places.v[k].object)
                                ? global_pair(v, version, at->index)
                                : IR_NONE;
            if (pair != IR_NONE && (l->any_written || bitset_has(&l->written, pair)))
                bitset_add(&read, pair);
        }
        flow_free(flow);
    }
    for (uint32_t i = bitset_next(&read, 0); i != UINT32_MAX; i = bitset_next(&read, i + 1)) {
        const VersionsGlobal *g = &v->globals.v[i];
        const IrGlobal *old = g->global[0] == IR_NONE ? NULL : &v->program[0]->globals.v[g->global[0]];
        const IrGlobal *new = g->global[1] == IR_NONE ? NULL : &v->program[1]->globals.v[g->global[1]];
        const char *name = new ? ir_text(v->program[1], new->name) : ir_text(v->program[0], old->name);
        if ((!old || old->constant) && (!new || new->constant))
            continue;
        if (old && new && g->identical && !new->constant && !old->constant &&new->size == old->size &&
            !strcmp(name, ir_text(v->program[0], old->name)))
            vec_push(out, name);
        else
            bound = name;
    }
    bitset_free(&read);
    return bound;
}
