/* signature_outputs.c - what the rows of a signature show, as text. */
#include "report/signature_int.h"

#include <ctype.h>
#include <stdlib.h>

void report_literal(const char *text, uint32_t n, bool in_format, Str *out)
{
    for (uint32_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            str_add(out, "\\n");
        else if (c == '\t')
            str_add(out, "\\t");
        else if (c == '"' || c == '\\')
            str_printf(out, "\\%c", c);
        else if (c == '%' && in_format)
            str_add(out, "%%");
        else if (isprint(c))
            str_add_char(out, (char)c);
        else
            str_printf(out, i + 1 < n && isxdigit((unsigned char)text[i + 1]) ? "\\%03o" : "\\x%02x", c);
    }
}

static void print_format(const SignaturePart *part, Str *out)
{
    static const char flags[] = "-+ #0'";
    str_add_char(out, '%');
    for (unsigned i = 0; flags[i]; i++)
        if (part->format.flags >> i & 1)
            str_add_char(out, flags[i]);
    if (part->format.width)
        str_printf(out, "%d", part->format.width);
    if (part->format.precision >= 0)
        str_printf(out, ".%d", part->format.precision);
    if (part->size == 8 && strchr("diuoxX", part->format.conversion))
        str_add_char(out, 'l');
    if (part->size == 16 && strchr("eEfFgGaA", part->format.conversion))
        str_add_char(out, 'L');
    str_add_char(out, part->format.conversion);
}

static void print_value(const ExprPool *p, const SignaturePart *part, Str *out)
{
    if (part->format.conversion && strchr("eEfFgGaA", part->format.conversion)) {
        expr_print_c_kind(p, part->value, EXPR_C_FLOAT, VALUE_LIMIT, out);
        return;
    }
    if (part->format.conversion == 'p') {
        expr_print_c_kind(p, part->value, EXPR_C_POINTER, VALUE_LIMIT, out);
        return;
    }
    if (!expr_is_const(p, part->value) || part->size > 8 || expr_is_address(p, part->value)) {
        expr_print_c(p, part->value, VALUE_LIMIT, out);
        return;
    }
    unsigned unused = 64 - 8 * part->size;
    str_printf(out, "%lld",
               (long long)((int64_t)((uint64_t)expr_const_value(p, part->value) << unused) >> unused));
}

/* How many parts from i on are neighbouring bytes of one input object. */
static uint32_t run_of_bytes(const ExprPool *p, const SignatureOutput *o, uint32_t i)
{
    uint32_t n = 0, at = 0, offset;
    ExprObject object = {0};
    for (; i + n < o->parts.n; n++) {
        const SignaturePart *part = &o->parts.v[i + n];
        if (part->text || part->size != 1 || part->format.conversion != 'c' ||
            expr_op(p, part->value) != EXPR_SYMBOL)
            break;
        ExprObject of = expr_symbol_object(p, part->value, &offset);
        if (n && (of.id != object.id || offset != at + n))
            break;
        if (!n)
            object = of, at = offset;
    }
    return n;
}

void report_bytes(const ExprPool *p, Expr first, uint32_t n, Str *out)
{
    uint32_t offset;
    const ExprObjectInfo *object = expr_object_info(p, expr_symbol_object(p, first, &offset));
    Str text = {0};
    expr_print_c(p, first, VALUE_LIMIT, &text);
    const char *bracket = text.n && text.v[text.n - 1] == ']' ? strrchr(str_text(&text), '[') : NULL;
    uint64_t from = bracket ? strtoull(bracket + 1, NULL, 10) : offset;
    if (bracket)
        str_add_n(out, str_text(&text), (size_t)(bracket - str_text(&text)));
    else
        str_add(out, object->text);
    if (bracket || offset || n < object->size)
        str_printf(out, "[%llu..%llu]", (unsigned long long)from, (unsigned long long)(from + n - 1));
    str_free(&text);
}

/* prints "sum %d\n", x + y */
static void print_text(const ExprPool *p, const SignatureOutput *o, Str *out)
{
    Str arguments = {0};
    uint32_t shown = 0, bytes = 0, i = 0;
    bool formats = false;
    for (uint32_t k = 0; k < o->parts.n; k++)
        formats |= !o->parts.v[k].text;
    str_add_char(out, '"');
    for (; i < o->parts.n && shown < PARTS_SHOWN && bytes < TEXT_SHOWN; shown++) {
        const SignaturePart *part = &o->parts.v[i];
        uint32_t run = run_of_bytes(p, o, i);
        if (part->text) {
            uint32_t n = part->size < TEXT_SHOWN - bytes ? part->size : TEXT_SHOWN - bytes;
            report_literal(part->text, n, formats, out);
            bytes += part->size;
            i++;
            continue;
        }
        str_add(&arguments, ", ");
        if (run > 1) {
            str_printf(out, "%%.%us", run);
            str_add_char(&arguments, '&');
        } else {
            print_format(part, out);
        }
        if (run > 1)
            expr_print_c(p, part->value, VALUE_LIMIT, &arguments);
        else
            print_value(p, part, &arguments);
        i += run > 1 ? run : 1;
    }
    str_add_char(out, '"');
    if (i < o->parts.n || bytes > TEXT_SHOWN || o->cut)
        str_add(out, "...");
    str_add(out, str_text(&arguments));
    str_free(&arguments);
}

/* out = 3; out = {3, x, "abc"} */
static void print_data(const ExprPool *p, const SignatureOutput *o, Str *out)
{
    bool several = o->parts.n != 1;
    str_add(out, several ? "{" : "");
    for (uint32_t i = 0, shown = 0; i < o->parts.n; shown++) {
        const SignaturePart *part = &o->parts.v[i];
        uint32_t run = run_of_bytes(p, o, i), n = part->size < TEXT_SHOWN ? part->size : TEXT_SHOWN;
        str_add(out, shown ? ", " : "");
        if (shown >= PARTS_SHOWN) {
            str_add(out, "...");
            break;
        }
        if (part->text) {
            str_add_char(out, '"');
            report_literal(part->text, n, false, out);
            str_add(out, n < part->size ? "\"..." : "\"");
        } else if (run > 1) {
            report_bytes(p, part->value, run, out);
        } else {
            print_value(p, part, out);
        }
        i += run > 1 ? run : 1;
    }
    str_add(out, several ? "}" : "");
    str_add(out, o->cut ? "..." : "");
}

static const SignatureOutput *find_output(const SignatureRow *row, const char *name)
{
    for (uint32_t i = 0; i < row->outputs.n; i++)
        if (!strcmp(row->outputs.v[i].name, name))
            return &row->outputs.v[i];
    return NULL;
}

/* What a row does not show: it was not reached. What an entry function may write and has not is as it was. */
static bool is_of_entry(const ReportRows *r, const char *name)
{
    for (uint32_t i = 0; i < r->signature->rows.n; i++) {
        const SignatureOutput *o = find_output(&r->signature->rows.v[i], name);
        if (o)
            return o->entry;
    }
    return false;
}

/* Is it worth a word? An exit status of 0 and an empty stream are not, if they are so in every row; nor is
 * what an entry function may write and never does. */
static bool matters(const ReportRows *r, const char *name)
{
    const ExprPool *p = explore_pool(r->explore);
    bool status = !strcmp(name, "status");
    for (uint32_t i = 0; i < r->signature->rows.n; i++) {
        const SignatureOutput *o = find_output(&r->signature->rows.v[i], name);
        if (!o || o->unchanged)
            continue;
        if (status ? !expr_is_value(p, o->parts.v[0].value, 0) : o->kind != SIGNATURE_TEXT || o->parts.n)
            return true;
    }
    return r->criterion && !is_of_entry(r, name);
}

/* The parts, as the row's condition makes them. */
static void print_parts(const ReportRows *r, uint32_t row, const SignatureOutput *o, Str *out)
{
    ExprPool *p = explore_pool(r->explore);
    SignatureOutput copy = *o;
    memset(&copy.parts, 0, sizeof copy.parts);
    for (uint32_t i = 0; i < o->parts.n; i++) {
        vec_push(&copy.parts, o->parts.v[i]);
        if (!o->parts.v[i].text)
            copy.parts.v[i].value = expr_subst_apply(r->rows.v[row].facts, o->parts.v[i].value);
    }
    if (o->kind == SIGNATURE_TEXT)
        print_text(p, &copy, out);
    else
        print_data(p, &copy, out);
    vec_free(&copy.parts);
}

static void print_output(const ReportRows *r, uint32_t row, const SignatureOutput *o, Str *out)
{
    const ExprPool *p = explore_pool(r->explore);
    bool returned = !strcmp(o->name, "return") && o->entry;
    if (!strcmp(o->name, "status")) {
        str_add(out, "exit ");
        print_value(p, &o->parts.v[0], out);
    } else if (o->kind == SIGNATURE_TEXT) {
        str_add(out, "prints ");
        if (o->parts.n)
            print_parts(r, row, o, out);
        else
            str_add(out, "nothing");
        if (strcmp(o->name, "stdout"))
            str_printf(out, " to %s", o->name);
    } else if (o->fields.n && o->entry && !returned) {
        report_fields(r, row, o, out);
    } else {
        str_printf(out, returned ? "returns " : "%s = ", o->name);
        if (o->fields.n)
            report_fields(r, row, o, out);
        else
            print_parts(r, row, o, out);
    }
}

void report_end(const ReportRows *r, const SignatureEnd *end, Str *out)
{
    char where[512];
    switch (end->ending) {
    case VM_END_FAULT: str_add(out, vm_fault_message(end->fault)); break;
    case VM_END_ASSUMPTION: str_add(out, "an assumption does not hold"); break;
    default: str_add(out, end->message[0] ? end->message : "the run could not be finished");
    }
    if (end->site != IR_NONE)
        str_printf(out, " at %s", ir_site_text(r->program, end->site, where, sizeof where));
    if (end->fn != IR_NONE)
        str_printf(out, " in %s", ir_text(r->program, r->program->fns.v[end->fn].name));
}

/* Names of outputs over all rows, so that one that a row lacks can be listed. */
static void all_names(const ReportRows *r, StrVec *out)
{
    for (uint32_t i = 0; i < r->signature->rows.n; i++) {
        const SignatureRow *row = &r->signature->rows.v[i];
        for (uint32_t k = 0; k < row->outputs.n; k++) {
            bool known = false;
            for (uint32_t n = 0; n < out->n && !known; n++)
                known = !strcmp(out->v[n], row->outputs.v[k].name);
            if (!known)
                vec_push(out, row->outputs.v[k].name);
        }
    }
}

void report_outputs(const ReportRows *r, uint32_t row, Str *out)
{
    const SignatureRow *s = &r->signature->rows.v[r->rows.v[row].shown];
    StrVec names = {0};
    bool any = false;
    if (s->end.ending == VM_END_FAULT) {
        str_add(out, "fails: ");
        report_end(r, &s->end, out);
        return;
    }
    all_names(r, &names);
    for (uint32_t i = 0; i < names.n; i++) {
        if (!matters(r, names.v[i]))
            continue;
        const SignatureOutput *o = find_output(s, names.v[i]);
        if (o ? o->unchanged : is_of_entry(r, names.v[i]))
            continue;
        Str text = {0};
        if (o)
            print_output(r, row, o, &text);
        else
            str_printf(&text, "%s not reached", names.v[i]);
        if (text.n)
            str_printf(out, "%s%s", any ? ", " : "", str_text(&text));
        any |= text.n > 0;
        str_free(&text);
    }
    if (!any)
        str_add(out, !names.n                     ? "nothing reached"
                     : is_of_entry(r, names.v[0]) ? "nothing changes"
                                                  : "exit 0");
    vec_free(&names);
}
