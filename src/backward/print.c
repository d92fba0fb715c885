/* print.c - conditions over the entry as C: what memory held there is written as the program would write it. */
#include "backward/backward_int.h"

static void plain_text(Backward *bw, Expr e, Str *out) { backward_condition_text(bw, e, 0, out); }

/* How the program would write what is so many bytes behind a pointer; false: it would not. */
static bool field_text(Backward *bw, const BwRoot *r, const char *pointer, unsigned bytes, Str *out, ExprCKind *kind)
{
    static const ExprCKind kinds[] = { [IR_C_INT] = EXPR_C_INT, [IR_C_UINT] = EXPR_C_UINT, [IR_C_CHAR] = EXPR_C_CHAR, [IR_C_UCHAR] = EXPR_C_UCHAR,
                                       [IR_C_BOOL] = EXPR_C_BOOL, [IR_C_FLOAT] = EXPR_C_FLOAT, [IR_C_POINTER] = EXPR_C_POINTER };
    IrCFieldVec fields = { 0 };
    bool found = false;
    if (!expr_is_const(bw->pool, r->offset) || !r->pointee || r->pointee >= bw->program->ctypes.n || !bw->program->ctypes.v[r->pointee].size)
        return false;
    uint64_t offset = (uint64_t)expr_const_value(bw->pool, r->offset), size = bw->program->ctypes.v[r->pointee].size;
    ir_ctype_fields(bw->program, r->pointee, pointer, true, size > offset ? size : offset / size * size + size, bw->arena, &fields);
    for (uint32_t i = 0; i < fields.n && !found; i++)
        if (fields.v[i].low == 8 * offset && fields.v[i].bits == 8 * bytes) {
            str_add(out, fields.v[i].text);
            *kind = fields.v[i].kind < (IrCKind)COUNT_OF(kinds) ? kinds[fields.v[i].kind] : EXPR_C_INT;
            found = true;
        }
    vec_free(&fields);
    return found;
}

static Expr named(Backward *bw, Expr e)
{
    unsigned bytes;
    bool aligned;
    Str text = { 0 };
    char key[32];
    ExprCKind kind = EXPR_C_INT;
    if (bw_is_room(bw, e)) {
        kind = EXPR_C_UINT;
        str_add(&text, "room(");
        plain_text(bw, expr_child(bw->pool, e, 0), &text);
        str_add(&text, ")");
    } else if (bw_is_load(bw, e, &bytes, &aligned)) {
        Str pointer = { 0 };
        BwRoot r;
        if (bw_root(bw, expr_child(bw->pool, e, 0), &r)) {
            plain_text(bw, r.root, &pointer);
            if (!field_text(bw, &r, str_text(&pointer), bytes, &text, &kind)) {
                str_printf(&text, "*(%s + ", str_text(&pointer));
                plain_text(bw, r.offset, &text);
                str_add(&text, ")");
            }
        } else {
            str_add(&text, "*(");
            plain_text(bw, expr_child(bw->pool, e, 0), &text);
            str_add(&text, ")");
        }
        str_free(&pointer);
    }
    snprintf(key, sizeof key, "named:%u", e.id);
    Expr s = expr_object_symbol(bw->pool, expr_object_scalar(bw->pool, key, str_text(&text), expr_width(bw->pool, e), (ExprCType){ kind, 0 }));
    str_free(&text);
    return s;
}

/* From the outside in: an address inside a term is written by the term. */
static Expr with_names(Backward *bw, Expr root)
{
    ExprSubst *s = expr_subst_new(bw->pool);
    U32Vec cone = { 0 };
    expr_cone(bw->pool, &root, 1, &cone);
    for (uint32_t i = cone.n; i-- > 0;) {
        Expr e = { cone.v[i] };
        unsigned bytes;
        bool aligned;
        if (bw_is_room(bw, e) || bw_is_load(bw, e, &bytes, &aligned))
            expr_subst_add(s, e, named(bw, e));
    }
    root = expr_subst_apply(s, root);
    expr_subst_free(s);
    vec_free(&cone);
    return root;
}

void backward_condition_text(Backward *bw, Expr e, uint32_t limit, Str *out) { expr_print_c(bw->pool, with_names(bw, e), limit, out); }
