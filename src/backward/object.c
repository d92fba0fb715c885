/* object.c - what memory consists of, how addresses and registers are named. */
#include "backward/backward_int.h"

Expr bw_const(Backward *bw, uint64_t value) { return expr_const(bw->pool, 64, value); }

/* ---- objects --------------------------------------------------------------------------------- */

const BwObject *bw_object_new(Backward *bw, BwObject object)
{
    object.base = bw_const(bw, BW_FIRST + bw->objects.n * BW_APART + BW_MIDDLE);
    if (!expr_is_const(bw->pool, object.size) &&
        object.kind != BW_STDIN) { /* of an input it is the same all the time */
        char key[32];
        snprintf(key, sizeof key, "size:%u", bw->objects.n);
        object.size_symbol = expr_object_symbol(
            bw->pool, expr_object_scalar(bw->pool, key, key, 64, (ExprCType){EXPR_C_UINT, 0}));
        map_put(&bw->size_objects, object.size_symbol.id, bw->objects.n);
    }
    vec_push(&bw->objects, object);
    return &vec_last(&bw->objects);
}

Expr bw_object_size(Backward *bw, uint32_t object)
{
    const BwObject *o = &bw->objects.v[object];
    return expr_is_none(o->size_symbol) || o->segment == bw->current ? o->size : o->size_symbol;
}

static const char *fn_name(const Backward *bw, uint32_t fn)
{
    return ir_text(bw->program, bw->program->fns.v[fn].name);
}

/* How many bytes can be read. Where that is an input it is named, and read, as the machine does. */
static Expr stdin_size(Backward *bw)
{
    ExprPool *p = bw->pool;
    const VmInputs *in = bw->options.inputs;
    if (!in || !in->stdin_symbolic)
        return bw_const(bw, 0);
    if (!in->stdin_optional)
        return bw_const(bw, in->stdin_size);
    Expr n = expr_object_symbol(
        p, expr_object_scalar(p, "stdin:size", "length(stdin)", 32, (ExprCType){EXPR_C_UINT, 0}));
    Expr least = expr_const(p, 32, in->stdin_size - in->stdin_optional),
         most = expr_const(p, 32, in->stdin_size);
    return expr_zext(p, expr_ite(p, expr_and(p, expr_ult(p, least, n), expr_ule(p, n, most)), n, least), 64);
}

static BwObject describe(Backward *bw, BwObjectKind kind, uint32_t index, uint32_t reg)
{
    BwObject o = {.kind = kind,
                  .index = index,
                  .reg = reg,
                  .segment = IR_NONE,
                  .flow = FLOW_OBJECT_ANY,
                  .size = bw_const(bw, 0)};
    if (kind == BW_GLOBAL) {
        const IrGlobal *g = &bw->program->globals.v[index];
        o.size = bw_const(bw, g->size);
        o.name = ir_text(bw->program, g->name);
        o.flow = flow_object_of_global(bw->flow, index);
    } else if (kind == BW_FUNCTION) {
        o.name = fn_name(bw, index);
        o.flow = flow_object_of_fn(bw->flow, index);
    } else if (kind == BW_STDIN || kind == BW_CURSOR) {
        o.name = "standard input";
        o.size = kind == BW_CURSOR ? bw_const(bw, 8) : stdin_size(bw);
        o.flow = flow_object_of_stream(bw->flow, 0);
    } else {
        o.name = "an object";
    }
    return o;
}

uint32_t bw_object(Backward *bw, BwObjectKind kind, uint32_t index, uint32_t reg)
{
    uint64_t key = hash_mix(hash_mix(kind, index), reg), id;
    if (map_get(&bw->object_ids, key, &id))
        return (uint32_t)id;
    bw_object_new(bw, describe(bw, kind, index, reg));
    map_put(&bw->object_ids, key, bw->objects.n - 1);
    return bw->objects.n - 1;
}

bool bw_is_address(const Backward *bw, Expr e)
{
    return expr_is_const(bw->pool, e) && expr_width(bw->pool, e) == 64 &&
           expr_const_value(bw->pool, e) >= BW_FIRST &&
           ((uint64_t)expr_const_value(bw->pool, e) - BW_FIRST) / BW_APART < bw->objects.n;
}

uint32_t bw_object_in(Backward *bw, Expr address)
{
    for (;;) {
        bool sum = expr_op(bw->pool, address) == EXPR_ADD;
        for (uint32_t i = 0; i < (sum ? 2 : 1); i++) {
            Expr part = sum ? expr_child(bw->pool, address, i) : address;
            if (bw_is_address(bw, part))
                return (uint32_t)(((uint64_t)expr_const_value(bw->pool, part) - BW_FIRST) / BW_APART);
        }
        if (!sum)
            return IR_NONE;
        Expr left = expr_child(bw->pool, address, 0);
        address = expr_op(bw->pool, left) == EXPR_ADD ? left : expr_child(bw->pool, address, 1);
    }
}

/* Objects of which the value may be an address, or one and something: IR_NONE if there is none, `several` if
 * there is more than one, or it is too large to say. */
static uint32_t objects_shown(Backward *bw, Expr e, uint32_t several)
{
    ExprPool *p = bw->pool;
    Expr stack[64] = {e};
    uint32_t n = 1, found = IR_NONE;
    for (unsigned steps = 0; n; steps++) {
        Expr at = stack[--n];
        ExprOp op = expr_op(p, at);
        uint32_t object = bw_is_address(bw, at) ? bw_object_in(bw, at) : IR_NONE;
        if ((object != IR_NONE && found != IR_NONE && object != found) || n + 2 > COUNT_OF(stack) ||
            steps > 256)
            return several;
        found = object != IR_NONE ? object : found;
        if (expr_width(p, at) != 64 || (op != EXPR_ADD && op != EXPR_ITE))
            continue;
        stack[n++] = expr_child(p, at, op == EXPR_ITE ? 2 : 1);
        stack[n++] = expr_child(p, at, op == EXPR_ITE ? 1 : 0);
    }
    return found;
}

bool bw_shows_address(Backward *bw, Expr e) { return objects_shown(bw, e, 0) != IR_NONE; }

bool bw_is_far(Backward *bw, Expr sum, Expr a, Expr b)
{
    uint32_t object = bw_object_in(bw, a);
    if (object == IR_NONE)
        object = bw_object_in(bw, b);
    return object != IR_NONE && bw_object_in(bw, sum) != object;
}

Expr bw_offset(Backward *bw, Expr a, Expr distance)
{
    Expr sum = expr_add(bw->pool, a, distance);
    return bw_is_far(bw, sum, a, distance) ? bw_fresh(bw, 64, "address") : sum;
}

/* Is there an address of an object among the sides, so that taking them apart tells something? */
static bool names_object(Backward *bw, Expr e, unsigned depth)
{
    BwRoot r;
    if (bw_object_in(bw, e) != IR_NONE || expr_is_const(bw->pool, e) || bw_root(bw, e, &r))
        return true;
    return depth && expr_op(bw->pool, e) == EXPR_ITE &&
           (names_object(bw, expr_child(bw->pool, e, 1), depth - 1) ||
            names_object(bw, expr_child(bw->pool, e, 2), depth - 1));
}

bool bw_address_split(Backward *bw, Expr address, Expr *c, Expr *a, Expr *b)
{
    ExprPool *p = bw->pool;
    Expr rest = EXPR_NONE;
    for (unsigned depth = 0; depth < 8; depth++) {
        if (expr_op(p, address) == EXPR_ITE) {
            *c = expr_child(p, address, 0);
            *a = expr_child(p, address, 1);
            *b = expr_child(p, address, 2);
            if (!names_object(bw, *a, 4) && !names_object(bw, *b, 4))
                return false;
            if (!expr_is_none(rest)) {
                *a = expr_add(p, *a, rest);
                *b = expr_add(p, *b, rest);
            }
            return true;
        }
        if (expr_op(p, address) != EXPR_ADD)
            return false;
        Expr left = expr_child(p, address, 0), right = expr_child(p, address, 1);
        bool go_left =
            expr_op(p, left) == EXPR_ITE || (expr_op(p, left) == EXPR_ADD && expr_op(p, right) != EXPR_ITE);
        Expr other = go_left ? right : left;
        rest = expr_is_none(rest) ? other : expr_add(p, rest, other);
        address = go_left ? left : right;
    }
    return false;
}

/* ---- symbols --------------------------------------------------------------------------------- */

static Expr symbol(Backward *bw, const char *key, const char *name, unsigned width)
{
    return expr_object_symbol(bw->pool,
                              expr_object_scalar(bw->pool, key, name, width, (ExprCType){EXPR_C_INT, 0}));
}

Expr bw_fresh(Backward *bw, unsigned width, const char *name)
{
    char key[96];
    snprintf(key, sizeof key, "?%u:%.60s", bw->fresh++, name);
    Expr e = symbol(bw, key, name, width);
    bw->unknowns = expr_set_union(bw->pool, bw->unknowns, expr_symbols(bw->pool, e));
    return e;
}

Expr bw_reg_symbol(Backward *bw, uint32_t instance, uint32_t reg)
{
    uint64_t id, key = (uint64_t)instance << 32 | reg;
    if (map_get(&bw->reg_symbols, key, &id))
        return (Expr){(uint32_t)id};
    const IrReg *r = &bw->program->fns.v[bw->instances.v[instance].fn].regs.v[reg];
    char name[128], text[160];
    if (r->name)
        snprintf(name, sizeof name, "%.100s", ir_text(bw->program, r->name));
    else
        snprintf(name, sizeof name, "%%%u", reg);
    snprintf(text, sizeof text, "reg:%u:%u", instance, reg);
    Expr e = symbol(bw, text, name, r->width);
    map_put(&bw->reg_symbols, key, e.id);
    map_put(&bw->symbol_regs, e.id, key);
    return e;
}

bool bw_symbol_reg(const Backward *bw, Expr e, uint32_t *instance, uint32_t *reg)
{
    uint64_t key;
    if (!map_get(&bw->symbol_regs, e.id, &key))
        return false;
    *instance = (uint32_t)(key >> 32);
    *reg = (uint32_t)key;
    return true;
}

Expr bw_offset_symbol(Backward *bw, uint32_t instance, uint32_t reg, Expr base)
{
    char key[64];
    snprintf(key, sizeof key, "distance:%u:%u:%u", instance, reg, base.id);
    Expr e = symbol(bw, key, key, 64);
    if (map_add(&bw->distances, e.id, bw->distance_of.n))
        vec_push(&bw->distance_of, (struct BwDistance){instance, reg, base});
    return e;
}

bool bw_is_offset(const Backward *bw, Expr e, uint32_t *instance, uint32_t *reg, Expr *base)
{
    uint64_t at;
    if (!bw->require || !map_get(&bw->distances, e.id, &at))
        return false;
    *instance = bw->distance_of.v[at].instance;
    *reg = bw->distance_of.v[at].reg;
    *base = bw->distance_of.v[at].base;
    return true;
}

/* ---- points-to ------------------------------------------------------------------------------- */

/* The register, of whatever activation, that holds or held the value of this leaf. */
static bool register_of(const Backward *bw, Expr leaf, uint32_t *fn, uint32_t *reg)
{
    uint32_t instance;
    uint64_t from;
    if (bw_symbol_reg(bw, leaf, &instance, reg)) {
        *fn = bw->instances.v[instance].fn;
        return true;
    }
    if (!map_get(&bw->load_regs, leaf.id, &from))
        return false;
    *fn = (uint32_t)(from >> 32);
    *reg = (uint32_t)from;
    return true;
}

bool bw_pointees(Backward *bw, Expr address, FlowList *out)
{
    ExprPool *p = bw->pool;
    Expr stack[16];
    uint32_t n = 0, found = 0, fn, reg;
    stack[n++] = address;
    for (unsigned steps = 0; n; steps++) {
        Expr e = stack[--n];
        ExprOp op = expr_op(p, e);
        if (op == EXPR_ADD || op == EXPR_ITE) {
            if (n + 2 > COUNT_OF(stack) || steps > 64)
                return false;
            stack[n++] = expr_child(p, e, op == EXPR_ITE ? 2 : 1);
            stack[n++] = expr_child(p, e, op == EXPR_ITE ? 1 : 0);
        } else if (expr_is_const(p, e)
                       ? bw_is_address(bw, e)
                       : (op == EXPR_SYMBOL || op == EXPR_APPLY) && !register_of(bw, e, &fn, &reg)) {
            return false; /* it may be the pointer, and the others distances */
        } else if (!expr_is_const(p, e) && register_of(bw, e, &fn, &reg)) {
            FlowList list = flow_points_to(bw->flow, fn, reg);
            if (list.n) {
                *out = list;
                found++;
            }
        }
    }
    return found == 1 && out->v[0] != FLOW_OBJECT_ANY;
}

/* The local variable that the static analysis means, as the frames of this instance have it. Of a function
 * that may be active several times that is not to be said. */
static uint32_t local_of(Backward *bw, const FlowObject *o, uint32_t instance)
{
    uint64_t at;
    if (flow_is_recursive(bw->flow, o->at.fn))
        return IR_NONE;
    while (instance != IR_NONE && bw->instances.v[instance].fn != o->at.fn)
        instance = bw->instances.v[instance].parent;
    const IrInsn *insn = &bw->program->fns.v[o->at.fn].blocks.v[o->at.block].insns.v[o->at.insn];
    if (instance == IR_NONE || !(insn->flags & IR_FIXED))
        return IR_NONE;
    return map_get(&bw->object_ids, hash_mix(hash_mix(BW_STACK, instance), insn->dst), &at) ? (uint32_t)at
                                                                                            : IR_NONE;
}

/* A register that can point into one object only, wherever there: the object. (A null pointer is far out of
 * its bounds.) */
static uint32_t object_behind(Backward *bw, Expr address)
{
    FlowList list;
    uint32_t instance, reg;
    ExprSet s = expr_symbols(bw->pool, address);
    if (!bw_pointees(bw, address, &list) || list.n != 1)
        return IR_NONE;
    const FlowObject *o = flow_object(bw->flow, list.v[0]);
    if (o->kind == FLOW_GLOBAL)
        return bw_object(bw, BW_GLOBAL, o->index, 0);
    for (uint32_t at = expr_set_next(bw->pool, s, 0); at != UINT32_MAX && o->kind == FLOW_STACK;
         at = expr_set_next(bw->pool, s, at + 1))
        if (bw_symbol_reg(bw, expr_symbol_of(bw->pool, at), &instance, &reg) &&
            flow_points_to(bw->flow, bw->instances.v[instance].fn, reg).n)
            return local_of(bw, o, instance);
    return IR_NONE;
}

uint32_t bw_object_of(Backward *bw, Expr address)
{
    uint32_t object = bw_object_in(bw, address);
    return object == IR_NONE && !expr_is_const(bw->pool, address) ? object_behind(bw, address) : object;
}

bool bw_are_incomparable(Backward *bw, Expr a, Expr b)
{
    if (expr_width(bw->pool, a) != 64)
        return false;
    uint32_t x = bw_object_of(bw, a), y = bw_object_of(bw, b);
    x = x == IR_NONE ? objects_shown(bw, a, IR_NONE - 1) : x;
    y = y == IR_NONE ? objects_shown(bw, b, IR_NONE - 2) : y;
    return x != IR_NONE && y != IR_NONE && x != y;
}
