/* signature.c - signatures as text: conditions as C over the program's own names, and the table. */
#include "report/signature_int.h"

#include <stdlib.h>

enum {
    CONDITION_LIMIT = 1000,  /* characters of one conjunct */
    CONDITIONS_LIMIT = 4000, /* characters after which a row's other conjuncts are counted */
    DEPTH_MOST = 16,         /* connectives below each other that are printed as here */
    CLASSES_SHOWN = 6,       /* ways to fail at one place */
    COLUMN_MOST = 64,        /* conditions wider than that have their outputs on the next line */
    LINE_MOST = 100          /* disjunctions wider than that have a line for each alternative */
};

/* ---- conditions ------------------------------------------------------------------------------ */

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
    if (!is_bound(p, lower, true, &a, &signed_a) || !is_bound(p, upper, false, &b, &signed_b) ||
        !expr_same(a, b) || signed_a != signed_b)
        return false;
    Str low = {0}, high = {0}, term = {0}, again = {0}, from = {0}, to = {0};
    char op_low[3], op_high[3];
    expr_print_c(p, lower, CONDITION_LIMIT, &low);
    expr_print_c(p, upper, CONDITION_LIMIT, &high);
    bool good = take_apart(str_text(&low), &term, op_low, &from) &&
                take_apart(str_text(&high), &again, op_high, &to) &&
                !strcmp(str_text(&term), str_text(&again)) && op_low[0] == '>' && op_high[0] == '<';
    if (good && !op_low[1] && is_number(str_text(&from)))
        shift_number(&from, 1), op_low[1] = '=';
    if (good && !op_high[1] && is_number(str_text(&to)))
        shift_number(&to, -1), op_high[1] = '=';
    if (good)
        str_printf(out, "%s <%s %s && %s <%s %s", str_text(&from), op_low[1] ? "=" : "", str_text(&term),
                   str_text(&term), op_high[1] ? "=" : "", str_text(&to));
    str_free(&low);
    str_free(&high);
    str_free(&term);
    str_free(&again);
    str_free(&from);
    str_free(&to);
    return good;
}

/* An or is not(and(not a, not b)). */
static bool is_disjunction(const ExprPool *p, Expr c)
{
    return expr_op(p, c) == EXPR_NOT && expr_op(p, expr_child(p, c, 0)) == EXPR_AND;
}

static void print_conjunction(ExprPool *p, const ExprVec *list, unsigned depth, Str *out);

/* The alternatives of a disjunction; beyond the limit they are counted. */
static void print_disjunction(ExprPool *p, Expr c, const char * or, unsigned depth, Str *out)
{
    ExprVec parts = {0};
    size_t start = out->n;
    expr_split(p, expr_child(p, c, 0), &parts);
    for (uint32_t i = 0; i < parts.n; i++) {
        ExprVec one = {0};
        str_add(out, i ? or : "");
        if (out->n - start > CONDITIONS_LIMIT) {
            str_printf(out, "... (%u more)", parts.n - i);
            break;
        }
        expr_split(p, expr_not(p, parts.v[i]), &one);
        print_conjunction(p, &one, depth + 1, out);
        vec_free(&one);
    }
    vec_free(&parts);
}

/* A disjunction inside a conjunction needs parentheses. */
static void print_conjunct(ExprPool *p, Expr c, bool alone, unsigned depth, Str *out)
{
    Str text = {0};
    if (depth < DEPTH_MOST && is_disjunction(p, c))
        print_disjunction(p, c, " || ", depth, &text);
    else
        expr_print_c(p, c, CONDITION_LIMIT, &text);
    bool loose = !alone && (strstr(str_text(&text), " || ") || strstr(str_text(&text), " ? "));
    str_printf(out, loose ? "(%s)" : "%s", str_text(&text));
    str_free(&text);
}

static void print_conjunction(ExprPool *p, const ExprVec *list, unsigned depth, Str *out)
{
    size_t start = out->n;
    for (uint32_t i = 0; i < list->n; i++) {
        str_add(out, i ? " && " : "");
        if (out->n - start > CONDITIONS_LIMIT) {
            str_printf(out, "... (%u more)", list->n - i);
            return;
        }
        if (i + 1 < list->n && (print_range(p, list->v[i], list->v[i + 1], out) ||
                                print_range(p, list->v[i + 1], list->v[i], out)))
            i++;
        else
            print_conjunct(p, list->v[i], list->n == 1, depth, out);
    }
}

void report_condition(ExprPool *p, const ExprVec *condition, Str *out)
{
    if (!condition->n)
        str_add(out, "always");
    print_conjunction(p, condition, 0, out);
}

static bool is_wide(ExprPool *p, Expr c)
{
    Str text = {0};
    print_conjunct(p, c, true, 0, &text);
    bool wide = text.n > LINE_MOST;
    str_free(&text);
    return wide;
}

/* Of a long disjunction a line for each alternative, behind all that is short. */
static void print_in_lines(ExprPool *p, const ExprVec *condition, Str *out)
{
    ExprVec small = {0}, large = {0};
    for (uint32_t i = 0; i < condition->n; i++)
        if (is_disjunction(p, condition->v[i]) && is_wide(p, condition->v[i]))
            vec_push(&large, condition->v[i]);
        else
            vec_push(&small, condition->v[i]);
    if (small.n == 1)
        print_conjunct(p, small.v[0], !large.n, 0, out);
    else
        print_conjunction(p, &small, 0, out);
    for (uint32_t i = 0; i < large.n; i++) {
        bool alone = condition->n == 1;
        str_add(out, i || small.n ? "\n    && (" : alone ? "" : "(");
        print_disjunction(p, large.v[i], alone ? "\n    || " : "\n     || ", 0, out);
        str_add(out, alone ? "" : ")");
    }
    vec_free(&small);
    vec_free(&large);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_rows(const ReportRows *r, Str *out)
{
    ExprPool *p = explore_pool(r->explore);
    Vec(char *) conditions = {0};
    int column = 0;
    for (uint32_t i = 0; i < r->rows.n; i++) {
        Str text = {0};
        report_condition(p, &r->rows.v[i].condition, &text);
        if ((int)text.n <= COLUMN_MOST && (int)text.n > column)
            column = (int)text.n;
        vec_push(&conditions, str_take(&text));
    }
    for (uint32_t i = 0; i < r->rows.n; i++) {
        const ExprVec *condition = &r->rows.v[i].condition;
        bool wide = (int)strlen(conditions.v[i]) > COLUMN_MOST, always = !condition->n;
        str_add(out, always ? "  " : "  when ");
        if (wide)
            print_in_lines(p, condition, out);
        else
            str_printf(out, "%-*s", always ? column + 5 : column, conditions.v[i]);
        str_add(out, wide ? "\n          " : "   ");
        report_outputs(r, i, out);
        str_add_char(out, '\n');
        mem_free(conditions.v[i]);
    }
    vec_free(&conditions);
}

static const SignatureFailure *failure_of(const ReportRows *r, uint32_t i)
{
    return &r->signature->failures.v[r->failures.v[i].shown];
}

static bool is_need(const SignatureFailure *f) { return f->end.need && *f->end.need; }
/* A violated assumption is not a failure, and what a caller must pass is a list of its own. */
static bool is_listed(const SignatureFailure *f) { return f->end.ending != VM_END_ASSUMPTION && !is_need(f); }

/* Of many failures at one place a few are listed. */
static bool is_same_place(const SignatureFailure *a, const SignatureFailure *b)
{
    return a->end.ending == b->end.ending && a->end.site == b->end.site && a->end.fault == b->end.fault;
}

static void print_failure(const ReportRows *r, uint32_t i, Str *out)
{
    const SignatureFailure *f = failure_of(r, i);
    str_add(out, f->end.ending == VM_END_FAULT ? "fails " : "not known ");
    str_add(out, r->failures.v[i].condition.n ? "when " : "");
    report_condition(explore_pool(r->explore), &r->failures.v[i].condition, out);
    str_add(out, ": ");
    report_end(r, &f->end, out);
    if (f->end.maker)
        str_printf(out, ", while an argument was made: it is a fault of %s", f->end.maker);
    str_add_char(out, '\n');
}

static void print_failures(const ReportRows *r, Str *out)
{
    for (uint32_t i = 0; i < r->failures.n; i++) {
        uint32_t before = 0, behind = 0;
        for (uint32_t k = 0; k < i && before <= CLASSES_SHOWN; k++)
            before += is_listed(failure_of(r, k)) && is_same_place(failure_of(r, k), failure_of(r, i));
        if (!is_listed(failure_of(r, i)) || before > CLASSES_SHOWN)
            continue;
        for (uint32_t k = i; k < r->failures.n && before == CLASSES_SHOWN; k++)
            behind += is_same_place(failure_of(r, k), failure_of(r, i));
        if (behind <= 1) {
            print_failure(r, i, out);
            continue;
        }
        str_printf(out, "and in %u more ways: ", behind);
        report_end(r, &failure_of(r, i)->end, out);
        str_add_char(out, '\n');
    }
}

/* As 'sheaf test' lists them, each once for a place: the entry's, or those of calls that make its
 * arguments. */
static void print_needs(const ReportRows *r, const char *title, bool making, Str *out)
{
    bool any = false;
    for (uint32_t i = 0; i < r->failures.n; i++) {
        bool before = false;
        for (uint32_t k = 0; k < i; k++)
            before |= is_need(failure_of(r, k)) && is_same_place(failure_of(r, k), failure_of(r, i)) &&
                      !strcmp(failure_of(r, k)->end.need, failure_of(r, i)->end.need);
        if (!is_need(failure_of(r, i)) || before || !failure_of(r, i)->end.maker != !making)
            continue;
        str_printf(out, "%s%s  %s   else ", any ? "" : title, any ? "" : "\n", failure_of(r, i)->end.need);
        report_end(r, &failure_of(r, i)->end, out);
        str_add(out, r->failures.v[i].condition.n ? ", when " : "");
        report_condition(explore_pool(r->explore), &r->failures.v[i].condition, out);
        str_add_char(out, '\n');
        any = true;
    }
}

/* Are these all failures? */
static void print_surety(const ReportRows *r, Str *out)
{
    const Ledger *ledger = explore_ledger(r->failing);
    bool any = false;
    for (uint32_t i = 0; i < r->failures.n; i++)
        any |= is_listed(failure_of(r, i));
    if (ledger_count(ledger))
        str_printf(out, "%s, because\n",
                   any ? "there may be other places that fail"
                       : "no input was found that fails, but there may be some");
    else
        str_printf(out, "%s (%llu run%s to look for them)\n", any ? "no other place fails" : "no input fails",
                   (unsigned long long)explore_count(r->failing, EXPLORE_RUNS),
                   explore_count(r->failing, EXPLORE_RUNS) == 1 ? "" : "s");
    report_ledger_text(ledger, r->program, "  ", r->verbose, out);
}

void report_rows_text(const ReportRows *r, Str *out)
{
    const Ledger *ledger = explore_ledger(r->explore);
    bool complete = r->signature->certified && !ledger_count(ledger);
    uint64_t runs = explore_count(r->explore, EXPLORE_RUNS);
    if (r->criterion)
        str_printf(out, "%s: ", r->criterion);
    str_printf(out, "%u behaviour%s", r->rows.n, r->rows.n == 1 ? "" : "s");
    if (r->rows.n < r->signature->rows.n)
        str_printf(out, " in %u ways", r->signature->rows.n);
    str_printf(out, " (%s, %llu run%s, %.2f s)\n", complete ? "complete" : "incomplete",
               (unsigned long long)runs, runs == 1 ? "" : "s", explore_seconds(r->explore));
    print_rows(r, out);
    print_failures(r, out);
    if (r->failing)
        print_surety(r, out);
    if (r->given.n) {
        str_add(out, "given ");
        report_condition(explore_pool(r->explore), &r->given, out);
        str_add_char(out, '\n');
    }
    if (ledger_count(ledger))
        str_add(out, "incomplete, because\n");
    report_ledger_text(ledger, r->program, "  ", r->verbose, out);
    if (ledger_shape_count(ledger)) {
        str_add(out, complete ? "complete for: " : "and only for: ");
        ledger_shapes_text(ledger, out);
        str_add_char(out, '\n');
    }
    print_needs(r, "needs a caller that passes", false, out);
    print_needs(r, "calls that make arguments are left out unless they pass", true, out);
    ledger_assumptions_text(ledger, out);
}
