/* wire.c - objects, expressions and inputs as bytes, for another process or another day.
 *
 * A list of expressions is written as the nodes of its cone, children first, then the places of its roots
 * among them. A node is its operator and width, then what tells it from others: a constant's value, an object
 * and an offset, the places of its children. */
#include "expr/expr_int.h"

enum { OBJECT_MOST = 1 << 26, INPUT_MOST = 1 << 30 }; /* bytes of an object, and of all: more is refused */

/* ---- objects --------------------------------------------------------------------------------- */

void expr_objects_write(const ExprPool *p, Str *out)
{
    wire_uint(out, p->objects.n);
    for (uint32_t i = 0; i < p->objects.n; i++) {
        const ExprObjectInfo *o = &p->objects.v[i];
        wire_text(out, o->key);
        wire_text(out, o->name);
        wire_uint(out, o->size);
        wire_uint(out, o->scalar);
        wire_uint(out, o->type.kind);
        wire_uint(out, o->type.element);
    }
}

static void read_object(ExprPool *p, Wire *in, Arena *arena, U32Vec *objects)
{
    const char *key = wire_get_text(in, arena), *name = wire_get_text(in, arena);
    uint32_t size = (uint32_t)wire_get_below(in, OBJECT_MOST + 1);
    unsigned scalar = (unsigned)wire_get_below(in, 129);
    ExprCType type = {(ExprCKind)wire_get_below(in, EXPR_C_UCHAR + 1), (uint8_t)wire_get_below(in, 256)};
    ExprObject object;
    if (in->bad || !size || (scalar && size != (scalar + 7) / 8))
        wire_refuse(in);
    else if (!expr_object_find(p, key, size, &object) && size > INPUT_MOST - p->input_size)
        wire_refuse(in);
    else
        object =
            scalar ? expr_object_scalar(p, key, name, scalar, type) : expr_object(p, key, name, size, type);
    if (in->bad || p->objects.v[object.id].scalar != scalar)
        wire_refuse(in);
    else
        vec_push(objects, object.id);
}

bool expr_objects_read(ExprPool *p, Wire *in, U32Vec *objects)
{
    Arena *arena = arena_new();
    uint32_t n = wire_get_count(in);
    vec_clear(objects);
    for (uint32_t i = 0; i < n && !in->bad; i++)
        read_object(p, in, arena, objects);
    arena_free(arena);
    return !in->bad;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static bool is_zero_object(const ExprInput *input, const ExprObjectInfo *o)
{
    for (uint32_t k = 0; k < o->size && o->at + k < input->n; k++)
        if (input->v[o->at + k])
            return false;
    return true;
}

void expr_input_write(const ExprPool *p, const ExprInput *input, Str *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->objects.n; i++)
        n += !is_zero_object(input, &p->objects.v[i]);
    wire_uint(out, n);
    for (uint32_t i = 0; i < p->objects.n; i++) {
        const ExprObjectInfo *o = &p->objects.v[i];
        if (is_zero_object(input, o))
            continue;
        wire_uint(out, i);
        uint32_t there = input->n - o->at < o->size ? input->n - o->at : o->size;
        wire_bytes(out, input->v + o->at, there);
    }
}

bool expr_input_read(const ExprPool *p, Wire *in, const U32Vec *objects, ExprInput *out)
{
    uint32_t n = wire_get_count(in);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        uint32_t object = (uint32_t)wire_get_below(in, objects->n), size;
        const uint8_t *bytes = wire_get_bytes(in, &size);
        if (in->bad || size > p->objects.v[objects->v[object]].size)
            return wire_refuse(in);
        for (uint32_t k = 0; k < size; k++)
            expr_input_set_byte(out, p->objects.v[objects->v[object]].at + k, bytes[k]);
    }
    return !in->bad;
}

/* ---- writing expressions --------------------------------------------------------------------- */

static void write_node(const ExprPool *p, Expr e, const Map *places, Str *out)
{
    ExprOp op = op_of(p, e);
    uint32_t n = expr_child_count(p, e), offset = 0;
    wire_uint(out, op);
    wire_uint(out, width_of(p, e));
    switch (op) {
    case EXPR_CONST:
        wire_uint(out, (uint64_t)value_of(p, e));
        wire_uint(out, (uint64_t)(value_of(p, e) >> 64));
        return;
    case EXPR_SYMBOL:
        wire_uint(out, expr_symbol_object(p, e, &offset).id);
        wire_uint(out, offset);
        return;
    case EXPR_ARRAY_INPUT: wire_uint(out, expr_array_object(p, (ExprArray){e.id}).id); return;
    case EXPR_ARRAY_CONST:
        wire_bytes(out, expr_array_bytes(p, (ExprArray){e.id}), expr_array_size(p, (ExprArray){e.id}));
        return;
    case EXPR_EXTRACT: wire_uint(out, low_of(p, e)); break;
    case EXPR_APPLY: wire_text(out, expr_fn_name(p, expr_apply_fn(p, e))); break;
    default: break;
    }
    wire_uint(out, n);
    for (uint32_t i = 0; i < n; i++)
        wire_uint(out, map_get_or(places, expr_child(p, e, i).id, 0));
}

void expr_write(const ExprPool *p, const ExprVec *roots, Str *out)
{
    U32Vec cone = {0};
    Map places = {0};
    expr_cone(p, roots->v, roots->n, &cone);
    wire_uint(out, cone.n);
    for (uint32_t i = 0; i < cone.n; i++) {
        map_put(&places, cone.v[i], i);
        write_node(p, (Expr){cone.v[i]}, &places, out);
    }
    wire_uint(out, roots->n);
    for (uint32_t i = 0; i < roots->n; i++)
        wire_uint(out, map_get_or(&places, roots->v[i].id, 0));
    map_free(&places);
    vec_free(&cone);
}

void expr_fns_of(const ExprPool *p, const ExprVec *roots, BitSet *out)
{
    U32Vec cone = {0};
    if (p->fns.n)
        expr_cone(p, roots->v, roots->n, &cone);
    for (uint32_t i = 0; i < cone.n; i++)
        if (is(p, (Expr){cone.v[i]}, EXPR_APPLY))
            bitset_add(out, expr_apply_fn(p, (Expr){cone.v[i]}));
    vec_free(&cone);
}

uint32_t expr_fn_count(const ExprPool *p) { return p->fns.n; }

bool expr_fn_find(const ExprPool *p, const char *name, uint32_t *fn)
{
    uint64_t id = 0;
    bool found = strmap_get(&p->fn_by_name, name, &id);
    *fn = (uint32_t)id;
    return found;
}

/* ---- reading expressions --------------------------------------------------------------------- */

typedef struct Reading {
    ExprPool *pool;
    Wire *in;
    const U32Vec *objects;
    Arena *arena;
    ExprVec made, children;
} Reading;

static bool is_float(unsigned width) { return width == 32 || width == 64 || width == 80; }

/* A bit-vector of this width? */
static bool has(const Reading *r, uint32_t child, unsigned width)
{
    return child < r->children.n && width && width_of(r->pool, r->children.v[child]) == width;
}

static unsigned width_at(const Reading *r, uint32_t child) { return width_of(r->pool, r->children.v[child]); }

static bool is_array(const Reading *r, uint32_t child) { return width_at(r, child) == 0; }

static bool all_have(const Reading *r, unsigned width)
{
    for (uint32_t i = 0; i < r->children.n; i++)
        if (!has(r, i, width))
            return false;
    return true;
}

/* As the operators of bits.def want them. */
static bool bits_fit(const Reading *r, ExprOp op, unsigned width)
{
    BitsOp bits = expr_op_bits(op);
    if (bits == BITS_COUNT || r->children.n != bits_op_arity(bits))
        return false;
    switch (bits_op_result(bits)) {
    case BITS_RESULT_SAME: return all_have(r, width) && bits_widths_ok(bits, width, width);
    case BITS_RESULT_BIT:
        return width == 1 && all_have(r, width_at(r, 0)) && bits_widths_ok(bits, width_at(r, 0), 0);
    case BITS_RESULT_CAST: return !is_array(r, 0) && bits_widths_ok(bits, width, width_at(r, 0));
    }
    return false;
}

static bool fits(const Reading *r, ExprOp op, unsigned width, unsigned low)
{
    uint32_t n = r->children.n;
    switch (op) {
    case EXPR_NEG:
    case EXPR_NOT: return n == 1 && has(r, 0, width);
    case EXPR_ITE: return n == 3 && has(r, 0, 1) && has(r, 1, width) && has(r, 2, width);
    case EXPR_CONCAT:
        return n == 2 && !is_array(r, 0) && !is_array(r, 1) && width_at(r, 0) + width_at(r, 1) == width &&
               width <= 128;
    case EXPR_EXTRACT: return n == 1 && width && low + width <= width_at(r, 0);
    case EXPR_SELECT: return n == 2 && width == 8 && is_array(r, 0) && has(r, 1, 64);
    case EXPR_STORE: return n == 3 && !width && is_array(r, 0) && has(r, 1, 64) && has(r, 2, 8);
    case EXPR_ARRAY_LIST: return n && !width && all_have(r, 8);
    case EXPR_FCAST: return n == 1 && is_float(width) && is_float(width_at(r, 0));
    case EXPR_FPTOUI: return width == 128 && bits_fit(r, op, width);
    case EXPR_FPTOSI:
        return (width == 16 || width == 32 || width == 64 || width == 128) && bits_fit(r, op, width);
    default: return bits_fit(r, op, width);
    }
}

/* A symbol or an array of an object. */
static Expr read_input(Reading *r, ExprOp op, unsigned width)
{
    ExprPool *p = r->pool;
    uint32_t place = (uint32_t)wire_get_below(r->in, r->objects->n);
    uint32_t offset = op == EXPR_SYMBOL ? wire_get_u32(r->in) : 0;
    if (r->in->bad)
        return EXPR_NONE;
    ExprObject object = {r->objects->v[place]};
    unsigned scalar = p->objects.v[object.id].scalar;
    if (op == EXPR_ARRAY_INPUT)
        return scalar || width ? EXPR_NONE : expr_of_array(expr_array_input(p, object));
    if (scalar)
        return width == scalar && !offset ? expr_object_symbol(p, object) : EXPR_NONE;
    return width == 8 && offset < p->objects.v[object.id].size ? expr_object_byte(p, object, offset)
                                                               : EXPR_NONE;
}

static Expr read_constant(Reading *r, unsigned width)
{
    u128 low = wire_get(r->in), value = low | (u128)wire_get(r->in) << 64;
    bool ok = !r->in->bad && width && width <= 128 && !(value & ~bits_mask(width));
    return ok ? expr_const(r->pool, width, value) : EXPR_NONE;
}

static Expr read_bytes(Reading *r, unsigned width)
{
    uint32_t n;
    const uint8_t *bytes = wire_get_bytes(r->in, &n);
    return r->in->bad || width || !n ? EXPR_NONE : expr_of_array(expr_array_const(r->pool, bytes, n));
}

static void read_children(Reading *r)
{
    uint32_t n = wire_get_count(r->in);
    vec_clear(&r->children);
    for (uint32_t i = 0; i < n && !r->in->bad; i++) {
        uint32_t place = (uint32_t)wire_get_below(r->in, r->made.n);
        if (!r->in->bad)
            vec_push(&r->children, r->made.v[place]);
    }
}

static Expr read_application(Reading *r, unsigned width)
{
    const char *name = wire_get_text(r->in, r->arena);
    uint32_t fn;
    read_children(r);
    if (r->in->bad || !expr_fn_find(r->pool, name, &fn) || r->pool->fns.v[fn].width != width)
        return EXPR_NONE;
    bool ok = r->children.n && r->pool->fns.v[fn].arity == r->children.n;
    for (uint32_t i = 0; i < r->children.n; i++)
        ok &= !is_array(r, i);
    return ok ? expr_apply(r->pool, fn, r->children.v, r->children.n) : EXPR_NONE;
}

/* EXPR_NONE: it is not one. */
static Expr read_node(Reading *r)
{
    ExprOp op = (ExprOp)wire_get_below(r->in, EXPR_OP_COUNT);
    unsigned width = (unsigned)wire_get_below(r->in, 129), low = 0;
    switch (op) {
    case EXPR_CONST: return read_constant(r, width);
    case EXPR_SYMBOL:
    case EXPR_ARRAY_INPUT: return read_input(r, op, width);
    case EXPR_ARRAY_CONST: return read_bytes(r, width);
    case EXPR_APPLY: return read_application(r, width);
    case EXPR_EXTRACT: low = (unsigned)wire_get_below(r->in, 128); break;
    default: break;
    }
    read_children(r);
    if (r->in->bad || !fits(r, op, width, low))
        return EXPR_NONE;
    return expr_compose(r->pool, op, width, low, r->children.v, r->children.n);
}

bool expr_read(ExprPool *p, Wire *in, const U32Vec *objects, ExprVec *out)
{
    Reading r = {.pool = p, .in = in, .objects = objects, .arena = arena_new()};
    uint32_t n = wire_get_count(in);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        Expr e = read_node(&r);
        if (expr_is_none(e))
            wire_refuse(in);
        else
            vec_push(&r.made, e);
    }
    vec_clear(out);
    uint32_t roots = wire_get_count(in);
    for (uint32_t i = 0; i < roots && !in->bad; i++) {
        uint32_t place = (uint32_t)wire_get_below(in, r.made.n);
        if (!in->bad)
            vec_push(out, r.made.v[place]);
    }
    vec_free(&r.made);
    vec_free(&r.children);
    arena_free(r.arena);
    return !in->bad;
}
