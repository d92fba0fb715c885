/* pointer.c - pointers that the entry is given: what they lead to, and how much of it there is.
 *
 * For `require` only. An address over the state at the entry is a root (a pointer among the arguments, in a
 * global, or in memory that was there) and a distance. What is assumed of roots, and said in docs/require.md:
 * one that is not null leads to the first byte of an object that is alive; two of them lead to the same
 * object or to separate ones, to separate ones if their types differ; none leads to a variable of the
 * program. How many bytes an object has is `room(root)`: a constant where a structure is pointed to or the
 * user says so, else a term of the condition. */
#include "backward/backward_int.h"

enum { TERMS = 16, DEPTH_MOST = 12 };

/* ---- types ----------------------------------------------------------------------------------- */

static const IrCType *type_at(const Backward *bw, uint32_t type) { return &bw->program->ctypes.v[type]; }
static bool is_known(const Backward *bw, uint32_t type) { return type && type < bw->program->ctypes.n; }

/* The type of what lies so many bytes behind the start of one of type `type`, or of an array of them. */
static uint32_t part_at(const Backward *bw, uint32_t type, uint64_t offset, unsigned bytes)
{
    for (unsigned depth = 0; depth < DEPTH_MOST && is_known(bw, type) && type_at(bw, type)->size; depth++) {
        const IrCType *t = type_at(bw, type);
        uint32_t inner = 0;
        offset %= t->size;
        if (t->kind == IR_C_ARRAY)
            inner = t->of;
        for (uint32_t i = 0; t->kind == IR_C_RECORD && i < t->n && !inner; i++) {
            const IrCMember *m = &bw->program->cmembers.v[t->first + i];
            if (m->low / 8 <= offset && offset < (m->low + m->bits + 7) / 8) {
                inner = m->type;
                offset -= m->low / 8;
            }
        }
        if (!inner)
            return t->kind == IR_C_RECORD || offset || t->size != bytes ? 0 : type;
        type = inner;
    }
    return 0;
}

/* Of a word of a global that is an input. */
static uint32_t type_of_global(const Backward *bw, Expr e)
{
    ExprSet s = expr_symbols(bw->pool, e);
    uint32_t at = expr_set_next(bw->pool, s, 0), offset;
    if (at == UINT32_MAX || !expr_is_word(bw->pool, e))
        return 0;
    const ExprObjectInfo *info = expr_object_info(bw->pool, expr_object_at(bw->pool, at, &offset));
    uint32_t global =
        text_starts_with(info->key, "global:") ? ir_global_find(bw->program, info->key + 7) : IR_NONE;
    return global == IR_NONE
               ? 0
               : part_at(bw, bw->program->globals.v[global].ctype, offset, expr_width(bw->pool, e) / 8);
}

static uint32_t type_of(Backward *bw, Expr e, unsigned depth);
static bool root_of(Backward *bw, Expr address, BwRoot *out, unsigned depth);

static uint32_t type_of_load(Backward *bw, Expr e, unsigned bytes, unsigned depth)
{
    BwRoot r;
    if (!root_of(bw, expr_child(bw->pool, e, 0), &r, depth) || !is_known(bw, r.pointee))
        return 0;
    Expr offset = r.offset;
    uint64_t known = 0;
    if (expr_is_const(bw->pool, offset))
        known = (uint64_t)expr_const_value(bw->pool, offset);
    else if (expr_op(bw->pool, offset) == EXPR_ADD &&
             expr_is_const(bw->pool, expr_child(bw->pool, offset, 1)))
        known = (uint64_t)expr_const_value(bw->pool, expr_child(bw->pool, offset, 1));
    return part_at(bw, r.pointee, known, bytes);
}

static uint32_t type_of(Backward *bw, Expr e, unsigned depth)
{
    uint64_t type;
    unsigned bytes;
    bool aligned;
    if (map_get(&bw->entry_types, e.id, &type))
        return (uint32_t)type;
    if (depth && bw_is_load(bw, e, &bytes, &aligned))
        return type_of_load(bw, e, bytes, depth - 1);
    return type_of_global(bw, e);
}

uint32_t bw_type_of(Backward *bw, Expr e) { return type_of(bw, e, DEPTH_MOST); }

/* ---- roots ----------------------------------------------------------------------------------- */

static uint32_t terms_of(const ExprPool *p, Expr e, Expr *out)
{
    uint32_t n = 0, open = 0;
    Expr stack[TERMS];
    stack[open++] = e;
    while (open) {
        Expr at = stack[--open];
        if (expr_op(p, at) == EXPR_ADD && open + 2 <= TERMS) {
            stack[open++] = expr_child(p, at, 1);
            stack[open++] = expr_child(p, at, 0);
        } else if (n < TERMS) {
            out[n++] = at;
        } else {
            return 0;
        }
    }
    return n;
}

/* A word that was there at the entry, whatever its type. */
static bool is_of_entry(Backward *bw, Expr e)
{
    unsigned bytes;
    bool aligned;
    if (bw_is_load(bw, e, &bytes, &aligned))
        return bytes == 8 && expr_same(expr_child(bw->pool, e, 1), bw->m);
    return expr_width(bw->pool, e) == 64 && expr_is_word(bw->pool, e) && bw_is_of_entry(bw, e);
}

static bool root_of(Backward *bw, Expr address, BwRoot *out, unsigned depth)
{
    Expr terms[TERMS];
    uint32_t n = terms_of(bw->pool, address, terms), pointers = 0, words = 0, at = 0, word = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_of_entry(bw, terms[i]))
            continue;
        uint32_t type = type_of(bw, terms[i], depth);
        if (is_known(bw, type) && type_at(bw, type)->kind == IR_C_POINTER) {
            pointers++;
            at = i;
        } else if (!is_known(bw, type)) {
            words++;
            word = i;
        }
    }
    if (pointers != 1 && (pointers || words != 1))
        return false;
    out->root = terms[pointers ? at : word];
    out->offset = expr_sub(bw->pool, address, out->root);
    out->pointee = pointers ? type_at(bw, type_of(bw, out->root, depth))->of : 0;
    return true;
}

bool bw_root(Backward *bw, Expr address, BwRoot *out)
{
    return bw->require && expr_width(bw->pool, address) == 64 && root_of(bw, address, out, DEPTH_MOST);
}

void bw_entry_object(Backward *bw, ExprObject input)
{
    const ExprObjectInfo *info = expr_object_info(bw->pool, input);
    for (uint32_t i = 0, at = info->at, n = info->size;
         bw->require && i < n && !expr_set_has(bw->pool, bw->entry_symbols, at + i); i++)
        bw->entry_symbols = expr_set_union(bw->pool, bw->entry_symbols, expr_set_of(bw->pool, at + i));
}

bool bw_is_of_entry(const Backward *bw, Expr e)
{
    return expr_is_symbolic(bw->pool, e) &&
           expr_set_subset(bw->pool, expr_symbols(bw->pool, e), bw->entry_symbols);
}

/* ---- room ------------------------------------------------------------------------------------ */

static u128 no_value(void *context, const u128 *arguments, uint32_t n)
{
    (void)context, (void)arguments, (void)n;
    return 0;
}

/* What C calls a root that is an input by itself; NULL: it is none. */
static const char *name_of(const Backward *bw, Expr root)
{
    uint32_t offset, at = expr_set_next(bw->pool, expr_symbols(bw->pool, root), 0);
    if (at == UINT32_MAX || !expr_is_word(bw->pool, root))
        return NULL;
    return expr_object_info(bw->pool, expr_object_at(bw->pool, at, &offset))->name;
}

static Expr named_room(Backward *bw, const BackwardRoom *room, uint64_t unit)
{
    uint32_t cursor = 0;
    uint64_t id, type;
    if (!room->parameter)
        return bw_const(bw, room->count * unit);
    while (map_next(&bw->entry_types, &cursor, &id, &type)) {
        Expr e = {(uint32_t)id};
        const char *name = name_of(bw, e);
        if (!name || strcmp(name, room->parameter))
            continue;
        unsigned width = expr_width(bw->pool, e);
        bool is_signed = is_known(bw, (uint32_t)type) && (type_at(bw, (uint32_t)type)->kind == IR_C_INT ||
                                                          type_at(bw, (uint32_t)type)->kind == IR_C_CHAR);
        Expr wide = width == 64 ? e : is_signed ? expr_sext(bw->pool, e, 64) : expr_zext(bw->pool, e, 64);
        Expr bytes = expr_mul(bw->pool, wide, bw_const(bw, unit));
        return is_signed ? expr_ite(bw->pool, expr_slt(bw->pool, e, expr_const(bw->pool, width, 0)),
                                    bw_const(bw, 0), bytes)
                         : bytes;
    }
    return EXPR_NONE;
}

/* The answer says what it takes for granted. */
static void note_need(Backward *bw, Expr root, uint64_t bytes)
{
    for (uint32_t i = 0; i < bw->needs.n; i++)
        if (expr_same(bw->needs.v[i].pointer, root)) {
            bw->needs.v[i].bytes = bw->needs.v[i].bytes < bytes ? bytes : bw->needs.v[i].bytes;
            return;
        }
    vec_push(&bw->needs, (BackwardNeed){root, bytes, false});
}

void bw_note_string(Backward *bw, Expr root)
{
    note_need(bw, root, 0);
    for (uint32_t i = 0; i < bw->needs.n; i++)
        bw->needs.v[i].string |= expr_same(bw->needs.v[i].pointer, root);
}

Expr bw_room(Backward *bw, const BwRoot *r)
{
    const char *name = name_of(bw, r->root);
    for (uint32_t i = 0; name && i < bw->options.rooms.n; i++)
        if (!strcmp(bw->options.rooms.v[i].pointer, name)) {
            Expr e = named_room(bw, &bw->options.rooms.v[i],
                                is_known(bw, r->pointee) && type_at(bw, r->pointee)->size
                                    ? type_at(bw, r->pointee)->size
                                    : 1);
            if (!expr_is_none(e))
                return e;
        }
    if (is_known(bw, r->pointee) && type_at(bw, r->pointee)->kind == IR_C_RECORD &&
        type_at(bw, r->pointee)->size) {
        note_need(bw, r->root, type_at(bw, r->pointee)->size);
        return bw_const(bw, type_at(bw, r->pointee)->size);
    }
    return expr_apply(bw->pool, expr_fn(bw->pool, "room", 64, no_value, NULL), &r->root, 1);
}

bool bw_is_room(const Backward *bw, Expr e)
{
    return expr_op(bw->pool, e) == EXPR_APPLY &&
           !strcmp(expr_fn_name(bw->pool, expr_apply_fn(bw->pool, e)), "room");
}

/* At least so much is there behind a pointer that is not null: one element of its type. */
uint64_t bw_least_room(const Backward *bw, uint32_t pointee)
{
    if (bw->options.rules_off & BACKWARD_OFF_ROOM)
        return UINT32_MAX;
    return is_known(bw, pointee) ? type_at(bw, pointee)->size : 0;
}

/* Is the value, as a signed number, far from the ends of its range? */
static bool is_small(const Backward *bw, Expr e, unsigned depth)
{
    const ExprPool *p = bw->pool;
    uint32_t instance, reg;
    Expr base;
    if (expr_is_const(p, e)) {
        int64_t v = (int64_t)expr_const_value(p, e);
        return v > -(INT64_C(1) << 40) && v < INT64_C(1) << 40;
    }
    if (!depth)
        return false;
    switch (expr_op(p, e)) {
    case EXPR_ADD:
        return is_small(bw, expr_child(p, e, 0), depth - 1) && is_small(bw, expr_child(p, e, 1), depth - 1);
    case EXPR_NEG: return is_small(bw, expr_child(p, e, 0), depth - 1);
    case EXPR_ITE:
        return is_small(bw, expr_child(p, e, 1), depth - 1) && is_small(bw, expr_child(p, e, 2), depth - 1);
    case EXPR_SEXT:
    case EXPR_ZEXT: return expr_width(p, expr_child(p, e, 0)) <= 32;
    case EXPR_MUL:
        return expr_is_const(p, expr_child(p, e, 1)) && expr_const_value(p, expr_child(p, e, 1)) < 1 << 16 &&
               (expr_op(p, expr_child(p, e, 0)) == EXPR_SEXT ||
                expr_op(p, expr_child(p, e, 0)) == EXPR_ZEXT) &&
               is_small(bw, expr_child(p, e, 0), 1);
    case EXPR_CONCAT: { /* of a shift: the low part is zero */
        Expr high = expr_child(p, e, 0), low = expr_child(p, e, 1);
        bool extended = expr_op(p, high) == EXPR_SEXT || expr_op(p, high) == EXPR_ZEXT;
        return expr_is_const(p, low) && expr_width(p, low) <= 16 && extended &&
               expr_width(p, expr_child(p, high, 0)) <= 32;
    }
    default: return bw_is_room(bw, e) || bw_is_strlen(bw, e) || bw_is_offset(bw, e, &instance, &reg, &base);
    }
}

/* Is the value negative? That of x * 4 is if x is. */
static Expr is_negative(const Backward *bw, Expr e)
{
    ExprPool *p = bw->pool;
    for (unsigned depth = 0; depth < 8; depth++) {
        ExprOp op = expr_op(p, e);
        Expr low = op == EXPR_CONCAT || op == EXPR_MUL ? expr_child(p, e, 1) : EXPR_NONE;
        if (op == EXPR_SEXT || (op == EXPR_CONCAT && expr_is_const(p, low)))
            e = expr_child(p, e, 0);
        else if (op == EXPR_MUL && expr_is_const(p, low) &&
                 bits_signed(expr_const_value(p, low), expr_width(p, low)) > 0)
            e = expr_child(p, e, 0); /* it is small: nothing is lost */
        else if (op == EXPR_ZEXT || bw_is_strlen(bw, e))
            return EXPR_FALSE;
        else
            break;
    }
    return expr_slt(p, e, expr_const(p, expr_width(p, e), 0));
}

/* Does an access of so many bytes at that distance leave the object? */
static Expr is_beyond(Backward *bw, const BwRoot *r, Expr bytes)
{
    ExprPool *p = bw->pool;
    Expr room = bw_room(bw, r), end = expr_add(p, r->offset, bytes);
    uint64_t least = bw_is_room(bw, room) ? bw_least_room(bw, r->pointee) : 0;
    if (expr_is_const(p, r->offset) && expr_is_const(p, bytes)) {
        int64_t offset = (int64_t)expr_const_value(p, r->offset), n = (int64_t)expr_const_value(p, bytes);
        if (offset < 0 || offset > INT64_MAX - n)
            return EXPR_TRUE;
        if ((uint64_t)(offset + n) > least)
            return expr_ult(p, room, end);
        note_need(bw, r->root, (uint64_t)(offset + n));
        return EXPR_FALSE;
    }
    if (is_small(bw, bytes, 8) && is_small(bw, r->offset, 8))
        return expr_or(p, expr_or(p, is_negative(bw, r->offset), is_negative(bw, bytes)),
                       expr_slt(p, room, end));
    if (expr_is_value(p, bytes, 1))
        return expr_ule(p, room, r->offset);
    Expr fits = expr_and(p, expr_ule(p, bytes, room), expr_ule(p, r->offset, expr_sub(p, room, bytes)));
    return expr_not(p, fits);
}

Expr bw_entry_bad(Backward *bw, char kind, Expr address, Expr bytes)
{
    ExprPool *p = bw->pool;
    BwRoot r;
    if (!bw_root(bw, address, &r))
        return EXPR_NONE;
    Expr null = expr_eq(p, r.root, bw_const(bw, 0));
    if (kind == 'n')
        return expr_is_const(p, bytes) ? null : expr_and(p, null, expr_ne(p, bytes, bw_const(bw, 0)));
    if (kind == 'f') /* what is freed is taken for a heap object */
        return expr_and(p, expr_not(p, null), expr_ne(p, r.offset, bw_const(bw, 0)));
    return expr_and(p, expr_ne(p, bytes, bw_const(bw, 0)), expr_or(p, null, is_beyond(bw, &r, bytes)));
}

/* ---- aliasing -------------------------------------------------------------------------------- */

/* Are roots of these types of separate objects whatever their values? */
static bool are_separate(const Backward *bw, uint32_t a, uint32_t b)
{
    if (!is_known(bw, a) || !is_known(bw, b) || a == b)
        return false;
    const IrCType *x = type_at(bw, a), *y = type_at(bw, b);
    if (x->kind != IR_C_RECORD && y->kind != IR_C_RECORD)
        return x->size != y->size && x->size > 1 && y->size > 1;
    return x->size != y->size && x->size && y->size;
}

bool bw_entry_apart(Backward *bw, Expr a, uint64_t n, Expr b, uint64_t m)
{
    BwRoot x, y;
    if (!bw_root(bw, a, &x) || !bw_root(bw, b, &y) || expr_same(x.root, y.root))
        return false;
    if (are_separate(bw, x.pointee, y.pointee))
        return true;
    if (!expr_is_const(bw->pool, x.offset) || !expr_is_const(bw->pool, y.offset))
        return false;
    int64_t from = (int64_t)expr_const_value(bw->pool, x.offset),
            to = (int64_t)expr_const_value(bw->pool, y.offset);
    return from >= to + (int64_t)m || to >= from + (int64_t)n;
}

Expr bw_entry_equal(Backward *bw, Expr a, Expr b)
{
    ExprPool *p = bw->pool;
    BwRoot x, y;
    if (bw->options.rules_off & BACKWARD_OFF_ALIAS || !bw_root(bw, a, &x) || !bw_root(bw, b, &y) ||
        expr_same(x.root, y.root))
        return EXPR_NONE;
    if (are_separate(bw, x.pointee, y.pointee))
        return expr_and(p,
                        expr_and(p, expr_eq(p, x.root, bw_const(bw, 0)), expr_eq(p, y.root, bw_const(bw, 0))),
                        expr_eq(p, x.offset, y.offset));
    return expr_and(p, expr_eq(p, x.root, y.root), expr_eq(p, x.offset, y.offset));
}

/* ---- for C ----------------------------------------------------------------------------------- */

typedef struct Guarding {
    Backward *bw;
    ExprVec known;
} Guarding;

static bool is_among(const ExprVec *known, Expr e)
{
    for (uint32_t i = 0; i < known->n; i++)
        if (expr_same(known->v[i], e))
            return true;
    return false;
}

static bool is_behind(const Backward *bw, Expr e)
{
    unsigned bytes;
    bool aligned;
    return bw_is_load(bw, e, &bytes, &aligned) || bw_is_strlen(bw, e);
}

/* That the pointers which the expression follows are not null. */
static Expr are_there(const Guarding *g, Expr e)
{
    Backward *bw = g->bw;
    U32Vec cone = {0};
    Expr all = EXPR_TRUE;
    expr_cone(bw->pool, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++) {
        Expr at = {cone.v[i]};
        BwRoot r;
        if (!is_behind(bw, at) || !bw_root(bw, expr_child(bw->pool, at, 0), &r))
            continue;
        Expr there = expr_ne(bw->pool, r.root, bw_const(bw, 0));
        all = is_among(&g->known, there) ? all : expr_and(bw->pool, all, there);
    }
    vec_free(&cone);
    return all;
}

/* Each value behind a pointer by itself: which of them is needed depends on the others. */
static Expr with_values_guarded(const Guarding *g, Expr e)
{
    Backward *bw = g->bw;
    U32Vec cone = {0};
    ExprSubst *s = expr_subst_new(bw->pool);
    expr_cone(bw->pool, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++) {
        Expr at = {cone.v[i]};
        if (is_behind(bw, at))
            expr_subst_add(
                s, at,
                expr_ite(bw->pool, are_there(g, at), at, expr_const(bw->pool, expr_width(bw->pool, at), 0)));
    }
    e = expr_subst_apply(s, e);
    expr_subst_free(s);
    vec_free(&cone);
    return e;
}

static bool has_choice(const ExprPool *p, Expr e)
{
    U32Vec cone = {0};
    bool found = false;
    expr_cone(p, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n && !found; i++)
        found = expr_op(p, (Expr){cone.v[i]}) == EXPR_ITE;
    vec_free(&cone);
    return found;
}

/* A condition does not depend on what would be behind a null pointer. So a comparison of that may be false,
 * and the value zero. */
static Expr guard_hook(void *context, Expr old, const Expr *children, Expr e)
{
    Guarding *g = context;
    ExprOp op = expr_op(g->bw->pool, old);
    (void)children;
    if (op != EXPR_EQ && op != EXPR_ULT && op != EXPR_SLT)
        return e;
    return has_choice(g->bw->pool, old) ? with_values_guarded(g, old)
                                        : expr_and(g->bw->pool, are_there(g, old), e);
}

Expr bw_guarded(Backward *bw, Expr condition, Expr known)
{
    Guarding g = {.bw = bw};
    expr_split(bw->pool, known, &g.known);
    Expr e = bw_rewrite_answer(bw, condition, guard_hook, &g);
    vec_free(&g.known);
    return e;
}
