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

/* ---- volatile accesses ----------------------------------------------------------------------- */

/* A volatile variable of the function's own is not changed from outside. */
static bool has_volatile(const IrFn *fn)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            const IrInsn *from = insn->flags & IR_VOLATILE ? ir_reg_def(fn, insn->a) : NULL;
            if (insn->flags & IR_VOLATILE && !(from && from->op == IR_ALLOCA))
                return true;
        }
    return false;
}

bool diff_is_volatile(const Levels *l, uint32_t pair)
{
    const Versions *v = l->d->versions;
    BitSet seen = {0};
    U32Vec work = {0};
    bool found = false;
    bitset_add(&seen, pair);
    vec_push(&work, pair);
    for (uint32_t at = 0; at < work.n && !found; at++) {
        uint32_t of = work.v[at];
        for (unsigned version = 0; version < 2; version++) {
            uint32_t fn = v->fns.v[of].fn[version];
            found |= fn != IR_NONE && has_volatile(&v->program[version]->fns.v[fn]);
        }
        for (uint32_t i = l->calls.start[of]; i < l->calls.start[of + 1]; i++)
            if (bitset_add(&seen, l->calls.to[i]))
                vec_push(&work, l->calls.to[i]);
    }
    bitset_free(&seen);
    vec_free(&work);
    return found;
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

/* Is it a variable of libc's that can be an input? Only errno is: what else libc keeps has no name outside.
 */
static bool is_errno(const IrProgram *p, const IrGlobal *g)
{
    return g->runtime && !strcmp(ir_text(p, g->name), "errno");
}

/* What a function may touch among globals: by pair, and errno. */
typedef struct Touched {
    BitSet read, written;
    bool number; /* errno */
} Touched;

static void touch(Levels *l, unsigned version, Flow *flow, FlowPlaces places, BitSet *pairs, Touched *t)
{
    const Versions *v = l->d->versions;
    for (uint32_t k = 0; k < places.n; k++) {
        const FlowObject *at = places.v[k].param == IR_NONE ? flow_object(flow, places.v[k].object) : NULL;
        for (uint32_t g = 0; at && at->kind == FLOW_ANY && g < v->globals.n; g++)
            if (l->any_written || bitset_has(&l->written, g))
                bitset_add(pairs, g);
        if (!at || at->kind != FLOW_GLOBAL || flow_is_state(places.v[k].object))
            continue;
        uint32_t pair = global_pair(v, version, at->index);
        if (pair != IR_NONE && (l->any_written || bitset_has(&l->written, pair)))
            bitset_add(pairs, pair);
        t->number |= is_errno(v->program[version], &v->program[version]->globals.v[at->index]);
    }
}

static void find_touched(Levels *l, const VersionsFn *f, Touched *t)
{
    for (unsigned version = 0; version < 2; version++) {
        FlowOptions o = {.entry = f->fn[version], .lazy_inputs = true};
        Flow *flow = flow_new(l->d->versions->program[version], &o);
        touch(l, version, flow, flow_fn_reads(flow, f->fn[version]), &t->read, t);
        touch(l, version, flow, flow_fn_writes(flow, f->fn[version]), &t->written, t);
        flow_free(flow);
    }
}

/* Its name, if it is the same variable in both. */
static const char *common_name(const Versions *v, const VersionsGlobal *g, bool *constant)
{
    const IrGlobal *old = g->global[0] == IR_NONE ? NULL : &v->program[0]->globals.v[g->global[0]];
    const IrGlobal *new = g->global[1] == IR_NONE ? NULL : &v->program[1]->globals.v[g->global[1]];
    const char *name = new ? ir_text(v->program[1], new->name) : ir_text(v->program[0], old->name);
    *constant = (!old || old->constant) && (!new || new->constant);
    bool same = old && new && g->identical && !new->constant && !old->constant &&new->size == old->size &&
                !strcmp(name, ir_text(v->program[0], old->name));
    return same ? name : NULL;
}

const char *diff_free_globals(Levels *l, const VersionsFn *f, StrVec *out)
{
    const Versions *v = l->d->versions;
    Touched t = {0};
    const char *bound = NULL;
    find_touched(l, f, &t);
    for (uint32_t i = 0; i < v->globals.n; i++) {
        const VersionsGlobal *g = &v->globals.v[i];
        unsigned version = g->global[VERSIONS_NEW] != IR_NONE ? VERSIONS_NEW : VERSIONS_OLD;
        bool constant, reads = bitset_has(&t.read, i);
        const char *name = common_name(v, g, &constant);
        if (constant || (!reads && !bitset_has(&t.written, i)))
            continue;
        if (name)
            vec_push(out, name);
        else if (reads)
            bound = ir_text(v->program[version], v->program[version]->globals.v[g->global[version]].name);
    }
    if (t.number)
        vec_push(out, "errno");
    bitset_free(&t.read);
    bitset_free(&t.written);
    return bound;
}
