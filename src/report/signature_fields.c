/* signature_fields.c - outputs by the places that C's types name: "b->len = b->len + 1", "{.x = 1, .name =
 * \"ab\"}". */
#include "report/signature_int.h"

#include <stdlib.h>

/* The fields of one output in one row, as the row's pointers make them. */
typedef struct Fields {
    ExprPool *pool;
    Vec(SignatureField) v;
    bool filtered; /* those that did not change are left out */
} Fields;

static bool is_char(const SignatureField *f)
{
    return (f->kind == EXPR_C_CHAR || f->kind == EXPR_C_UCHAR) && !f->in_address;
}

/* "b->data[3]" into its number, and how long "b->data" is; false if it is no element. */
static bool element_of(const char *name, uint32_t *base, uint64_t *index)
{
    const char *bracket = strrchr(name, '[');
    if (!bracket || name[strlen(name) - 1] != ']')
        return false;
    *base = (uint32_t)(bracket - name);
    *index = strtoull(bracket + 1, NULL, 10);
    return true;
}

static bool follows(const SignatureField *a, const SignatureField *b)
{
    uint32_t base, next;
    uint64_t index, after;
    return element_of(a->name, &base, &index) && element_of(b->name, &next, &after) && base == next &&
           after == index + 1 && !memcmp(a->name, b->name, base);
}

/* ---- runs of elements that are printed at once -------------------------------------------------- */

/* Characters that are known. */
static uint32_t run_of_text(const Fields *f, uint32_t i)
{
    uint32_t n = 0;
    while (i + n < f->v.n && is_char(&f->v.v[i + n]) && expr_is_const(f->pool, f->v.v[i + n].value) &&
           (!n || follows(&f->v.v[i + n - 1], &f->v.v[i + n])))
        n++;
    return n;
}

/* Bytes of one address. */
static uint32_t run_of_address(const Fields *f, uint32_t i)
{
    uint32_t n = 0;
    while (i + n < f->v.n && n < 8 && f->v.v[i + n].in_address &&
           (!n || follows(&f->v.v[i + n - 1], &f->v.v[i + n])))
        n++;
    return n;
}

/* Neighbouring bytes of one input. */
static uint32_t run_of_input(const Fields *f, uint32_t i, uint32_t *from)
{
    uint32_t n = 0, offset;
    ExprObject object = {0};
    for (; i + n < f->v.n; n++) {
        const SignatureField *field = &f->v.v[i + n];
        if (!is_char(field) || expr_op(f->pool, field->value) != EXPR_SYMBOL ||
            (n && !follows(field - 1, field)))
            break;
        ExprObject of = expr_symbol_object(f->pool, field->value, &offset);
        if (n && (of.id != object.id || offset != *from + n))
            break;
        if (!n)
            object = of, *from = offset;
    }
    return n;
}

/* a[i] = v at an index of the input: each element k is k == i ? v : what it was. *index is then i, less the
 * number of the first of these elements, and *value is v. */
static uint32_t run_of_store(const Fields *f, uint32_t i, Expr *index, Expr *value)
{
    const ExprPool *p = f->pool;
    uint32_t n = 0;
    u128 first = 0;
    for (; i + n < f->v.n; n++) {
        Expr e = f->v.v[i + n].value;
        if (expr_op(p, e) != EXPR_ITE || (n && !follows(&f->v.v[i + n - 1], &f->v.v[i + n])))
            break;
        Expr test = expr_child(p, e, 0), stored = expr_child(p, e, 1);
        if (expr_op(p, test) != EXPR_EQ || !expr_is_const(p, expr_child(p, test, 1)))
            break;
        u128 k = expr_const_value(p, expr_child(p, test, 1));
        if (!n)
            *index = expr_child(p, test, 0), *value = stored, first = k;
        if (!expr_same(expr_child(p, test, 0), *index) || !expr_same(stored, *value) || k != first + n)
            break;
    }
    if (n > 1)
        *index = expr_sub(f->pool, *index, expr_const(f->pool, expr_width(p, *index), first));
    return n > 1 ? n : 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void print_one(const Fields *f, const SignatureField *field, Str *out)
{
    if (field->in_address)
        str_add(out, "an address");
    else
        expr_print_c_kind(f->pool, field->value, field->kind, VALUE_LIMIT, out);
}

static void print_string(const Fields *f, uint32_t i, uint32_t n, Str *out)
{
    Str bytes = {0};
    for (uint32_t k = 0; k < n; k++)
        str_add_char(&bytes, (char)expr_const_value(f->pool, f->v.v[i + k].value));
    uint32_t shown = n;
    while (shown && !bytes.v[shown - 1])
        shown--;
    bool cut = shown > TEXT_SHOWN;
    str_add_char(out, '"');
    report_literal(str_text(&bytes), cut ? TEXT_SHOWN : shown, false, out);
    str_add(out, cut ? "\"..." : "\"");
    str_free(&bytes);
}

/* The name of a run: "b->data[2..5]", or without numbers if it is all elements that there are. */
static void print_run_name(const Fields *f, uint32_t i, uint32_t n, Str *out)
{
    uint32_t base = 0;
    uint64_t index = 0;
    const char *name = f->v.v[i].name;
    if (n < 2 || !element_of(name, &base, &index)) {
        str_add(out, name);
        return;
    }
    str_add_n(out, name, base);
    bool whole = !f->filtered && !index && (i + n == f->v.n || !follows(&f->v.v[i + n - 1], &f->v.v[i + n]));
    if (!whole)
        str_printf(out, "[%llu..%llu]", (unsigned long long)index, (unsigned long long)(index + n - 1));
}

/* One field, or several that are printed at once: how many. `named`: "name = " before the value. */
static uint32_t print_some(const Fields *f, uint32_t i, bool named, Str *out)
{
    uint32_t from = 0, base = 0, text = run_of_text(f, i), input = run_of_input(f, i, &from);
    uint64_t first = 0;
    Expr index = EXPR_NONE, value = EXPR_NONE;
    uint32_t store = named ? run_of_store(f, i, &index, &value) : 0;
    uint32_t address = run_of_address(f, i);
    uint32_t n = store ? store : address > 1 ? address : text > 1 ? text : input > 1 ? input : 1;
    if (store && element_of(f->v.v[i].name, &base, &first)) {
        str_add_n(out, f->v.v[i].name, base);
        str_add_char(out, '[');
        expr_print_c(f->pool, index, VALUE_LIMIT, out);
        str_printf(out, first ? " + %llu] = " : "] = ", (unsigned long long)first);
        expr_print_c_kind(f->pool, value, f->v.v[i].kind, VALUE_LIMIT, out);
        return n;
    }
    if (named) {
        print_run_name(f, i, n, out);
        str_add(out, " = ");
    }
    if (text > 1)
        print_string(f, i, n, out);
    else if (input > 1)
        report_bytes(f->pool, f->v.v[i].value, n, out);
    else
        print_one(f, &f->v.v[i], out);
    return n;
}

void report_fields(const ReportRows *r, uint32_t row, const SignatureOutput *o, Str *out)
{
    bool assigned = o->entry && strcmp(o->name, "return"), names = false, cut = false;
    Fields f = {.pool = explore_pool(r->explore), .filtered = assigned};
    for (uint32_t i = 0; i < o->fields.n; i++) {
        SignatureField field = o->fields.v[i];
        field.value = expr_subst_apply(r->rows.v[row].facts, field.value);
        names |= field.name[0] == '.';
        if (!assigned || !field.unchanged)
            vec_push(&f.v, field);
    }
    bool braces = !assigned && (f.v.n != 1 || f.v.v[0].name[0]) && !(run_of_text(&f, 0) == f.v.n && !names);
    str_add(out, braces ? "{" : "");
    for (uint32_t i = 0, shown = 0; i < f.v.n && !cut; shown++) {
        str_add(out, shown ? ", " : "");
        cut = shown >= PARTS_SHOWN;
        if (cut)
            str_add(out, "...");
        else
            i += print_some(&f, i, assigned || names, out);
    }
    str_add(out, braces ? "}" : "");
    vec_free(&f.v);
}
