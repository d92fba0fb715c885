/* signature.c - signatures as text: conditions and outputs as C over the program's own names. */
#include "report/report.h"

#include <ctype.h>
#include <stdlib.h>

enum {
    CONDITION_LIMIT = 1000,                   /* characters of one conjunct */
    VALUE_LIMIT = 400,                        /* of one value */
    TEXT_SHOWN = 160,                         /* bytes of literal text */
    PARTS_SHOWN = 24,                         /* values of one output */
    COLUMN_MOST = 64                          /* conditions wider than that have their outputs on the next line */
};

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static ExprVec simple(Explore *x, const ExprVec *condition, const ExprVec *given)
{
    ExprVec out = {0};
    ExplorePatience patience = {.seconds = 2};
    explore_simplify(explore_solver(x), explore_pool(x), condition, given, &patience, &out);
    return out;
}

void report_rows_init(ReportRows *r, Explore *x)
{
    const Signature *s = explore_signature(x);
    *r = (ReportRows){.explore = x, .program = explore_program(x), .signature = s};
    r->given = simple(x, &s->given, NULL);
    for (uint32_t i = 0; i < s->rows.n; i++)
        vec_push(&r->rows, simple(x, &s->rows.v[i].condition, &s->given));
    for (uint32_t i = 0; i < s->failures.n; i++)
        vec_push(&r->failures, simple(x, &s->failures.v[i].condition, s->failures.v[i].end.ending == VM_END_ASSUMPTION ? NULL : &s->given));
}

void report_rows_free(ReportRows *r)
{
    for (uint32_t i = 0; i < r->rows.n; i++)
        vec_free(&r->rows.v[i]);
    for (uint32_t i = 0; i < r->failures.n; i++)
        vec_free(&r->failures.v[i]);
    vec_free(&r->rows);
    vec_free(&r->failures);
    vec_free(&r->given);
}

/* ---- conditions ------------------------------------------------------------------------------------------------ */

/* Is the conjunct a bound? *term is then what it bounds; signed and unsigned bounds are told apart by *op. */
static bool is_bound(const ExprPool *p, Expr c, bool lower, Expr *term, ExprOp *op)
{
    if ((expr_op(p, c) == EXPR_NOT) != lower)
        return false;
    Expr e = lower ? expr_child(p, c, 0) : c;
    *op = expr_op(p, e);
    if ((*op != EXPR_SLT && *op != EXPR_ULT) || !expr_is_const(p, expr_child(p, e, 1)))
        return false;
    *term = expr_child(p, e, 0);
    return true;
}

/* "x + y >= 3" into "x + y", the operator and "3". */
static bool take_apart(const char *text, Str *left, char op[3], Str *right)
{
    const char *last = strrchr(text, ' ');
    if (!last || last - text < 3)
        return false;
    const char *before = last;
    while (before > text && before[-1] != ' ')
        before--;
    size_t n = (size_t)(last - before);
    if (n < 1 || n > 2 || (before[0] != '<' && before[0] != '>') || before == text)
        return false;
    memcpy(op, before, n);
    op[n] = 0;
    str_add_n(left, text, (size_t)(before - 1 - text));
    str_add(right, last + 1);
    return true;
}

/* A number that is off by one with the other operator. */
static void shift_number(Str *number, int by)
{
    char *end;
    long long value = strtoll(str_text(number), &end, 10);
    vec_clear(number);
    str_printf(number, "%lld", value + by);
}

static bool is_number(const char *text)
{
    text += *text == '-';
    size_t n = strspn(text, "0123456789");
    return n > 0 && n < 18 && !text[n];
}

/* "3 <= n && n <= 7" if the two are a lower and an upper bound of one term. */
static bool print_range(const ExprPool *p, Expr lower, Expr upper, Str *out)
{
    Expr a, b;
    ExprOp signed_a, signed_b;
    if (!is_bound(p, lower, true, &a, &signed_a) || !is_bound(p, upper, false, &b, &signed_b) || !expr_same(a, b) || signed_a != signed_b)
        return false;
    Str low = {0}, high = {0}, term = {0}, again = {0}, from = {0}, to = {0};
    char op_low[3], op_high[3];
    expr_print_c(p, lower, CONDITION_LIMIT, &low);
    expr_print_c(p, upper, CONDITION_LIMIT, &high);
    bool good = take_apart(str_text(&low), &term, op_low, &from) && take_apart(str_text(&high), &again, op_high, &to) &&
                !strcmp(str_text(&term), str_text(&again)) && op_low[0] == '>' && op_high[0] == '<';
    if (good && !op_low[1] && is_number(str_text(&from)))
        shift_number(&from, 1), op_low[1] = '=';
    if (good && !op_high[1] && is_number(str_text(&to)))
        shift_number(&to, -1), op_high[1] = '=';
    if (good)
        str_printf(out, "%s <%s %s && %s <%s %s", str_text(&from), op_low[1] ? "=" : "", str_text(&term), str_text(&term),
                   op_high[1] ? "=" : "", str_text(&to));
    str_free(&low);
    str_free(&high);
    str_free(&term);
    str_free(&again);
    str_free(&from);
    str_free(&to);
    return good;
}

/* Addresses are the machine's own: that a pointer has one says that it leads somewhere. */
static bool is_address(const ExprPool *p, Expr c)
{
    return expr_op(p, c) == EXPR_EQ && expr_width(p, expr_child(p, c, 0)) == 64 && expr_is_const(p, expr_child(p, c, 1)) &&
           expr_const_value(p, expr_child(p, c, 1)) >> 40 && !(expr_const_value(p, expr_child(p, c, 1)) >> 48);
}

/* A disjunction inside a conjunction needs parentheses. */
static void print_conjunct(const ExprPool *p, Expr c, bool alone, Str *out)
{
    Str text = {0};
    bool address = is_address(p, c);
    expr_print_c(p, address ? expr_child(p, c, 0) : c, CONDITION_LIMIT, &text);
    if (address)
        str_add(&text, " != 0");
    bool loose = !alone && (strstr(str_text(&text), " || ") || strstr(str_text(&text), " ? "));
    str_printf(out, loose ? "(%s)" : "%s", str_text(&text));
    str_free(&text);
}

void report_condition(const ExprPool *p, const ExprVec *condition, Str *out)
{
    if (!condition->n)
        str_add(out, "always");
    for (uint32_t i = 0; i < condition->n; i++) {
        str_add(out, i ? " && " : "");
        if (i + 1 < condition->n && print_range(p, condition->v[i], condition->v[i + 1], out))
            i++;
        else
            print_conjunct(p, condition->v[i], condition->n == 1, out);
    }
}

/* ---- outputs ----------------------------------------------------------------------------------------------------- */

static void print_literal(const char *text, uint32_t n, bool in_format, Str *out)
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
    str_add_char(out, part->format.conversion);
}

static void print_value(const ExprPool *p, const SignaturePart *part, Str *out)
{
    if (!expr_is_const(p, part->value) || part->size > 8) {
        expr_print_c(p, part->value, VALUE_LIMIT, out);
        return;
    }
    unsigned unused = 64 - 8 * part->size;
    str_printf(out, "%lld", (long long)((int64_t)((uint64_t)expr_const_value(p, part->value) << unused) >> unused));
}

/* How many parts from i on are neighbouring bytes of one input object. */
static uint32_t run_of_bytes(const ExprPool *p, const SignatureOutput *o, uint32_t i)
{
    uint32_t n = 0, at = 0, offset;
    ExprObject object = {0};
    for (; i + n < o->parts.n; n++) {
        const SignaturePart *part = &o->parts.v[i + n];
        if (part->text || part->size != 1 || part->format.conversion != 'c' || expr_op(p, part->value) != EXPR_SYMBOL)
            break;
        ExprObject of = expr_symbol_object(p, part->value, &offset);
        if (n && (of.id != object.id || offset != at + n))
            break;
        if (!n)
            object = of, at = offset;
    }
    return n;
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
            print_literal(part->text, n, formats, out);
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
        expr_print_c(p, part->value, VALUE_LIMIT, &arguments);
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
            print_literal(part->text, n, false, out);
            str_add(out, n < part->size ? "\"..." : "\"");
        } else if (run > 1) {
            Str first = {0};
            expr_print_c(p, part->value, VALUE_LIMIT, &first);
            const char *bracket = strrchr(str_text(&first), '[');
            str_add_n(out, str_text(&first), bracket ? (size_t)(bracket - str_text(&first)) : first.n);
            uint32_t offset;
            expr_symbol_object(p, part->value, &offset);
            str_printf(out, "[%u..%u]", offset, offset + run - 1);
            str_free(&first);
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

/* Is it worth a word? An exit status of 0 and an empty stream are not, if they are so in every row; nor is what an entry
 * function may write and never does. */
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

static void print_output(const ReportRows *r, const SignatureOutput *o, Str *out)
{
    const ExprPool *p = explore_pool(r->explore);
    if (!strcmp(o->name, "return") && o->entry) {
        str_add(out, "returns ");
        print_data(p, o, out);
    } else if (!strcmp(o->name, "status")) {
        str_add(out, "exit ");
        print_value(p, &o->parts.v[0], out);
    } else if (o->kind == SIGNATURE_TEXT) {
        str_add(out, "prints ");
        if (o->parts.n)
            print_text(p, o, out);
        else
            str_add(out, "nothing");
        str_add(out, !strcmp(o->name, "stderr") ? " to stderr" : "");
    } else {
        str_printf(out, "%s = ", o->name);
        print_data(p, o, out);
    }
}

static void print_end(const ReportRows *r, const SignatureEnd *end, Str *out)
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

/* Names of outputs over all rows, so that one that a row lacks can be told. */
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
    const SignatureRow *s = &r->signature->rows.v[row];
    StrVec names = {0};
    bool any = false;
    if (s->end.ending == VM_END_FAULT) {
        str_add(out, "fails: ");
        print_end(r, &s->end, out);
        return;
    }
    all_names(r, &names);
    for (uint32_t i = 0; i < names.n; i++) {
        if (!matters(r, names.v[i]))
            continue;
        const SignatureOutput *o = find_output(s, names.v[i]);
        if (o ? o->unchanged : is_of_entry(r, names.v[i]))
            continue;
        str_add(out, any ? ", " : "");
        if (o)
            print_output(r, o, out);
        else
            str_printf(out, "%s not reached", names.v[i]);
        any = true;
    }
    if (!any)
        str_add(out, !names.n ? "nothing reached" : is_of_entry(r, names.v[0]) ? "nothing changes" : "exit 0");
    vec_free(&names);
}

/* ---- the table ----------------------------------------------------------------------------------------------------- */

static void print_rows(const ReportRows *r, Str *out)
{
    const ExprPool *p = explore_pool(r->explore);
    Vec(char *) conditions = {0};
    int column = 0;
    for (uint32_t i = 0; i < r->rows.n; i++) {
        Str text = {0};
        report_condition(p, &r->rows.v[i], &text);
        if ((int)text.n <= COLUMN_MOST && (int)text.n > column)
            column = (int)text.n;
        vec_push(&conditions, str_take(&text));
    }
    for (uint32_t i = 0; i < r->rows.n; i++) {
        bool wide = (int)strlen(conditions.v[i]) > COLUMN_MOST, always = !r->rows.v[i].n;
        str_printf(out, "  %s%-*s", always ? "" : "when ", wide ? 0 : always ? column + 5 : column, conditions.v[i]);
        str_add(out, wide ? "\n          " : "   ");
        report_outputs(r, i, out);
        str_add_char(out, '\n');
        mem_free(conditions.v[i]);
    }
    vec_free(&conditions);
}

/* Violated assumptions are nobody's failure. */
static bool is_told(const SignatureFailure *f) { return f->end.ending != VM_END_ASSUMPTION; }

static void print_failures(const ReportRows *r, Str *out)
{
    const ExprPool *p = explore_pool(r->explore);
    for (uint32_t i = 0; i < r->failures.n; i++) {
        const SignatureFailure *f = &r->signature->failures.v[i];
        if (!is_told(f))
            continue;
        str_add(out, "fails ");
        str_add(out, r->failures.v[i].n ? "when " : "");
        report_condition(p, &r->failures.v[i], out);
        str_add(out, ": ");
        print_end(r, &f->end, out);
        str_add_char(out, '\n');
    }
}

void report_rows_text(const ReportRows *r, Str *out)
{
    const Ledger *ledger = explore_ledger(r->explore);
    bool complete = r->signature->certified && !ledger_count(ledger);
    uint64_t runs = explore_count(r->explore, EXPLORE_RUNS);
    if (r->criterion)
        str_printf(out, "%s: ", r->criterion);
    str_printf(out, "%u behaviour%s (%s, %llu run%s, %.2f s)\n", r->rows.n, r->rows.n == 1 ? "" : "s", complete ? "complete" : "incomplete",
               (unsigned long long)runs, runs == 1 ? "" : "s", explore_seconds(r->explore));
    print_rows(r, out);
    print_failures(r, out);
    if (r->given.n) {
        str_add(out, "given ");
        report_condition(explore_pool(r->explore), &r->given, out);
        str_add_char(out, '\n');
    }
    if (ledger_count(ledger))
        str_add(out, "incomplete, because\n");
    for (uint32_t i = 0; i < ledger_count(ledger); i++) {
        str_add(out, "  ");
        ledger_entry_text(ledger_entry(ledger, i), r->program, out);
        str_add_char(out, '\n');
    }
}
