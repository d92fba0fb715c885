/* points.c - translation of functions into nodes and edges, one instance at a time. */
#include "flow/points.h"

enum { STRIDE_DEPTH = 4 };

uint32_t points_instance(Points *p, uint32_t fn, bool shadow)
{
    uint32_t *first = &p->instances[fn].first[shadow];
    const IrFn *f = &p->program->fns.v[fn];
    if (*first)
        return *first;
    uint32_t n = f->regs.n + f->results.n;
    *first = p->nodes.n;
    for (uint32_t i = 0; i < n; i++)
        node_new(p);
    vec_push(&p->pending, fn * 2 + shadow);
    return p->instances[fn].first[shadow];
}

uint32_t points_reg(Points *p, uint32_t fn, uint32_t reg, bool shadow)
{
    return points_instance(p, fn, shadow) + reg;
}

void points_store(Points *p, uint32_t address, uint32_t value, uint64_t size, bool shadow)
{
    node_use(p, value,
             (Use){.kind = USE_STORED, .shadow = shadow, .other = address, .value = value, .size = size});
    node_use(p, address, (Use){.kind = USE_STORE, .shadow = shadow, .other = value, .size = size});
}

void points_copy(Points *p, uint32_t to, uint32_t from, uint64_t size, bool shadow)
{
    uint32_t hub = mem_hub(p);
    node_use(p, from, (Use){.kind = USE_COPY_FROM, .shadow = shadow, .other = hub, .size = size});
    node_use(p, to, (Use){.kind = USE_COPY_TO, .shadow = shadow, .other = hub, .size = size});
}

/* ---- one function ---------------------------------------------------------------------------- */

typedef struct Body {
    Points *p;
    const IrFn *fn;
    uint32_t index, first;
    bool shadow;
} Body;

static uint32_t reg_node(const Body *b, uint32_t reg) { return b->first + reg; }

static void add_constants(const Body *b)
{
    for (uint32_t r = 0; r < b->fn->regs.n; r++) {
        const IrConst *c = ir_reg_const_of(b->fn, r);
        if (c && c->kind == IR_CONST_GLOBAL)
            node_add_one(b->p, reg_node(b, r),
                         loc_make(object_global(b->p->flow, c->index), (int64_t)c->bits, 0));
        else if (c && c->kind == IR_CONST_FN)
            node_add_one(b->p, reg_node(b, r), loc_make(object_fn(c->index), 0, 0));
    }
}

static bool int_const(const Body *b, uint32_t reg, int64_t *value)
{
    const IrConst *c = ir_reg_const_of(b->fn, reg);
    if (!c || c->kind != IR_CONST_INT)
        return false;
    *value = (int64_t)bits_signed(c->bits, b->fn->regs.v[reg].width);
    return true;
}

/* A number that divides every value of the register: 1 if nothing better is known. 0: the register is 0. */
static uint64_t divisor(const Body *b, uint32_t reg, unsigned depth)
{
    int64_t value;
    if (int_const(b, reg, &value))
        return (uint64_t)(value < 0 ? -value : value);
    const IrInsn *d = ir_reg_def(b->fn, reg);
    if (!d || depth > STRIDE_DEPTH)
        return 1;
    switch ((IrOp)d->op) {
    case IR_MUL: {
        u128 product = (u128)divisor(b, d->a, depth + 1) * divisor(b, d->b, depth + 1);
        return product > UINT32_MAX ? 1 : (uint64_t)product;
    }
    case IR_SHL: return int_const(b, d->b, &value) && value >= 0 && value < 16 ? UINT64_C(1) << value : 1;
    case IR_ADD:
    case IR_SUB: return loc_gcd(divisor(b, d->a, depth + 1), divisor(b, d->b, depth + 1));
    case IR_SEXT:
    case IR_ZEXT: return divisor(b, d->a, depth + 1);
    default: return 1;
    }
}

static void edge(const Body *b, uint32_t from, uint32_t to, Move move)
{
    if (!ir_reg_const_of(b->fn, from) || b->p->nodes.v[node_find(b->p, reg_node(b, from))].all.n)
        node_edge(b->p, reg_node(b, from), reg_node(b, to), move);
}

static Move move_by(const Body *b, uint32_t reg, int64_t scale)
{
    int64_t value;
    if (int_const(b, reg, &value) && value < 1 << 24 && value > -(1 << 24) && scale < 1 << 24 &&
        value * scale < INT32_MAX && value * scale > INT32_MIN)
        return (Move){.by = (int32_t)(value * scale)};
    u128 stride = (u128)divisor(b, reg, 0) * (uint64_t)scale;
    if (stride <= 1 || stride >= 1 << LOC_STRIDE_BITS)
        return (Move){.flags = MOVE_ANYWHERE};
    return (Move){.stride = (uint16_t)stride};
}

/* The base says where a sum points. The other summand counts only where it could be the base itself: not
 * input bytes, and not an index that is scaled, unless the base is a number. */
static void add_sum(const Body *b, const IrInsn *insn)
{
    int64_t value, scale = insn->op == IR_INDEX ? (int64_t)insn->c : 1;
    bool number = int_const(b, insn->a, &value);
    edge(b, insn->a, insn->dst, move_by(b, insn->b, scale));
    if (number || (scale == 1 && insn->op == IR_OFFSET))
        edge(b, insn->b, insn->dst,
             number ? (Move){.by = value < INT32_MAX && value > INT32_MIN ? (int32_t)value : 0}
                    : (Move){.flags = MOVE_ANYWHERE | MOVE_NO_INPUT});
}

/* Is the register known to be a pointer by how it is made? */
static bool made_as_pointer(const Body *b, uint32_t reg)
{
    const IrInsn *d = ir_reg_def(b->fn, reg);
    return d && (d->op == IR_OFFSET || d->op == IR_INDEX || d->op == IR_ALLOCA);
}

static bool used_as_pointer(const Body *b, uint32_t reg, const uint8_t *addresses)
{
    return made_as_pointer(b, reg) || addresses[reg];
}

/* Parts of a pointer may be moved about; a pointer is put together and changed only in words of 64 bits. */
static void add_pure(const Body *b, const IrInsn *insn, const uint8_t *addresses)
{
    const Move anywhere = {.flags = MOVE_ANYWHERE | MOVE_NO_INPUT};
    bool copies = insn->op == IR_SELECT || insn->op == IR_TRUNC || insn->op == IR_ZEXT || insn->op == IR_SEXT;
    if (insn->width < 64 && !copies)
        return;
    switch ((IrOp)insn->op) {
    case IR_ADD: {
        int64_t value;
        if (int_const(b, insn->b, &value) || int_const(b, insn->a, &value)) {
            uint32_t which = int_const(b, insn->b, &value) ? insn->a : insn->b;
            bool fits = value < 1 << 24 && value > -(1 << 24);
            edge(b, which, insn->dst, fits ? (Move){.by = (int32_t)value} : (Move){.flags = MOVE_ANYWHERE});
            break;
        }
        edge(b, insn->a, insn->dst, anywhere);
        edge(b, insn->b, insn->dst, anywhere);
        break;
    }
    case IR_SUB:
        if (ir_reg_const_of(b->fn, insn->a) || !used_as_pointer(b, insn->a, addresses) ||
            !used_as_pointer(b, insn->b, addresses))
            edge(b, insn->a, insn->dst, anywhere);
        break;
    case IR_SELECT:
        edge(b, insn->b, insn->dst, (Move){0});
        edge(b, insn->c, insn->dst, (Move){0});
        break;
    case IR_TRUNC:
    case IR_ZEXT:
    case IR_SEXT: edge(b, insn->a, insn->dst, (Move){.flags = MOVE_NO_INPUT}); break;
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_UMIN:
    case IR_UMAX:
    case IR_SMIN:
    case IR_SMAX:
        edge(b, insn->a, insn->dst, anywhere);
        edge(b, insn->b, insn->dst, anywhere);
        break;
    case IR_FSHL:
    case IR_FSHR:
        edge(b, insn->a, insn->dst, anywhere);
        edge(b, insn->b, insn->dst, anywhere);
        break;
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR:
    case IR_BSWAP: edge(b, insn->a, insn->dst, anywhere); break;
    default: break;
    }
}

static uint32_t insn_object(const Body *b, FlowSite at, const IrInsn *insn)
{
    int64_t size;
    bool known = int_const(b, insn->a, &size);
    uint64_t key = flow_site_key(at), found;
    if (map_get(&b->p->heap, key, &found))
        return (uint32_t)found;
    uint32_t object = object_new(b->p->flow, (FlowObject){.kind = FLOW_STACK,
                                                          .at = at,
                                                          .caller = {IR_NONE, IR_NONE, IR_NONE},
                                                          .size = known ? (uint64_t)size : FLOW_WHOLE});
    map_put(&b->p->heap, key, object);
    return object;
}

static void add_vastart(const Body *b, const IrInsn *insn)
{
    /* overflow_arg_area and reg_save_area of the va_list */
    uint32_t area = node_new(b->p), first = node_new(b->p), second = node_new(b->p);
    node_edge(b->p, reg_node(b, insn->a), first, (Move){.by = 8});
    node_edge(b->p, reg_node(b, insn->a), second, (Move){.by = 16});
    node_add_one(b->p, area, loc_anywhere(object_varargs(b->p, b->index)));
    points_store(b->p, first, area, 8, b->shadow);
    points_store(b->p, second, area, 8, b->shadow);
}

static void add_insn(const Body *b, FlowSite at, const IrInsn *insn, const uint8_t *addresses)
{
    int64_t size;
    switch ((IrOp)insn->op) {
    case IR_PHI: {
        const uint32_t *list = &b->fn->extra.v[insn->a];
        for (uint32_t i = 0; i < list[0]; i++)
            edge(b, list[2 + 2 * i], insn->dst, (Move){0});
        break;
    }
    case IR_OFFSET:
    case IR_INDEX: add_sum(b, insn); break;
    case IR_ALLOCA:
        node_add_one(b->p, reg_node(b, insn->dst), loc_make(insn_object(b, at, insn), 0, 0));
        break;
    case IR_LOAD:
        node_use(b->p, reg_node(b, insn->a),
                 (Use){.kind = USE_LOAD,
                       .shadow = b->shadow,
                       .other = reg_node(b, insn->dst),
                       .size = (insn->width + 7u) / 8});
        break;
    case IR_STORE:
        points_store(b->p, reg_node(b, insn->a), reg_node(b, insn->b), (insn->width + 7u) / 8, b->shadow);
        break;
    case IR_MEMCPY:
    case IR_MEMMOVE:
        points_copy(b->p, reg_node(b, insn->a), reg_node(b, insn->b),
                    int_const(b, insn->c, &size) && size >= 0 ? (uint64_t)size : FLOW_WHOLE, b->shadow);
        break;
    case IR_VASTART: add_vastart(b, insn); break;
    case IR_CALL:
    case IR_CALLPTR: call_insn(b->p, at, b->shadow); break;
    default:
        if (ir_op_is_pure((IrOp)insn->op))
            add_pure(b, insn, addresses);
        break;
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* The call that made the value, if it is fresh memory: then each caller gets an object of its own. */
static bool fresh_call(const Body *b, uint32_t reg, FlowSite *at)
{
    const IrInsn *insn = ir_reg_def(b->fn, reg);
    *at = (FlowSite){b->index, b->fn->regs.v[reg].block, b->fn->regs.v[reg].insn};
    if (b->shadow || b->fn->runtime || !insn)
        return false;
    const Effects *e = insn->op == IR_CALL ? b->p->flow->effects[insn->a] : NULL;
    return e && effects_have(e, EFFECT_RETURN_NEW) && ir_call_read(b->fn, insn).ndst == 1;
}

/* Values behind a result, through phis and selects: what is fresh goes to the callers one by one, the rest by
 * an edge. */
static void add_result(const Body *b, uint32_t reg, uint32_t result)
{
    U32Vec work = {0};
    BitSet seen = {0};
    FlowSite at;
    vec_push(&work, reg);
    while (work.n) {
        uint32_t r = vec_pop(&work);
        const IrInsn *d = ir_reg_def(b->fn, r);
        if (!bitset_add(&seen, r))
            continue;
        if (fresh_call(b, r, &at)) {
            vec_push(&b->p->fresh[b->index], (Fresh){at, result});
        } else if (d && d->op == IR_PHI) {
            const uint32_t *list = &b->fn->extra.v[d->a];
            for (uint32_t i = 0; i < list[0]; i++)
                vec_push(&work, list[2 + 2 * i]);
        } else if (d && d->op == IR_SELECT) {
            vec_push(&work, d->b);
            vec_push(&work, d->c);
        } else {
            node_edge(b->p, reg_node(b, r), b->first + b->fn->regs.n + result, (Move){0});
        }
    }
    vec_free(&work);
    bitset_free(&seen);
}

static void add_results(const Body *b)
{
    for (uint32_t i = 0; i < b->fn->blocks.n; i++) {
        const IrInsn *last = &vec_last(&b->fn->blocks.v[i].insns);
        if (last->op != IR_RET)
            continue;
        const uint32_t *list = &b->fn->extra.v[last->a];
        for (uint32_t k = 0; k < list[0]; k++)
            add_result(b, list[1 + k], k);
    }
}

static uint8_t *find_addresses(const IrFn *fn)
{
    uint8_t *addresses = mem_zalloc(fn->regs.n + 1);
    for (uint32_t i = 0; i < fn->blocks.n; i++)
        for (uint32_t k = 0; k < fn->blocks.v[i].insns.n; k++) {
            const IrInsn *insn = &fn->blocks.v[i].insns.v[k];
            if (insn->op == IR_LOAD || insn->op == IR_STORE || insn->op == IR_OFFSET || insn->op == IR_INDEX)
                addresses[insn->a] = 1;
        }
    return addresses;
}

static void translate(Points *p, uint32_t index, bool shadow)
{
    const IrFn *fn = &p->program->fns.v[index];
    Body b = {.p = p, .fn = fn, .index = index, .first = p->instances[index].first[shadow], .shadow = shadow};
    if (!fn->defined)
        return;
    add_constants(&b);
    add_results(&b); /* before calls: wrappers of malloc must be known */
    if (!shadow)
        call_translated(p, index);
    uint8_t *addresses = find_addresses(fn);
    for (uint32_t i = 0; i < fn->blocks.n; i++)
        for (uint32_t k = 0; k < fn->blocks.v[i].insns.n; k++)
            add_insn(&b, (FlowSite){index, i, k}, &fn->blocks.v[i].insns.v[k], addresses);
    mem_free(addresses);
}

void points_translate(Points *p)
{
    while (p->pending.n) {
        uint32_t which = vec_pop(&p->pending);
        translate(p, which / 2, which & 1);
    }
}
