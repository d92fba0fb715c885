/* outline.c - loops that both versions have become functions of both: see outline.h. Which loop of OLD is
 * which of NEW is not asked: equal code is the same function, wherever it stands. So a loop that was moved to
 * another function is still the same one. */
#include "versions/outline.h"

typedef Vec(Outline) OutlineVec;

typedef struct Outlining {
    IrProgram *program[2];
    OutlineVec loops[2]; /* candidates, in the order of functions and of their blocks */
    Map known[2];        /* hash of code: a loop of that version has it */
    Map named;           /* hash of code to 1 + index into names */
    StrVec names;        /* of functions of both, in the arena */
    Arena *arena;
} Outlining;

static uint64_t code_hash(const OutlineValue *v)
{
    return hash_mix(v->code.n, hash_bytes(v->code.v, v->code.n * sizeof *v->code.v));
}

/* ---- candidates ------------------------------------------------------------------------------ */

static void add_candidates(Outlining *x, unsigned version, Totals *t, uint32_t fn)
{
    IrProgram *p = x->program[version];
    Arena *a = arena_new();
    const IrLive *live = ir_live_find(&p->fns.v[fn], NULL, a);
    U32Vec order = {0};
    pair_order(&p->fns.v[fn], &order);
    for (uint32_t i = 0; i < order.n; i++)
        for (uint32_t k = 0; k < p->fns.v[fn].loops.n; k++) {
            Outline o = {0};
            if (p->fns.v[fn].loops.v[k].header != order.v[i])
                continue;
            if (!outline_find(t, fn, k, live, &o)) {
                outline_free(&o);
                continue;
            }
            outline_copy(p, live, &o);
            for (uint32_t v = 0; v < o.values.n; v++)
                map_put(&x->known[version], code_hash(&o.values.v[v]), 1);
            vec_push(&x->loops[version], o);
        }
    vec_free(&order);
    arena_free(a);
}

static void find_candidates(Outlining *x, unsigned version, uint64_t checks)
{
    IrProgram *p = x->program[version];
    Flow *flow = flow_new(p, NULL);
    Totals t;
    totals_init(&t, p, flow, checks, 0);
    for (uint32_t i = 0; i < p->fns.n; i++)
        if (p->fns.v[i].defined && !p->fns.v[i].runtime && !p->fns.v[i].driver && p->fns.v[i].loops.n)
            add_candidates(x, version, &t, i);
    totals_free(&t);
    flow_free(flow);
}

/* ---- what both have -------------------------------------------------------------------------- */

static bool is_shared(const Outlining *x, const Outline *o)
{
    for (uint32_t i = 0; i < o->values.n; i++) {
        uint64_t hash = code_hash(&o->values.v[i]), at;
        if (!map_get(&x->known[VERSIONS_OLD], hash, &at) || !map_get(&x->known[VERSIONS_NEW], hash, &at))
            return false;
    }
    return true;
}

/* Is it within a loop that was rewritten? */
static bool is_gone(const Outline *o, const Outline *last)
{
    return last && last->fn == o->fn && bitset_has(&last->inside, o->blocks.v[0]);
}

/* "sum.loop12": the variable, and the line where the loop begins in NEW. */
static const char *make_name(const Outlining *x, unsigned version, const Outline *o, const OutlineValue *v)
{
    const IrProgram *p = x->program[version];
    uint32_t named = v->reg == IR_NONE ? 0 : p->fns.v[o->fn].regs.v[v->reg].name,
             line = v->fn.site == IR_NONE ? 0 : p->sites.v[v->fn.site].line;
    const char *value = v->kind == OUTLINE_WHICH ? "end" : named ? ir_text(p, named) : "value";
    const char *name = arena_printf(x->arena, "%s.loop%u", value, line);
    for (unsigned i = 2; ir_fn_find(x->program[VERSIONS_OLD], name) != IR_NONE ||
                         ir_fn_find(x->program[VERSIONS_NEW], name) != IR_NONE;
         i++)
        name = arena_printf(x->arena, "%s.loop%u.%u", value, line, i);
    return name;
}

/* The function of that version with the value's code. */
static uint32_t callee_of(Outlining *x, unsigned version, const Outline *o, OutlineValue *v)
{
    IrProgram *p = x->program[version];
    uint64_t *at = map_at(&x->named, code_hash(v));
    if (!*at) {
        vec_push(&x->names, make_name(x, version, o, v));
        *at = x->names.n;
    }
    uint32_t index = ir_fn_get(p, x->names.v[*at - 1]), name = p->fns.v[index].name;
    if (!p->fns.v[index].defined) {
        p->fns.v[index] = v->fn;
        p->fns.v[index].name = name;
        v->fn = (IrFn){0};
    }
    return index;
}

static void rewrite_shared(Outlining *x, unsigned version)
{
    IrProgram *p = x->program[version];
    const Outline *last = NULL;
    BitSet changed = {0};
    U32Vec callees = {0};
    for (uint32_t i = 0; i < x->loops[version].n; i++) {
        Outline *o = &x->loops[version].v[i];
        if (is_gone(o, last) || !is_shared(x, o))
            continue;
        vec_clear(&callees);
        for (uint32_t k = 0; k < o->values.n; k++)
            vec_push(&callees, callee_of(x, version, o, &o->values.v[k]));
        outline_rewrite(p, o, &callees);
        bitset_add(&changed, o->fn);
        last = o;
    }
    for (uint32_t f = bitset_next(&changed, 0); f != UINT32_MAX; f = bitset_next(&changed, f + 1))
        ir_fn_index(&p->fns.v[f]);
    vec_free(&callees);
    bitset_free(&changed);
}

void versions_outline(IrProgram *old, IrProgram *new, uint64_t checks)
{
    Outlining x = {.program = {old, new}, .arena = arena_new()};
    for (unsigned v = 0; v < 2; v++)
        find_candidates(&x, v, checks);
    for (unsigned v = 2; v-- > 0;) /* names are NEW's */
        rewrite_shared(&x, v);
    for (unsigned v = 0; v < 2; v++) {
        for (uint32_t i = 0; i < x.loops[v].n; i++)
            outline_free(&x.loops[v].v[i]);
        vec_free(&x.loops[v]);
        map_free(&x.known[v]);
    }
    map_free(&x.named);
    vec_free(&x.names);
    arena_free(x.arena);
}
