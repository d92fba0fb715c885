/* joint_text.c - what two runs print, compared piece by piece: literal text, and values with the format they
 * are printed in. */
#include "versions/joint_compare.h"

static bool same_frame(const VmFormat *a, const VmFormat *b)
{
    return a->flags == b->flags && a->width == b->width && a->precision == b->precision;
}

/* The number that is printed, as a signed one that is wide enough for all; EXPR_NONE: it is no decimal
 * integer. */
static Expr number_of(ExprPool *p, const SignaturePart *part)
{
    enum { WIDE = 72 };
    char conversion = part->format.conversion;
    if (expr_width(p, part->value) >= WIDE || !conversion || !strchr("diu", conversion))
        return EXPR_NONE;
    return conversion == 'u' ? expr_zext(p, part->value, WIDE) : expr_sext(p, part->value, WIDE);
}

/* Where two values print differently, exactly; EXPR_NONE: that is not known. */
static Expr values_differ(ExprPool *p, const SignaturePart *a, const SignaturePart *b)
{
    enum { SIGNS = 2 | 4 }; /* '+' and ' ' among VmFormat's flags: before signed numbers only */
    char one = a->format.conversion, other = b->format.conversion;
    if (!same_frame(&a->format, &b->format))
        return EXPR_NONE;
    if (one == other && a->size == b->size && expr_width(p, a->value) == expr_width(p, b->value))
        return expr_not(p, expr_eq(p, a->value, b->value));
    Expr x = number_of(p, a), y = number_of(p, b);
    if (expr_is_none(x) || expr_is_none(y) || ((one == 'u') != (other == 'u') && a->format.flags & SIGNS))
        return EXPR_NONE;
    return expr_not(p, expr_eq(p, x, y));
}

void joint_text_render(ExprEval *ev, const SignatureOutput *o, Str *out)
{
    for (uint32_t i = 0; o && i < o->parts.n; i++) {
        const SignaturePart *part = &o->parts.v[i];
        if (part->text)
            str_add_n(out, part->text, part->size);
        else
            vm_format_render(&part->format, part->size, expr_eval(ev, part->value), out);
    }
}

bool joint_text_differs(ExprEval *ev, const SignatureOutput *const o[2])
{
    Str text[2] = {{0}};
    for (unsigned v = 0; v < 2; v++)
        joint_text_render(ev, o[v], &text[v]);
    bool differs = text[0].n != text[1].n || memcmp(str_text(&text[0]), str_text(&text[1]), text[0].n);
    str_free(&text[0]);
    str_free(&text[1]);
    return differs;
}

/* Where the next piece begins: part, and byte of a literal. */
typedef struct Place {
    uint32_t part, at;
} Place;

static const SignaturePart *part_at(const SignatureOutput *o, Place p)
{
    return o && p.part < o->parts.n ? &o->parts.v[p.part] : NULL;
}

static void pass(const SignatureOutput *o, Place *p, uint32_t bytes)
{
    const SignaturePart *part = part_at(o, *p);
    p->at += bytes;
    if (!part->text || p->at >= part->size)
        *p = (Place){p->part + 1, 0};
}

/* A printed integer against literal text, which may go on with digits of the next one: the text must begin
 * with what is printed for the row's input. Returns its length; 0: it does not. */
static uint32_t number_in(const Comparison *c, const SignaturePart *value, const char *text, uint32_t n,
                          u128 *number)
{
    Str printed = {0};
    if (!strchr("diuxX", value->format.conversion) || value->format.width)
        return 0;
    *number = expr_eval_once(c->j->pool, &c->row->input, value->value);
    vm_format_render(&value->format, value->size, *number, &printed);
    uint32_t length = printed.n <= n && !memcmp(str_text(&printed), text, printed.n) ? printed.n : 0;
    str_free(&printed);
    return length;
}

/* Piece by piece; false: they are made of different pieces. Pieces that are equal make equal text; others
 * may. */
static bool compare_pieces(Comparison *c, const SignatureOutput *const o[2])
{
    Place at[2] = {{0, 0}};
    for (;;) {
        const SignaturePart *a = part_at(o[0], at[0]), *b = part_at(o[1], at[1]);
        if (!a || !b)
            return !a && !b;
        uint32_t n = 1;
        if (!a->text != !b->text) {
            unsigned literal = a->text ? 0 : 1;
            const SignaturePart *text = literal ? b : a, *value = literal ? a : b;
            u128 number;
            n = number_in(c, value, text->text + at[literal].at, text->size - at[literal].at, &number);
            if (!n)
                return false;
            joint_difference_add(
                c, o[1]->name,
                expr_not(c->j->pool,
                         expr_eq(c->j->pool, value->value,
                                 expr_const(c->j->pool, expr_width(c->j->pool, value->value), number))));
            pass(o[literal], &at[literal], n);
            pass(o[!literal], &at[!literal], 1);
            continue;
        }
        if (a->text) {
            uint32_t left = a->size - at[0].at, other = b->size - at[1].at;
            n = left < other ? left : other;
            if (memcmp(a->text + at[0].at, b->text + at[1].at, n))
                return false;
        } else {
            Expr differ = values_differ(c->j->pool, a, b);
            if (expr_is_none(differ))
                return false;
            if (!expr_same(differ, EXPR_FALSE))
                joint_difference_add(c, o[1]->name, differ);
        }
        pass(o[0], &at[0], n);
        pass(o[1], &at[1], n);
    }
}

/* Made of different pieces: text that comes out differently for this input does differ; else it is open for
 * other inputs. */
void joint_compare_text(Comparison *c, const char *name, const SignatureOutput *const o[2])
{
    uint32_t before = c->differences.n;
    bool surely = c->surely;
    if ((o[0] && o[0]->cut) || (o[1] && o[1]->cut))
        c->open = "an output is longer than what is kept of it";
    if (o[0] && o[1] && compare_pieces(c, o))
        return;
    c->differences.n = before;
    c->surely = surely;
    ExprEval *ev = expr_eval_new(c->j->pool);
    expr_eval_input(ev, &c->row->input);
    bool constant = true;
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; o[v] && i < o[v]->parts.n; i++)
            constant &= o[v]->parts.v[i].text != NULL;
    if (joint_text_differs(ev, o))
        joint_difference_add(c, name, EXPR_TRUE); /* at least for this input, which becomes the row's */
    else if (!constant)
        c->open = "text is put together in different ways";
    expr_eval_free(ev);
}
