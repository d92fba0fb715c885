/* joint_describe.c - what differs in a row, for people: outputs as expressions, and as values for its input.
 */
#include "versions/joint_compare.h"

enum { TEXT_MOST = 400 };

/* A field is shown if it differs on this input from the field of that name in the other version; without one,
 * if it was written. */
static bool is_shown(ExprEval *ev, const SignatureOutput *o, const SignatureOutput *other, uint32_t i)
{
    const SignatureField *f = &o->fields.v[i];
    const SignatureField *g = other && i < other->fields.n ? &other->fields.v[i] : NULL;
    if (g && !strcmp(f->name, g->name))
        return expr_eval(ev, f->value) != expr_eval(ev, g->value);
    return !o->entry || !f->unchanged || !strcmp(o->name, "return");
}

static void print_quoted(const char *text, uint32_t n, Str *out)
{
    str_add_char(out, '"');
    joint_quote(text, n, TEXT_MOST, out);
    str_add_char(out, '"');
}

static Expr expr_or_value(ExprPool *p, ExprEval *ev, Expr e, bool value)
{
    return value ? expr_const(p, expr_width(p, e), expr_eval(ev, e)) : e;
}

static void print_fields(ExprPool *p, ExprEval *ev, const SignatureOutput *o, const SignatureOutput *other,
                         bool values, Str *out)
{
    for (uint32_t i = 0, shown = 0; i < o->fields.n; i++) {
        const SignatureField *f = &o->fields.v[i];
        if (!is_shown(ev, o, other, i))
            continue;
        if (out->n > TEXT_MOST) {
            str_add(out, ", ...");
            return;
        }
        str_printf(out, "%s%s%s", shown++ ? ", " : "", f->name, *f->name ? " = " : "");
        expr_print_c_kind(p, expr_or_value(p, ev, f->value, values), f->kind, TEXT_MOST, out);
    }
}

static void print_parts(ExprPool *p, ExprEval *ev, const SignatureOutput *o, bool values, Str *out)
{
    for (uint32_t i = 0; i < o->parts.n && out->n < TEXT_MOST; i++) {
        const SignaturePart *part = &o->parts.v[i];
        str_add(out, i ? " " : "");
        if (part->text)
            print_quoted(part->text, part->size, out);
        else
            expr_print_c(p, expr_or_value(p, ev, part->value, values), TEXT_MOST, out);
    }
}

/* What a version shows: as expressions, or `values` for the input of the evaluation. */
static const char *output_text(const Comparison *c, ExprEval *ev, const SignatureOutput *o,
                               const SignatureOutput *other, bool values)
{
    Str out = {0};
    if (text_starts_with(o ? o->name : other->name, VM_OUTPUT_FREED))
        return o ? "freed" : "not freed";
    if (o && o->kind == SIGNATURE_TEXT && values) {
        Str text = {0};
        joint_text_render(ev, o, &text);
        print_quoted(str_text(&text), text.n, &out);
        str_free(&text);
    } else if (o && o->kind == SIGNATURE_DATA && o->fields.n) {
        print_fields(c->j->pool, ev, o, other, values, &out);
    } else if (o) {
        print_parts(c->j->pool, ev, o, values, &out);
    }
    const char *result = out.n                            ? arena_strdup(c->j->arena, str_text(&out))
                         : o && o->kind == SIGNATURE_TEXT ? "nothing"
                                                          : "unchanged";
    str_free(&out);
    return result;
}

static bool is_described(const JointRow *row, const char *name)
{
    for (uint32_t i = 0; i < row->changes.n; i++)
        if (!strcmp(row->changes.v[i].name, name))
            return true;
    return false;
}

void joint_describe(Comparison *c)
{
    ExprEval *ev = expr_eval_new(c->j->pool);
    expr_eval_input(ev, &c->row->input);
    for (uint32_t i = 0; i < c->differences.n; i++) {
        const char *name = c->differences.v[i].output;
        if (!expr_eval_true(ev, c->differences.v[i].condition) || is_described(c->row, name))
            continue;
        JointChange change = {.name = arena_strdup(c->j->arena, name)};
        for (unsigned v = 0; v < 2; v++) {
            const SignatureOutput *o = joint_output_find(&c->shown[v], name),
                                  *other = joint_output_find(&c->shown[!v], name);
            change.text[v] = output_text(c, ev, o, other, false);
            change.value[v] = output_text(c, ev, o, other, true);
        }
        vec_push(&c->row->changes, change);
    }
    expr_eval_free(ev);
}

void joint_describe_ending(Comparison *c)
{
    JointChange change = {.name = "ending"};
    for (unsigned v = 0; v < 2; v++) {
        const SignatureEnd *end = &c->row->end[v];
        change.text[v] = change.value[v] = end->ending == VM_END_FAULT ? vm_fault_message(end->fault)
                                           : end->ending == VM_END_EXIT && !c->j->options.entry[v]
                                               ? "exits"
                                               : "returns";
    }
    vec_push(&c->row->changes, change);
}

void joint_quote(const char *text, uint32_t n, uint32_t most, Str *out)
{
    static const char names[] = "n\nt\tr\r\\\\\"\"";
    for (uint32_t i = 0; i < n; i++) {
        if (i == most) {
            str_add(out, "...");
            return;
        }
        const char *known = NULL;
        for (const char *at = names; *at && !known; at += 2)
            if (at[1] == text[i])
                known = at;
        if (known)
            str_printf(out, "\\%c", *known);
        else if (text[i] >= ' ' && text[i] < 127)
            str_add_char(out, text[i]);
        else
            str_printf(out, "\\%03o", (uint8_t)text[i]);
    }
}
