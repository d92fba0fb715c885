/* walk.c - passes over expressions: cones, rebuilding, substitution, moving to another pool. All
 * iterative. */
#include "expr/expr_int.h"

#include <stdlib.h>

/* ---- cones ----------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void new_epoch(Scratch *s, uint32_t nodes)
{
    if (s->stamp.n < nodes) {
        vec_reserve(&s->stamp, nodes + nodes / 2);
        memset(s->stamp.v + s->stamp.n, 0, (s->stamp.cap - s->stamp.n) * sizeof *s->stamp.v);
        s->stamp.n = s->stamp.cap;
    }
    if (++s->epoch == 0) {
        memset(s->stamp.v, 0, s->stamp.n * sizeof *s->stamp.v);
        s->epoch = 1;
    }
}

static void visit(Scratch *s, uint32_t id, U32Vec *out)
{
    if (s->stamp.v[id] == s->epoch)
        return;
    s->stamp.v[id] = s->epoch;
    vec_push(out, id);
}

void expr_cone(const ExprPool *p, const Expr *roots, uint32_t n, U32Vec *out)
{
    Scratch *s = p->scratch;
    new_epoch(s, p->nodes.n);
    vec_clear(out);
    for (uint32_t i = 0; i < n; i++)
        visit(s, roots[i].id, out);
    uint32_t highest = 0;
    for (uint32_t i = 0; i < out->n; i++) { /* out grows meanwhile: it is the queue, too */
        Expr e = {out->v[i]};
        uint32_t children = expr_child_count(p, e);
        highest = e.id > highest ? e.id : highest;
        for (uint32_t k = 0; k < children; k++)
            visit(s, expr_child(p, e, k).id, out);
    }
    if (!out->n)
        return;
    if (out->n > highest / 16) { /* dense: reading the marks in order is faster than sorting */
        uint32_t kept = 0;
        for (uint32_t id = 1; id <= highest; id++)
            if (s->stamp.v[id] == s->epoch)
                out->v[kept++] = id;
    } else {
        qsort(out->v, out->n, sizeof *out->v, by_id);
    }
}

uint32_t expr_size(const ExprPool *p, Expr e)
{
    U32Vec cone = {0};
    expr_cone(p, &e, 1, &cone);
    uint32_t n = cone.n;
    vec_free(&cone);
    return n;
}

/* ---- rebuilding ------------------------------------------------------------------------------ */

Expr expr_compose(ExprPool *p, ExprOp op, unsigned width, unsigned low, const Expr *c, uint32_t n)
{
    switch (op) {
    case EXPR_NEG: return expr_neg(p, c[0]);
    case EXPR_NOT: return expr_not(p, c[0]);
    case EXPR_ITE: return expr_ite(p, c[0], c[1], c[2]);
    case EXPR_CONCAT: return expr_concat(p, c[0], c[1]);
    case EXPR_EXTRACT: return expr_extract(p, c[0], low, width);
    case EXPR_SELECT: return expr_array_select(p, (ExprArray){c[0].id}, c[1]);
    case EXPR_STORE: return expr_of_array(expr_array_store(p, (ExprArray){c[0].id}, c[1], c[2]));
    case EXPR_ARRAY_LIST: return expr_of_array(expr_array_list(p, c, n));
    case EXPR_FCAST:
    case EXPR_FPTOUI:
    case EXPR_FPTOSI:
    case EXPR_UITOFP:
    case EXPR_SITOFP: return expr_float_cast(p, op, width, c[0]);
    default: break;
    }
    return expr_make(p, expr_op_bits(op), width, c[0], n > 1 ? c[1] : EXPR_NONE, n > 2 ? c[2] : EXPR_NONE);
}

static Expr rebuild_in(ExprPool *to, const ExprPool *from, Expr e, const Expr *c)
{
    ExprOp op = op_of(from, e);
    switch (op) {
    case EXPR_ARRAY_CONST:
        return expr_of_array(expr_array_const(to, expr_array_bytes(from, (ExprArray){e.id}),
                                              expr_array_size(from, (ExprArray){e.id})));
    case EXPR_APPLY: {
        const FnEntry *f = &from->fns.v[expr_apply_fn(from, e)];
        return expr_apply(to, expr_fn(to, f->name, f->width, f->call, f->context), c,
                          expr_child_count(from, e));
    }
    case EXPR_CONST: return expr_const(to, width_of(from, e), value_of(from, e));
    default: return expr_compose(to, op, width_of(from, e), low_of(from, e), c, expr_child_count(from, e));
    }
}

Expr expr_rebuild(ExprPool *p, Expr e, const Expr *children)
{
    ExprOp op = op_of(p, e);
    return op == EXPR_CONST || op == EXPR_SYMBOL || op == EXPR_ARRAY_CONST || op == EXPR_ARRAY_INPUT
               ? e
               : rebuild_in(p, p, e, children);
}

/* ---- one driver for both rewritings ---------------------------------------------------------- */

typedef struct Rewrite {
    const ExprPool *from;
    ExprPool *to;
    Map memo; /* id in from to id in to */
    U32Vec stack;
    ExprVec children;
    /* Settles a node without looking at its children, or returns EXPR_NONE. */
    Expr (*settle)(void *context, Expr e);
    void *context;
} Rewrite;

/* True if all children are rewritten, and then in r->children; else the missing ones are on the stack. */
static bool children_ready(Rewrite *r, Expr e)
{
    uint32_t n = expr_child_count(r->from, e);
    bool ready = true;
    vec_clear(&r->children);
    for (uint32_t i = 0; i < n; i++) {
        Expr child = expr_child(r->from, e, i);
        uint64_t done;
        if (map_get(&r->memo, child.id, &done)) {
            vec_push(&r->children, (Expr){(uint32_t)done});
        } else {
            vec_push(&r->stack, child.id);
            ready = false;
        }
    }
    return ready;
}

static bool unchanged(const Rewrite *r, Expr e)
{
    if (r->from != r->to)
        return false;
    for (uint32_t i = 0; i < r->children.n; i++)
        if (r->children.v[i].id != expr_child(r->from, e, i).id)
            return false;
    return true;
}

static Expr rewrite(Rewrite *r, Expr root)
{
    vec_clear(&r->stack);
    vec_push(&r->stack, root.id);
    while (r->stack.n) {
        Expr e = {vec_last(&r->stack)};
        if (map_get(&r->memo, e.id, NULL)) {
            r->stack.n--;
            continue;
        }
        Expr result = r->settle(r->context, e);
        if (expr_is_none(result)) {
            if (!children_ready(r, e))
                continue;
            result = unchanged(r, e) ? e : rebuild_in(r->to, r->from, e, r->children.v);
        }
        map_put(&r->memo, e.id, result.id);
        r->stack.n--;
    }
    return (Expr){(uint32_t)map_get_or(&r->memo, root.id, 0)};
}

static void rewrite_free(Rewrite *r)
{
    map_free(&r->memo);
    vec_free(&r->stack);
    vec_free(&r->children);
}

/* ---- substitution ---------------------------------------------------------------------------- */

struct ExprSubst {
    Rewrite r;
    Map pairs;
    ExprSet touched; /* symbols of what is replaced */
};

/* An input array some bytes of which are replaced: a list. */
static Expr listed(ExprSubst *s, ExprArray input)
{
    ExprPool *p = s->r.to;
    ExprVec bytes = {0};
    uint32_t size = expr_array_size(p, input);
    for (uint32_t i = 0; i < size; i++) {
        Expr byte = expr_array_base_byte(p, input, i);
        vec_push(&bytes, (Expr){(uint32_t)map_get_or(&s->pairs, byte.id, byte.id)});
    }
    Expr list = expr_of_array(expr_array_list(p, bytes.v, size));
    vec_free(&bytes);
    return list;
}

static Expr settle_subst(void *context, Expr e)
{
    ExprSubst *s = context;
    uint64_t to;
    if (map_get(&s->pairs, e.id, &to))
        return (Expr){(uint32_t)to};
    if (!expr_set_meets(s->r.from, expr_symbols(s->r.from, e), s->touched))
        return e;
    return is(s->r.from, e, EXPR_ARRAY_INPUT) ? listed(s, (ExprArray){e.id}) : EXPR_NONE;
}

ExprSubst *expr_subst_new(ExprPool *p)
{
    ExprSubst *s = mem_zalloc(sizeof *s);
    s->r.from = s->r.to = p;
    s->r.settle = settle_subst;
    s->r.context = s;
    return s;
}

void expr_subst_free(ExprSubst *s)
{
    if (!s)
        return;
    rewrite_free(&s->r);
    map_free(&s->pairs);
    mem_free(s);
}

void expr_subst_add(ExprSubst *s, Expr from, Expr to)
{
    ExprPool *p = s->r.to;
    if (width_of(p, from) != width_of(p, to) || !expr_is_symbolic(p, from))
        bug("substitution of a constant, or between widths %u and %u", width_of(p, from), width_of(p, to));
    map_put(&s->pairs, from.id, to.id);
    s->touched = expr_set_union(p, s->touched, expr_symbols(p, from));
    map_clear(&s->r.memo);
}

Expr expr_subst_apply(ExprSubst *s, Expr e) { return rewrite(&s->r, e); }

/* ---- import ---------------------------------------------------------------------------------- */

struct ExprImport {
    Rewrite r;
};

static ExprObject import_object(ExprImport *im, ExprObject object)
{
    const ExprObjectInfo *info = expr_object_info(im->r.from, object);
    ExprObject to = info->scalar
                        ? expr_object_scalar(im->r.to, info->key, info->name, info->scalar, info->type)
                        : expr_object(im->r.to, info->key, info->name, info->size, info->type);
    expr_object_describe(im->r.to, to, info->fields, info->nfields, info->pointer, info->address);
    return to;
}

static Expr settle_import(void *context, Expr e)
{
    ExprImport *im = context;
    uint32_t offset;
    if (is(im->r.from, e, EXPR_ARRAY_INPUT))
        return expr_of_array(
            expr_array_input(im->r.to, import_object(im, expr_array_object(im->r.from, (ExprArray){e.id}))));
    if (!is(im->r.from, e, EXPR_SYMBOL))
        return EXPR_NONE;
    ExprObject from = expr_symbol_object(im->r.from, e, &offset), to = import_object(im, from);
    return expr_object_info(im->r.to, to)->scalar ? expr_object_symbol(im->r.to, to)
                                                  : expr_object_byte(im->r.to, to, offset);
}

ExprImport *expr_import_new(ExprPool *to, const ExprPool *from)
{
    ExprImport *im = mem_zalloc(sizeof *im);
    im->r.from = from;
    im->r.to = to;
    im->r.settle = settle_import;
    im->r.context = im;
    for (uint32_t i = 0; i < expr_object_count(from); i++)
        import_object(im, (ExprObject){i});
    for (uint32_t i = 0; i < from->places.n; i++)
        expr_place_add(to, &from->places.v[i]);
    return im;
}

void expr_import_free(ExprImport *im)
{
    if (!im)
        return;
    rewrite_free(&im->r);
    mem_free(im);
}

Expr expr_import(ExprImport *im, Expr e) { return rewrite(&im->r, e); }
