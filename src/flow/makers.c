/* makers.c - what functions do with their pointers, and which of them make handles. */
#include "flow/flow.h"

enum { DEPTH_MOST = 6, PASSES = 3 };

struct FlowMakers {
    const IrProgram *p;
    Map known;   /* function and register to its use, as bits */
    Map returns; /* to the offset at which the pointer is returned, if it is */
};

enum { WRITES = 1, FREES = 2, NEGATIVE = 4, FILLS = 8 };

/* A register that came from the parameter: the pointer itself some bytes further, or one that was loaded from
 * what it leads to. */
typedef enum Way { WAY_NONE, WAY_SELF, WAY_SELF_SOMEWHERE, WAY_BEHIND } Way;

typedef struct Scan {
    FlowMakers *m;
    const IrFn *fn;
    Map way, offset;
    uint32_t depth;
    unsigned use;
    bool used, returned;
    int64_t at; /* where */
} Scan;

static unsigned use_of(FlowMakers *m, uint32_t fn, uint32_t reg, uint32_t depth);

static Way way_of(const Scan *s, uint32_t reg) { return (Way)map_get_or(&s->way, reg, WAY_NONE); }

static void set_way(Scan *s, uint32_t reg, Way way, int64_t offset)
{
    map_put(&s->way, reg, way);
    map_put(&s->offset, reg, (uint64_t)offset);
}

static int64_t offset_of(const Scan *s, uint32_t reg) { return (int64_t)map_get_or(&s->offset, reg, 0); }

static void scan_sum(Scan *s, const IrInsn *insn)
{
    const IrConst *by = ir_reg_const_of(s->fn, insn->b);
    Way way = way_of(s, insn->a);
    if (way == WAY_SELF && by) {
        int64_t scale = insn->op == IR_INDEX ? (int64_t)insn->c : 1;
        int64_t moved = (int64_t)bits_signed(by->bits, s->fn->regs.v[insn->b].width) * scale;
        set_way(s, insn->dst, WAY_SELF, offset_of(s, insn->a) + moved);
    } else if (way == WAY_SELF) {
        set_way(s, insn->dst, WAY_SELF_SOMEWHERE, 0);
    } else if (way != WAY_NONE) {
        set_way(s, insn->dst, way, 0);
    }
}

static void scan_merge(Scan *s, uint32_t dst, uint32_t from)
{
    Way way = way_of(s, from), before = way_of(s, dst);
    if (way == WAY_NONE)
        return;
    if (before == WAY_NONE)
        set_way(s, dst, way, offset_of(s, from));
    else if (before != way || offset_of(s, dst) != offset_of(s, from))
        set_way(s, dst, before == WAY_BEHIND && way == WAY_BEHIND ? WAY_BEHIND : WAY_SELF_SOMEWHERE, 0);
}

/* The address is read from, or written to. */
static void access(Scan *s, uint32_t reg, bool write)
{
    Way way = way_of(s, reg);
    if (way == WAY_NONE)
        return;
    if (!s->used && write)
        s->use |= FILLS;
    s->used = true;
    if (write)
        s->use |= WRITES;
    if (way == WAY_SELF && offset_of(s, reg) < 0)
        s->use |= NEGATIVE;
}

static bool frees_it(const IrProgram *p, uint32_t fn)
{
    static const char *const names[] = {"free", "realloc", "reallocarray", "cfree"};
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(ir_text(p, p->fns.v[fn].name), names[i]))
            return true;
    return false;
}

static void scan_call(Scan *s, const IrInsn *insn)
{
    IrCall call = ir_call_read(s->fn, insn);
    const IrFn *callee = &s->m->p->fns.v[insn->a];
    for (uint32_t i = 0; i < call.nargs; i++) {
        Way way = way_of(s, call.args[i]);
        if (way == WAY_NONE)
            continue;
        bool negative = way == WAY_SELF && offset_of(s, call.args[i]) < 0;
        if (frees_it(s->m->p, insn->a)) {
            s->use |= WRITES | (way == WAY_BEHIND ? 0 : FREES) | (negative ? NEGATIVE : 0);
            continue;
        }
        if (!callee->defined || i >= callee->nparams || s->depth >= DEPTH_MOST)
            continue;
        unsigned use = use_of(s->m, insn->a, i, s->depth + 1);
        if (use)
            access(s, call.args[i], use & WRITES);
        if (way != WAY_BEHIND)
            s->use |= use & (FREES | NEGATIVE);
        uint64_t at;
        if (call.ndst == 1 && map_get(&s->m->returns, (uint64_t)insn->a << 32 | i, &at))
            set_way(s, call.dst[0], way, offset_of(s, call.args[i]) + (int64_t)at);
    }
}

static void scan_insn(Scan *s, const IrInsn *insn)
{
    switch ((IrOp)insn->op) {
    case IR_OFFSET:
    case IR_INDEX: scan_sum(s, insn); break;
    case IR_LOAD:
        access(s, insn->a, false);
        if (way_of(s, insn->a) != WAY_NONE && insn->width == 64)
            set_way(s, insn->dst, WAY_BEHIND, 0);
        break;
    case IR_STORE: access(s, insn->a, true); break;
    case IR_PHI:
        for (uint32_t i = 0; i < s->fn->extra.v[insn->a]; i++)
            scan_merge(s, insn->dst, s->fn->extra.v[insn->a + 2 + 2 * i]);
        break;
    case IR_SELECT:
        scan_merge(s, insn->dst, insn->b);
        scan_merge(s, insn->dst, insn->c);
        break;
    case IR_MEMCPY:
    case IR_MEMMOVE: access(s, insn->b, false); /* fall through */
    case IR_MEMSET: access(s, insn->a, true); break;
    case IR_CALL: scan_call(s, insn); break;
    case IR_RET:
        if (s->fn->extra.v[insn->a] == 1 && way_of(s, s->fn->extra.v[insn->a + 1]) == WAY_SELF) {
            s->returned = true;
            s->at = offset_of(s, s->fn->extra.v[insn->a + 1]);
        }
        break;
    default: break;
    }
}

static unsigned use_of(FlowMakers *m, uint32_t fn, uint32_t reg, uint32_t depth)
{
    uint64_t key = (uint64_t)fn << 32 | reg, known;
    if (map_get(&m->known, key, &known))
        return (unsigned)known;
    Scan s = {.m = m, .fn = &m->p->fns.v[fn], .depth = depth};
    map_put(&m->known, key, 0); /* recursion adds nothing */
    set_way(&s, reg, WAY_SELF, 0);
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 0; i < s.fn->blocks.n; i++)
            for (uint32_t k = 0; k < s.fn->blocks.v[i].insns.n; k++)
                scan_insn(&s, &s.fn->blocks.v[i].insns.v[k]);
    map_free(&s.way);
    map_free(&s.offset);
    map_put(&m->known, key, s.use);
    if (s.returned)
        map_put(&m->returns, key, (uint64_t)s.at);
    return s.use;
}

FlowPointerUse flow_pointer_use(FlowMakers *m, uint32_t fn, uint32_t reg)
{
    unsigned use = use_of(m, fn, reg, 0);
    return (FlowPointerUse){
        .writes = use & WRITES, .frees = use & FREES, .negative = use & NEGATIVE, .fills = use & FILLS};
}

FlowMakers *flow_makers_new(const IrProgram *program)
{
    FlowMakers *m = mem_zalloc(sizeof *m);
    m->p = program;
    return m;
}

void flow_makers_free(FlowMakers *m)
{
    map_free(&m->known);
    map_free(&m->returns);
    mem_free(m);
}

/* ---- pointers into an allocation -------------------------------------------------------------- */

static bool returns_made(const FlowMakers *m, uint32_t fn, bool moved, uint32_t depth);

static bool allocates(const FlowMakers *m, uint32_t fn, uint32_t depth)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc"};
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(ir_text(m->p, m->p->fns.v[fn].name), names[i]))
            return true;
    return returns_made(m, fn, true, depth);
}

/* Is the value an address in what an allocation has made, and behind its start (unless it is `moved`
 * anyway)? */
static bool is_inside(const FlowMakers *m, const IrFn *fn, uint32_t reg, bool moved, uint32_t depth)
{
    const IrInsn *insn = depth < 2 * DEPTH_MOST ? ir_reg_def(fn, reg) : NULL;
    if (!insn)
        return false;
    bool inside = false;
    switch ((IrOp)insn->op) {
    case IR_OFFSET:
    case IR_INDEX: {
        const IrConst *by = ir_reg_const_of(fn, insn->b);
        bool forward = by && (int64_t)bits_signed(by->bits, fn->regs.v[insn->b].width) > 0;
        return is_inside(m, fn, insn->a, moved || forward, depth + 1);
    }
    case IR_PHI:
        for (uint32_t i = 0; i < fn->extra.v[insn->a] && !inside; i++)
            inside = is_inside(m, fn, fn->extra.v[insn->a + 2 + 2 * i], moved, depth + 1);
        return inside;
    case IR_SELECT:
        return is_inside(m, fn, insn->b, moved, depth + 1) || is_inside(m, fn, insn->c, moved, depth + 1);
    case IR_CALL:
        return (moved && allocates(m, insn->a, depth + 1)) || returns_made(m, insn->a, false, depth + 1);
    default: return false;
    }
}

static bool returns_made(const FlowMakers *m, uint32_t f, bool moved, uint32_t depth)
{
    const IrFn *fn = &m->p->fns.v[f];
    for (uint32_t i = 0; fn->defined && !fn->runtime && i < fn->blocks.n; i++) {
        if (!fn->blocks.v[i].insns.n)
            continue;
        const IrInsn *last = &vec_last(&fn->blocks.v[i].insns);
        if (last->op == IR_RET && fn->extra.v[last->a] == 1 &&
            is_inside(m, fn, fn->extra.v[last->a + 1], moved, depth))
            return true;
    }
    return false;
}

/* ---- types ------------------------------------------------------------------------------------ */

static const IrCType *ctype(const IrProgram *p, uint32_t type)
{
    static const IrCType unknown = {.kind = IR_C_UNKNOWN};
    return type && type < p->ctypes.n ? &p->ctypes.v[type] : &unknown;
}

/* Files have their own types: one name means one structure. */
static bool is_same(const IrProgram *p, uint32_t a, uint32_t b)
{
    const IrCType *x = ctype(p, a), *y = ctype(p, b);
    if (a == b || x->kind != y->kind)
        return a == b;
    return x->kind == IR_C_RECORD ? x->name && x->name == y->name
                                  : x->kind != IR_C_POINTER && x->kind != IR_C_ARRAY && x->size == y->size;
}

uint32_t flow_parameter_register(const IrFn *fn, uint32_t number)
{
    for (uint32_t i = 0; i < fn->nparams; i += ir_param_parts(fn, i)) {
        IrParamKind kind = ir_param(fn, i).kind;
        if (kind != IR_PARAM_SRET && number-- == 0)
            return kind == IR_PARAM_PLAIN && fn->regs.v[i].width == 64 ? i : IR_NONE;
    }
    return IR_NONE;
}

static uint32_t parameter_count(const IrFn *fn)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < fn->nparams; i += ir_param_parts(fn, i))
        n += ir_param(fn, i).kind != IR_PARAM_SRET;
    return n;
}

static const IrCType *parameter_type(const IrProgram *p, const IrFn *fn, uint32_t number)
{
    return ctype(p, number + 1 < fn->ctypes.n ? fn->ctypes.v[number + 1] : 0);
}

static bool points_to(const IrProgram *p, const IrCType *t, uint32_t type)
{
    return t->kind == IR_C_POINTER && !t->to_function && t->of && is_same(p, t->of, type);
}

/* Which parameter points to the type, or to a pointer to it; IR_NONE: none. */
static uint32_t parameter_of(const IrProgram *p, const IrFn *fn, uint32_t type, bool twice)
{
    for (uint32_t i = 0; i < parameter_count(fn); i++) {
        const IrCType *t = parameter_type(p, fn, i);
        if (twice && t->kind == IR_C_POINTER && !t->to_function)
            t = ctype(p, t->of);
        else if (twice)
            continue;
        if (points_to(p, t, type))
            return i;
    }
    return IR_NONE;
}

/* Can we make what it is called with? Streams, lists of arguments, and structures that are returned in memory
 * no. */
static bool can_call(const IrProgram *p, const IrFn *fn)
{
    if (!fn->defined || fn->runtime || fn->local || fn->driver || fn->variadic || fn->noreturn ||
        (fn->nparams && ir_param(fn, 0).kind == IR_PARAM_SRET) || !strcmp(ir_text(p, fn->name), "main"))
        return false;
    for (uint32_t i = 0; i < parameter_count(fn); i++) {
        const IrCType *t = parameter_type(p, fn, i);
        const IrCType *of = t->kind == IR_C_POINTER ? ctype(p, t->of) : t;
        for (uint32_t k = 0; of->kind == IR_C_RECORD && k < of->n; k++) {
            const char *member = ir_text(p, p->cmembers.v[of->first + k].name);
            if (!strcmp(member, "_IO_read_ptr") || !strcmp(member, "reg_save_area"))
                return false;
        }
    }
    return true;
}

/* ---- makers ----------------------------------------------------------------------------------- */

typedef struct Sought {
    FlowMakers *m;
    uint32_t type; /* what the handle points to */
    bool inside;   /* into an allocation, with a header before it */
} Sought;

static IrMaker maker(const FlowMakers *m, uint32_t fn, IrMakerKind kind, uint32_t place)
{
    return (IrMaker){.name = ir_text(m->p, m->p->fns.v[fn].name), .kind = kind, .place = place, .fn = fn};
}

/* A structure's name is enough; of characters, only a function that returns a place inside an allocation
 * makes a handle. */
static bool is_constructor(const Sought *s, uint32_t f, IrMaker *out)
{
    const IrProgram *p = s->m->p;
    const IrFn *fn = &p->fns.v[f];
    const IrCType *result = ctype(p, fn->ctypes.n ? fn->ctypes.v[0] : 0);
    if (!can_call(p, fn))
        return false;
    if (s->inside) {
        *out = maker(s->m, f, IR_MAKER_RETURNS, IR_NONE);
        uint32_t own = flow_parameter_register(fn, 0);
        bool takes = own != IR_NONE && parameter_of(p, fn, s->type, false) == 0 &&
                     flow_pointer_use(s->m, f, own).negative;
        return points_to(p, result, s->type) && !takes && returns_made(s->m, f, false, 0);
    }
    if (parameter_of(p, fn, s->type, false) != IR_NONE)
        return false;
    uint32_t place = parameter_of(p, fn, s->type, true);
    uint32_t reg = place != IR_NONE ? flow_parameter_register(fn, place) : IR_NONE;
    if (reg != IR_NONE && flow_pointer_use(s->m, f, reg).fills) {
        *out = maker(s->m, f, IR_MAKER_OUT, place);
        return true;
    }
    *out = maker(s->m, f, IR_MAKER_RETURNS, IR_NONE);
    return place == IR_NONE && points_to(p, result, s->type) && !result->to_const;
}

/* It gets the handle first and writes there. What it frees or moves it must return; what it only frees is
 * gone. */
static bool is_mutator(const Sought *s, uint32_t f, IrMaker *out)
{
    const IrProgram *p = s->m->p;
    const IrFn *fn = &p->fns.v[f];
    const IrCType *first = parameter_type(p, fn, 0);
    uint32_t reg = flow_parameter_register(fn, 0);
    if (!can_call(p, fn) || reg == IR_NONE || !points_to(p, first, s->type) || first->to_const)
        return false;
    FlowPointerUse use = flow_pointer_use(s->m, f, reg);
    bool returns = points_to(p, ctype(p, fn->ctypes.v[0]), s->type);
    *out = maker(s->m, f, use.frees ? IR_MAKER_MOVES : IR_MAKER_INIT, 0);
    return use.writes && (!use.frees || returns) && (!s->inside || use.negative);
}

/* Another handle of the kind among its parameters would have to be made, too. */
static bool takes_another(const Sought *s, uint32_t f, uint32_t place)
{
    const IrFn *fn = &s->m->p->fns.v[f];
    for (uint32_t i = 0; i < parameter_count(fn) && !s->inside; i++)
        if (i != place && points_to(s->m->p, parameter_type(s->m->p, fn, i), s->type))
            return true;
    return false;
}

static bool sought_of(FlowMakers *m, uint32_t fn, uint32_t number, Sought *out)
{
    const IrFn *ir = &m->p->fns.v[fn];
    const IrCType *t = parameter_type(m->p, ir, number);
    uint32_t reg = flow_parameter_register(ir, number);
    if (reg == IR_NONE || t->kind != IR_C_POINTER || t->to_function || !t->of)
        return false;
    *out = (Sought){.m = m, .type = t->of};
    out->inside = ctype(m->p, t->of)->kind != IR_C_RECORD && flow_pointer_use(m, fn, reg).negative;
    return true;
}

static bool is_before(const FlowMakers *m, uint32_t a, uint32_t b)
{
    const IrProgram *p = m->p;
    uint32_t x = p->fns.v[a].site, y = p->fns.v[b].site;
    if (x == IR_NONE || y == IR_NONE)
        return x != IR_NONE;
    int order = strcmp(ir_text(p, p->sites.v[x].file), ir_text(p, p->sites.v[y].file));
    return order ? order < 0 : p->sites.v[x].line < p->sites.v[y].line;
}

/* In the order of the source. */
static void insert(const FlowMakers *m, IrMakerVec *all, IrMaker one)
{
    uint32_t at = all->n;
    vec_push(all, one);
    for (; at && is_before(m, one.fn, all->v[at - 1].fn); at--)
        all->v[at] = all->v[at - 1];
    all->v[at] = one;
}

bool flow_makers_find(FlowMakers *m, uint32_t fn, uint32_t number, IrHandle *out)
{
    Sought s;
    IrMaker one;
    if (!sought_of(m, fn, number, &s) || (!s.inside && ctype(m->p, s.type)->kind != IR_C_RECORD))
        return false;
    uint32_t name = m->p->fns.v[fn].regs.v[flow_parameter_register(&m->p->fns.v[fn], number)].name;
    *out = (IrHandle){
        .name = name ? ir_text(m->p, name) : NULL, .number = number, .size = ctype(m->p, s.type)->size};
    for (uint32_t f = 0; f < m->p->fns.n; f++) {
        if (is_constructor(&s, f, &one))
            insert(m, &out->constructors, one);
        else if (is_mutator(&s, f, &one) && !takes_another(&s, f, 0))
            insert(m, &out->mutators, one);
    }
    return name && out->constructors.n;
}

bool flow_maker_named(FlowMakers *m, uint32_t fn, uint32_t number, const char *name, bool mutates,
                      IrMaker *out)
{
    Sought s;
    uint32_t f = ir_fn_find(m->p, name);
    if (f == IR_NONE || !sought_of(m, fn, number, &s) || !m->p->fns.v[f].defined)
        return false;
    const IrFn *maker_fn = &m->p->fns.v[f];
    bool first = points_to(m->p, parameter_type(m->p, maker_fn, 0), s.type);
    if (mutates)
        return first && (is_mutator(&s, f, out) || (*out = maker(m, f, IR_MAKER_INIT, 0), true));
    const IrCType *result = ctype(m->p, maker_fn->ctypes.n ? maker_fn->ctypes.v[0] : 0);
    uint32_t place = parameter_of(m->p, maker_fn, s.type, true);
    if (points_to(m->p, result, s.type))
        *out = maker(m, f, IR_MAKER_RETURNS, IR_NONE);
    else if (place != IR_NONE)
        *out = maker(m, f, IR_MAKER_OUT, place);
    else if (first && ctype(m->p, s.type)->size)
        *out = maker(m, f, IR_MAKER_INIT, 0);
    else
        return false;
    return true;
}
