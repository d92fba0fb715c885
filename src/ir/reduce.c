/* reduce.c - a program without what a run cannot come to: see ir.h. */
#include "ir/ir_int.h"

#include <stdlib.h>

typedef struct Reduction {
    IrProgram *p;
    BitSet fns, globals;           /* that stay, by their old numbers */
    bool bare_main;                /* main stays as a declaration: what calls it calls the entry instead */
    U32Vec fn_order, global_order; /* old numbers in the new order */
    U32Vec new_fn, new_global;     /* by old number */
    U32Vec new_site;               /* the same; IR_NONE: not used so far */
    Vec(IrSite) old_sites;
    U32Vec new_type; /* by old number; 0: not used so far */
    U32Vec types;    /* old numbers in the new order */
} Reduction;

/* ---- what stays ------------------------------------------------------------------------------ */

static void stay(Reduction *r, const char *fn)
{
    uint32_t found = ir_fn_find(r->p, fn);
    if (found != IR_NONE)
        ir_fn_reachable(r->p, found, &r->fns, &r->globals);
}

static void stay_all(Reduction *r, const U32Vec *fns)
{
    for (uint32_t i = 0; i < fns->n; i++)
        ir_fn_reachable(r->p, fns->v[i], &r->fns, &r->globals);
}

/* Start-up calls main; where the machine calls the entry instead, what main names is not reached. */
static void stay_from_start(Reduction *r, const char *entry)
{
    static const char *const starts[] = {"__sheaf_start", "main", "LLVMFuzzerTestOneInput",
                                         "LLVMFuzzerInitialize"};
    uint32_t main_fn = ir_fn_find(r->p, "main"), start = ir_fn_find(r->p, starts[0]);
    bool started = start != IR_NONE && r->p->fns.v[start].defined; /* else the machine itself calls main */
    if (entry)
        stay(r, entry);
    if (entry && !strcmp(entry, starts[2]))
        stay(r, starts[3]);
    if (entry && !started)
        stay(r, starts[1]);
    r->bare_main = entry && main_fn != IR_NONE && bitset_add(&r->fns, main_fn);
    if (entry)
        stay(r, starts[0]);
    for (size_t i = 0; !entry && i < COUNT_OF(starts); i++)
        stay(r, starts[i]);
}

/* The machine makes streams like this one, though no code names it. */
static void stay_by_name(Reduction *r)
{
    uint32_t stream = ir_global_find(r->p, "__sheaf_given_stream");
    if (stream != IR_NONE)
        ir_reachable(r->p, (IrConst){.kind = IR_CONST_GLOBAL, .index = stream}, &r->fns, &r->globals);
}

/* A site names the C function it is in, which is another one after inlining; messages ask for that one's
 * variables. True if one was missing. Inlined parts of models count as the model's (renumber_fn). */
static bool stay_by_sites(Reduction *r)
{
    const IrProgram *p = r->p;
    bool more = false;
    for (uint32_t f = bitset_next(&r->fns, 0); f != UINT32_MAX; f = bitset_next(&r->fns, f + 1))
        for (uint32_t b = 0; !p->fns.v[f].runtime && b < p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < p->fns.v[f].blocks.v[b].insns.n; i++) {
                uint32_t site = p->fns.v[f].blocks.v[b].insns.v[i].site;
                uint32_t named = site == IR_NONE ? IR_NONE : ir_fn_find(p, ir_text(p, p->sites.v[site].fn));
                if (named == IR_NONE || bitset_has(&r->fns, named))
                    continue;
                ir_fn_reachable(p, named, &r->fns, &r->globals);
                more = true;
            }
    return more;
}

static void find_what_stays(Reduction *r, const char *entry)
{
    const IrProgram *p = r->p;
    stay_from_start(r, entry);
    if (p->drive) {
        ir_fn_reachable(p, p->drive->fn, &r->fns, &r->globals);
        stay(r, p->drive->entry);
    }
    if (p->init != IR_NONE)
        ir_fn_reachable(p, p->init, &r->fns, &r->globals);
    stay_all(r, &p->constructors);
    stay_all(r, &p->destructors);
    stay_by_name(r);
    while (stay_by_sites(r))
        continue;
}

/* ---- what goes ------------------------------------------------------------------------------- */

static void add_lines(IrProgram *p, const IrFn *fn)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            uint32_t site = fn->blocks.v[b].insns.v[i].site;
            if (site != IR_NONE && p->sites.v[site].line)
                map_put(&p->removed.lines, ir_site_line(p, site), 0);
        }
}

/* Of the user's functions that go, what coverage is measured against. */
static void count_removed(Reduction *r)
{
    IrProgram *p = r->p;
    U32Vec sides = {0};
    for (uint32_t f = 0; f < p->fns.n; f++) {
        const IrFn *fn = &p->fns.v[f];
        bool goes = !bitset_has(&r->fns, f) && fn->defined && !fn->runtime && !fn->driver;
        for (uint32_t b = 0; goes && b < fn->blocks.n; b++)
            p->removed.branches += ir_block_sides(fn, b, &sides);
        p->removed.blocks += goes ? fn->blocks.n : 0;
        if (goes)
            add_lines(p, fn);
    }
    vec_free(&sides);
}

/* Of variables that stay it is still known whether code may have written them before a call of the entry. */
static void note_written(Reduction *r)
{
    BitSet written = {0};
    ir_program_written(r->p, &written);
    for (uint32_t g = 0; g < r->p->globals.n; g++)
        r->p->globals.v[g].written |= bitset_has(&written, g);
    bitset_free(&written);
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct Place {
    const char *name; /* NULL: of the user's, which stay in their order */
    uint32_t old;
} Place;
typedef Vec(Place) PlaceVec;

static int by_name(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (!x->name || !y->name)
        return x->name ? 1 : y->name ? -1 : x->old < y->old ? -1 : x->old > y->old;
    return strcmp(x->name, y->name);
}

/* What comes from models, or is declared only, stands in the order in which all code came to it: such things
 * are ordered by name, so that the order does not depend on code that goes. */
static void order_places(PlaceVec *places, uint32_t n, U32Vec *order, U32Vec *renumbered)
{
    if (places->n)
        qsort(places->v, places->n, sizeof *places->v, by_name);
    for (uint32_t i = 0; i < n; i++)
        vec_push(renumbered, IR_NONE);
    for (uint32_t i = 0; i < places->n; i++) {
        vec_push(order, places->v[i].old);
        renumbered->v[places->v[i].old] = i;
    }
    vec_free(places);
}

/* A string literal's name counts literals, of all code. */
static bool is_literal(const IrProgram *p, const IrGlobal *g)
{
    const char *name = ir_text(p, g->name);
    return g->local && g->constant && !g->relocs.n && text_starts_with(name, ".str") &&
           strspn(name + 4, ".0123456789") == strlen(name + 4);
}

static const char *name_to_order_by(const IrProgram *p, const IrGlobal *g)
{
    if (g->defined && !g->runtime)
        return NULL;
    if (!is_literal(p, g))
        return ir_text(p, g->name);
    uint64_t text = g->bytes ? hash_bytes(g->bytes, g->size) : 0;
    return arena_printf(p->arena, ".str %llu %llx", (unsigned long long)g->size, (unsigned long long)text);
}

static void order_all(Reduction *r)
{
    const IrProgram *p = r->p;
    PlaceVec fns = {0}, globals = {0};
    for (uint32_t f = bitset_next(&r->fns, 0); f != UINT32_MAX; f = bitset_next(&r->fns, f + 1)) {
        const IrFn *fn = &p->fns.v[f];
        bool users = fn->defined && !fn->runtime;
        vec_push(&fns, ((Place){users ? NULL : ir_text(p, fn->name), f}));
    }
    for (uint32_t g = bitset_next(&r->globals, 0); g != UINT32_MAX; g = bitset_next(&r->globals, g + 1)) {
        vec_push(&globals, ((Place){name_to_order_by(p, &p->globals.v[g]), g}));
    }
    order_places(&fns, p->fns.n, &r->fn_order, &r->new_fn);
    order_places(&globals, p->globals.n, &r->global_order, &r->new_global);
}

/* ---- references ------------------------------------------------------------------------------ */

static void renumber_const(const Reduction *r, IrConst *c)
{
    if (c->kind == IR_CONST_FN || c->kind == IR_CONST_BLOCK)
        c->index = r->new_fn.v[c->index];
    if (c->kind == IR_CONST_GLOBAL)
        c->index = r->new_global.v[c->index];
}

static void renumber_site(Reduction *r, uint32_t *site)
{
    if (*site == IR_NONE)
        return;
    uint32_t *now = &r->new_site.v[*site];
    if (*now == IR_NONE) {
        IrSite s = r->old_sites.v[*site];
        IrProgram *p = r->p;
        *now = ir_site_add(p, ir_text(p, s.file), s.line, s.column, ir_text(p, s.fn));
    }
    *site = *now;
}

/* Whether the function that was inlined is there as well depends on other code: the model stands for it. */
static void renumber_site_of_model(const Reduction *r, const IrFn *fn, uint32_t *site)
{
    IrProgram *p = r->p;
    if (*site == IR_NONE)
        return;
    IrSite s = r->old_sites.v[*site];
    *site = ir_site_add(p, ir_text(p, s.file), s.line, s.column, ir_text(p, fn->name));
}

static void renumber_fn(Reduction *r, IrFn *fn)
{
    renumber_site(r, &fn->site);
    map_clear(&fn->const_regs);
    for (uint32_t i = 0; i < fn->consts.n; i++)
        renumber_const(r, &fn->consts.v[i]);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (fn->runtime)
                renumber_site_of_model(r, fn, &insn->site);
            else
                renumber_site(r, &insn->site);
            if (insn->op == IR_CALL)
                insn->a = r->new_fn.v[insn->a];
        }
}

static void renumber_global(Reduction *r, IrGlobal *g)
{
    renumber_site(r, &g->site);
    for (uint32_t i = 0; i < g->relocs.n; i++)
        renumber_const(r, &g->relocs.v[i].value);
}

static void renumber_makers(const Reduction *r, IrMakerVec *makers)
{
    for (uint32_t i = 0; i < makers->n; i++)
        if (makers->v[i].fn != IR_NONE)
            makers->v[i].fn = r->new_fn.v[makers->v[i].fn];
}

static void renumber_drive(const Reduction *r, IrDrive *d)
{
    d->fn = r->new_fn.v[d->fn];
    for (uint32_t i = 0; i < d->handles.n; i++) {
        renumber_makers(r, &d->handles.v[i].constructors);
        renumber_makers(r, &d->handles.v[i].mutators);
    }
}

/* ---- the program anew ------------------------------------------------------------------------ */

static void take_fns(Reduction *r)
{
    IrProgram *p = r->p;
    IrFn *old = p->fns.v;
    uint32_t n = p->fns.n;
    memset(&p->fns, 0, sizeof p->fns);
    strmap_free(&p->fn_by_name);
    for (uint32_t f = 0; f < n; f++)
        if (r->new_fn.v[f] == IR_NONE)
            ir_fn_free(&old[f]);
    for (uint32_t i = 0; i < r->fn_order.n; i++) {
        vec_push(&p->fns, old[r->fn_order.v[i]]);
        strmap_put(&p->fn_by_name, ir_text(p, p->fns.v[i].name), i);
    }
    mem_free(old);
}

static void take_globals(Reduction *r)
{
    IrProgram *p = r->p;
    IrGlobal *old = p->globals.v;
    uint32_t n = p->globals.n;
    memset(&p->globals, 0, sizeof p->globals);
    strmap_free(&p->global_by_name);
    for (uint32_t g = 0; g < n; g++)
        if (r->new_global.v[g] == IR_NONE)
            vec_free(&old[g].relocs);
    for (uint32_t i = 0, literals = 0; i < r->global_order.n; i++) {
        vec_push(&p->globals, old[r->global_order.v[i]]);
        IrGlobal *g = &p->globals.v[i];
        if (is_literal(p, g) && !literals++)
            g->name = ir_string(p, ".str");
        else if (is_literal(p, g))
            g->name = ir_string(p, arena_printf(p->arena, ".str.%u", literals - 1));
        strmap_put(&p->global_by_name, ir_text(p, p->globals.v[i].name), i);
    }
    mem_free(old);
}

/* Types of what calls name, in the order of the new sites. */
static void take_call_types(Reduction *r)
{
    Map old = r->p->call_ctypes;
    uint64_t type;
    r->p->call_ctypes = (Map){0};
    U32Vec at = {0};
    for (uint32_t s = 0; s < r->p->sites.n; s++)
        vec_push(&at, IR_NONE);
    for (uint32_t s = 0; s < r->new_site.n; s++)
        if (r->new_site.v[s] != IR_NONE)
            at.v[r->new_site.v[s]] = s;
    for (uint32_t s = 0; s < at.n; s++)
        if (map_get(&old, at.v[s], &type))
            map_put(&r->p->call_ctypes, s, type);
    vec_free(&at);
    map_free(&old);
}

/* ---- C's types ------------------------------------------------------------------------------- */

static void renumber_type(Reduction *r, uint32_t *type)
{
    uint32_t *now = &r->new_type.v[*type];
    if (*type && !*now) {
        *now = r->types.n;
        vec_push(&r->types, *type);
    }
    *type = *now;
}

static void renumber_named_types(Reduction *r)
{
    IrProgram *p = r->p;
    uint64_t type;
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t i = 0; i < p->fns.v[f].ctypes.n; i++)
            renumber_type(r, &p->fns.v[f].ctypes.v[i]);
    for (uint32_t g = 0; g < p->globals.n; g++)
        renumber_type(r, &p->globals.v[g].ctype);
    for (uint32_t s = 0; s < p->sites.n; s++)
        if (map_get(&p->call_ctypes, s, &type)) {
            uint32_t number = (uint32_t)type;
            renumber_type(r, &number);
            map_put(&p->call_ctypes, s, number);
        }
}

/* Types that what stays has, and those that they consist of, in the order in which they are met. */
static void take_types(Reduction *r)
{
    IrProgram *p = r->p;
    if (!p->ctypes.n || p->output_ctypes.entries.n)
        return;
    for (uint32_t i = 0; i < p->ctypes.n; i++)
        vec_push(&r->new_type, 0);
    vec_push(&r->types, 0);
    renumber_named_types(r);
    Vec(IrCType) types = {0};
    Vec(IrCMember) members = {0};
    for (uint32_t i = 0; i < r->types.n; i++) {
        IrCType t = p->ctypes.v[r->types.v[i]];
        uint32_t first = t.first;
        renumber_type(r, &t.of);
        renumber_type(r, &t.returns);
        t.first = members.n;
        for (uint32_t k = 0; k < t.n; k++) {
            IrCMember m = p->cmembers.v[first + k];
            renumber_type(r, &m.type);
            vec_push(&members, m);
        }
        vec_push(&types, t);
    }
    vec_clear(&p->ctypes);
    for (uint32_t i = 0; i < types.n; i++)
        vec_push(&p->ctypes, types.v[i]);
    vec_clear(&p->cmembers);
    for (uint32_t i = 0; i < members.n; i++)
        vec_push(&p->cmembers, members.v[i]);
    vec_free(&types);
    vec_free(&members);
}

/* A declaration with the parameters and results that it had. */
static void strip(IrFn *fn)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        vec_free(&fn->blocks.v[b].insns);
    vec_clear(&fn->blocks);
    vec_clear(&fn->consts);
    vec_clear(&fn->extra);
    vec_clear(&fn->loops);
    vec_clear(&fn->loop_of);
    map_clear(&fn->tags);
    fn->regs.n = fn->nparams;
    fn->defined = false;
}

static void renumber_all(Reduction *r)
{
    IrProgram *p = r->p;
    for (uint32_t s = 0; s < p->sites.n; s++) {
        vec_push(&r->old_sites, p->sites.v[s]);
        vec_push(&r->new_site, IR_NONE);
    }
    vec_clear(&p->sites);
    map_clear(&p->site_index);
    for (uint32_t f = 0; f < p->fns.n; f++)
        renumber_fn(r, &p->fns.v[f]);
    for (uint32_t g = 0; g < p->globals.n; g++)
        renumber_global(r, &p->globals.v[g]);
    p->init = p->init == IR_NONE ? IR_NONE : r->new_fn.v[p->init];
    for (uint32_t i = 0; i < p->constructors.n; i++)
        p->constructors.v[i] = r->new_fn.v[p->constructors.v[i]];
    for (uint32_t i = 0; i < p->destructors.n; i++)
        p->destructors.v[i] = r->new_fn.v[p->destructors.v[i]];
    if (p->drive)
        renumber_drive(r, p->drive);
}

void ir_program_reduce(IrProgram *p, const char *entry)
{
    Reduction r = {.p = p};
    find_what_stays(&r, entry);
    count_removed(&r);
    if (entry)
        note_written(&r);
    if (r.bare_main)
        strip(&p->fns.v[ir_fn_find(p, "main")]);
    order_all(&r);
    take_fns(&r);
    take_globals(&r);
    renumber_all(&r);
    take_call_types(&r);
    take_types(&r);
    bitset_free(&r.fns);
    bitset_free(&r.globals);
    vec_free(&r.fn_order);
    vec_free(&r.global_order);
    vec_free(&r.new_fn);
    vec_free(&r.new_global);
    vec_free(&r.new_site);
    vec_free(&r.old_sites);
    vec_free(&r.new_type);
    vec_free(&r.types);
}
