/* signature.c - signatures as text: conditions as C over the program's own names, and the table. */
#include "report/signature_int.h"

#include <stdlib.h>

enum {
    CONDITION_LIMIT = 1000,  /* characters of one conjunct */
    CONDITIONS_LIMIT = 4000, /* characters after which a row's other conjuncts are counted */
    TABLE_MOST = 1 << 16,    /* bytes of an array that is known by its name */
    SIMPLIFY_SECONDS = 5,    /* for all rows, beyond what the exploration took */
    CLASSES_SHOWN = 6,       /* ways to fail at one place */
    COLUMN_MOST = 64         /* conditions wider than that have their outputs on the next line */
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* What a row says of the pointers of the input, put in place of them everywhere else: p + i == 4711 becomes i
 * == 3. NULL if it says nothing. */
static ExprSubst *pointers_of(ExprPool *p, const ExprVec *condition)
{
    ExprSubst *s = NULL;
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i], bytes[8];
        if (!expr_is_pointer_equality(p, c))
            continue;
        s = s ? s : expr_subst_new(p);
        for (uint32_t k = 0; k < 8; k++) {
            bytes[k] = expr_extract(p, expr_child(p, c, 0), 8 * k, 8);
            expr_subst_add(s, bytes[k], expr_extract(p, expr_child(p, c, 1), 8 * k, 8));
        }
    }
    return s;
}

/* What a row's condition says, for what it shows: its conjuncts are true, and terms that it compares with one
 * value have that; but a plain input keeps its name. Takes the pointers over. */
static ExprSubst *facts_of(ExprPool *p, const ExprVec *condition, ExprSubst *pointers)
{
    ExprSubst *s = pointers ? pointers : expr_subst_new(p);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        bool negated = expr_op(p, c) == EXPR_NOT,
             equal = expr_op(p, c) == EXPR_EQ && expr_is_const(p, expr_child(p, c, 1));
        ExprOp op = equal ? expr_op(p, expr_child(p, c, 0)) : EXPR_CONST;
        if (equal && op != EXPR_SYMBOL && op != EXPR_CONCAT && op != EXPR_CONST)
            expr_subst_add(s, expr_child(p, c, 0), expr_child(p, c, 1));
        else if (!expr_is_pointer_equality(p, c) && op == EXPR_CONST)
            expr_subst_add(s, negated ? expr_child(p, c, 0) : c, negated ? EXPR_FALSE : EXPR_TRUE);
    }
    return s;
}

static ExprVec simple(Explore *x, const ExprVec *condition, const ExprVec *given, ExprSubst *pointers,
                      const ExplorePatience *patience)
{
    ExprVec out = {0}, known = {0};
    ExprPool *p = explore_pool(x);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        vec_push(&known, pointers && !expr_is_pointer_equality(p, c) ? expr_subst_apply(pointers, c) : c);
    }
    explore_simplify(explore_solver(x), p, &known, given, patience, &out);
    vec_free(&known);
    return out;
}

/* A pointer that leads to an object of its own in one row may lead to another's in the next: the condition
 * must distinguish them. */
static void add_alias_conditions(ReportRows *r, ExprVec *condition)
{
    ExprPool *p = explore_pool(r->explore);
    ExprVec out = {0};
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        vec_push(&out, c);
        for (uint32_t k = 0; expr_is_pointer_own(p, c) && k < r->aliases.n; k++)
            if (expr_same(expr_child(p, r->aliases.v[k], 0), expr_child(p, c, 0)))
                vec_push(&out, expr_not(p, r->aliases.v[k]));
    }
    vec_free(condition);
    *condition = out;
}

static void note_aliases(ReportRows *r, const ExprVec *condition)
{
    ExprPool *p = explore_pool(r->explore);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        bool known = !expr_is_pointer_equality(p, c) || expr_is_pointer_own(p, c) ||
                     expr_is_value(p, expr_child(p, c, 1), 0);
        for (uint32_t k = 0; k < r->aliases.n && !known; k++)
            known = expr_same(r->aliases.v[k], c);
        if (!known)
            vec_push(&r->aliases, c);
    }
}

/* Arrays that are never written are known by their names. */
static void name_tables(ReportRows *r)
{
    ExprPool *p = explore_pool(r->explore);
    for (uint32_t i = 0; i < r->program->globals.n; i++) {
        const IrGlobal *g = &r->program->globals.v[i];
        const IrCType *t = g->ctype ? &r->program->ctypes.v[g->ctype] : NULL;
        if (!t || t->kind != IR_C_ARRAY || !g->constant || !g->bytes || g->relocs.n || g->size > TABLE_MOST)
            continue;
        const IrCType *of = &r->program->ctypes.v[t->of];
        size_t n;
        const char *name = vm_plain_name(ir_text(r->program, g->name), &n);
        if (of->kind == IR_C_RECORD || of->kind == IR_C_ARRAY || of->kind == IR_C_UNKNOWN || !of->size)
            continue;
        expr_table_add(p, (ExprTable){arena_strndup(r->signature->arena, name, n), g->bytes,
                                      (uint32_t)g->size, (unsigned)of->size, vm_c_kind(of->kind)});
    }
}

void report_rows_init(ReportRows *r, Explore *x)
{
    const Signature *s = explore_signature(x);
    ExprPool *p = explore_pool(x);
    *r = (ReportRows){.explore = x, .program = explore_program(x), .signature = s};
    name_tables(r);
    ExplorePatience patience = {.seconds = 1,
                                .bytes = (size_t)1 << 30,
                                .stop = explore_stop(x),
                                .deadline = clock_seconds() + SIMPLIFY_SECONDS + explore_seconds(x)};
    r->given = simple(x, &s->given, NULL, NULL, &patience);
    for (uint32_t i = 0; i < s->rows.n; i++) {
        note_aliases(r, &s->rows.v[i].condition);
        ExprSubst *pointers = pointers_of(p, &s->rows.v[i].condition);
        vec_push(&r->rows, simple(x, &s->rows.v[i].condition, &s->given, pointers, &patience));
        vec_push(&r->facts, facts_of(p, &s->rows.v[i].condition, pointers));
    }
    for (uint32_t i = 0; i < s->failures.n; i++) {
        const SignatureFailure *f = &s->failures.v[i];
        ExprSubst *pointers = pointers_of(p, &f->condition);
        note_aliases(r, &f->condition);
        vec_push(&r->failures, simple(x, &f->condition, f->end.ending == VM_END_ASSUMPTION ? NULL : &s->given,
                                      pointers, &patience));
        if (pointers)
            expr_subst_free(pointers);
    }
    for (uint32_t i = 0; i < r->rows.n; i++)
        add_alias_conditions(r, &r->rows.v[i]);
    for (uint32_t i = 0; i < r->failures.n; i++)
        add_alias_conditions(r, &r->failures.v[i]);
}

void report_rows_free(ReportRows *r)
{
    for (uint32_t i = 0; i < r->rows.n; i++) {
        vec_free(&r->rows.v[i]);
        expr_subst_free(r->facts.v[i]);
    }
    for (uint32_t i = 0; i < r->failures.n; i++)
        vec_free(&r->failures.v[i]);
    vec_free(&r->rows);
    vec_free(&r->facts);
    vec_free(&r->failures);
    vec_free(&r->aliases);
    vec_free(&r->given);
}

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

/* A disjunction inside a conjunction needs parentheses. */
static void print_conjunct(const ExprPool *p, Expr c, bool alone, Str *out)
{
    Str text = {0};
    expr_print_c(p, c, CONDITION_LIMIT, &text);
    bool loose = !alone && (strstr(str_text(&text), " || ") || strstr(str_text(&text), " ? "));
    str_printf(out, loose ? "(%s)" : "%s", str_text(&text));
    str_free(&text);
}

void report_condition(const ExprPool *p, const ExprVec *condition, Str *out)
{
    if (!condition->n)
        str_add(out, "always");
    size_t start = out->n;
    for (uint32_t i = 0; i < condition->n; i++) {
        str_add(out, i ? " && " : "");
        if (out->n - start > CONDITIONS_LIMIT) {
            str_printf(out, "... (%u more)", condition->n - i);
            return;
        }
        if (i + 1 < condition->n && print_range(p, condition->v[i], condition->v[i + 1], out))
            i++;
        else
            print_conjunct(p, condition->v[i], condition->n == 1, out);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

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
        str_printf(out, "  %s%-*s", always ? "" : "when ",
                   wide     ? 0
                   : always ? column + 5
                            : column,
                   conditions.v[i]);
        str_add(out, wide ? "\n          " : "   ");
        report_outputs(r, i, out);
        str_add_char(out, '\n');
        mem_free(conditions.v[i]);
    }
    vec_free(&conditions);
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
    const SignatureFailure *f = &r->signature->failures.v[i];
    str_add(out, f->end.ending == VM_END_FAULT ? "fails " : "not known ");
    str_add(out, r->failures.v[i].n ? "when " : "");
    report_condition(explore_pool(r->explore), &r->failures.v[i], out);
    str_add(out, ": ");
    report_end(r, &f->end, out);
    str_add_char(out, '\n');
}

static void print_failures(const ReportRows *r, Str *out)
{
    const SignatureFailure *all = r->signature->failures.v;
    for (uint32_t i = 0; i < r->failures.n; i++) {
        uint32_t before = 0, behind = 0;
        for (uint32_t k = 0; k < i && before <= CLASSES_SHOWN; k++)
            before += is_listed(&all[k]) && is_same_place(&all[k], &all[i]);
        if (!is_listed(&all[i]) || before > CLASSES_SHOWN)
            continue;
        for (uint32_t k = i; k < r->failures.n && before == CLASSES_SHOWN; k++)
            behind += is_same_place(&all[k], &all[i]);
        if (behind <= 1) {
            print_failure(r, i, out);
            continue;
        }
        str_printf(out, "and in %u more ways: ", behind);
        report_end(r, &all[i].end, out);
        str_add_char(out, '\n');
    }
}

/* As 'sheaf test' lists them, each once for a place. */
static void print_needs(const ReportRows *r, Str *out)
{
    const SignatureFailure *all = r->signature->failures.v;
    bool any = false;
    for (uint32_t i = 0; i < r->failures.n; i++) {
        bool before = false;
        for (uint32_t k = 0; k < i; k++)
            before |= is_need(&all[k]) && is_same_place(&all[k], &all[i]) &&
                      !strcmp(all[k].end.need, all[i].end.need);
        if (!is_need(&all[i]) || before)
            continue;
        str_printf(out, "%s  %s   else ", any ? "" : "needs a caller that passes\n", all[i].end.need);
        report_end(r, &all[i].end, out);
        str_add(out, r->failures.v[i].n ? ", when " : "");
        report_condition(explore_pool(r->explore), &r->failures.v[i], out);
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
        any |= is_listed(&r->signature->failures.v[i]);
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
    str_printf(out, "%u behaviour%s (%s, %llu run%s, %.2f s)\n", r->rows.n, r->rows.n == 1 ? "" : "s",
               complete ? "complete" : "incomplete", (unsigned long long)runs, runs == 1 ? "" : "s",
               explore_seconds(r->explore));
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
    print_needs(r, out);
    ledger_assumptions_text(ledger, out);
}
