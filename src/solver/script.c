/* script.c - the commands of SMT-LIB 2 scripts. */
#include "solver/script.h"

enum { ARRAY_ROUNDS = 2000 };

bool script_fail(Script *s, uint32_t line, const char *fmt, ...)
{
    if (s->error)
        return false;
    Str text = {0};
    va_list args;
    va_start(args, fmt);
    str_printf(&text, "line %u: ", line);
    str_vprintf(&text, fmt, args);
    va_end(args);
    s->error = arena_strdup(s->arena, str_text(&text));
    str_free(&text);
    return false;
}

Expr script_fresh(Script *s, const char *what, unsigned width)
{
    const char *name = arena_printf(s->arena, "%s!%u", what, s->fresh++);
    return expr_object_symbol(s->pool,
                              expr_object_scalar(s->pool, name, name, width, (ExprCType){EXPR_C_UINT, 0}));
}

/* ---- declarations ---------------------------------------------------------------------------- */

static bool is_new_name(Script *s, const Sexpr *x)
{
    uint64_t at = 0;
    if (!x || x->kind != SEXPR_ATOM)
        return script_fail(s, x ? x->line : 0, "a name is expected");
    strmap_get(&s->newest, x->text, &at);
    return at == 0 || script_fail(s, x->line, "'%s' is declared already", x->text);
}

static bool declare(Script *s, const Sexpr *x, const Sexpr *name, const Sexpr *sort_text)
{
    Sort sort;
    if (!sort_text || !is_new_name(s, name) || !script_sort(s, sort_text, &sort))
        return script_fail(s, x->line, "a declaration that makes no sense");
    Value v = {.sort = sort};
    if (sort.kind == SORT_ARRAY)
        v.array = script_array(s, (ArrayTerm){.kind = ARRAY_DECLARED, .sort = sort, .name = name->text});
    else
        v.e = script_fresh(s, name->text, sort.width);
    script_bind(s, (Binding){.name = name->text, .value = v});
    vec_push(&s->declared, v);
    return true;
}

static bool command_declare_fun(Script *s, const Sexpr *x)
{
    const Sexpr *params = sexpr_child(x, 2);
    if (x->count != 4 || params->kind != SEXPR_LIST)
        return script_fail(s, x->line, "declare-fun wants a name, parameters and a sort");
    if (params->count > 0)
        return script_fail(s, x->line, "uninterpreted functions with parameters are not supported");
    return declare(s, x, sexpr_child(x, 1), sexpr_child(x, 3));
}

static bool command_declare_const(Script *s, const Sexpr *x)
{
    if (x->count != 3)
        return script_fail(s, x->line, "declare-const wants a name and a sort");
    return declare(s, x, sexpr_child(x, 1), sexpr_child(x, 2));
}

/* A value for a definition without parameters; else the body is kept and evaluated at each use. */
static bool define(Script *s, const Sexpr *x, const Sexpr *params, const Sexpr *sort_text, const Sexpr *body)
{
    const Sexpr *name = sexpr_child(x, 1);
    Sort sort, parameter;
    if (!is_new_name(s, name) || !script_sort(s, sort_text, &sort))
        return false;
    Binding b = {.name = name->text, .result = sort};
    if (params && params->count > 0) {
        for (const Sexpr *p = params->first; p; p = p->next)
            if (p->count != 2 || p->first->kind != SEXPR_ATOM || !script_sort(s, p->first->next, &parameter))
                return script_fail(s, p->line, "a parameter that makes no sense");
        b.params = params;
        b.body = body;
    } else {
        if (!script_term(s, body, &b.value))
            return false;
        if (memcmp(&b.value.sort, &sort, sizeof sort) != 0)
            return script_fail(s, x->line, "'%s' has a body of the wrong sort", name->text);
    }
    script_bind(s, b);
    return true;
}

static bool command_define_fun(Script *s, const Sexpr *x)
{
    if (x->count != 5 || sexpr_child(x, 2)->kind != SEXPR_LIST)
        return script_fail(s, x->line, "define-fun wants a name, parameters, a sort and a term");
    return define(s, x, sexpr_child(x, 2), sexpr_child(x, 3), sexpr_child(x, 4));
}

static bool command_define_const(Script *s, const Sexpr *x)
{
    if (x->count != 4)
        return script_fail(s, x->line, "define-const wants a name, a sort and a term");
    return define(s, x, NULL, sexpr_child(x, 2), sexpr_child(x, 3));
}

static bool command_define_sort(Script *s, const Sexpr *x)
{
    Sort sort;
    const Sexpr *name = sexpr_child(x, 1), *params = sexpr_child(x, 2);
    if (x->count != 4 || name->kind != SEXPR_ATOM || params->kind != SEXPR_LIST || params->count != 0)
        return script_fail(s, x->line, "define-sort wants a name, () and a sort");
    if (!script_sort(s, sexpr_child(x, 3), &sort))
        return false;
    vec_push(&s->sort_table, sort);
    strmap_put(&s->sorts, name->text, s->sort_table.n - 1);
    return true;
}

/* ---- assertions ------------------------------------------------------------------------------ */

static bool condition(Script *s, const Sexpr *x, Expr *out)
{
    Value v;
    if (!script_term(s, x, &v))
        return false;
    if (v.sort.kind != SORT_BOOL)
        return script_fail(s, x->line, "a term that is no Bool");
    *out = v.e;
    return true;
}

static bool command_assert(Script *s, const Sexpr *x)
{
    Expr e = EXPR_NONE;
    if (x->count != 2)
        return script_fail(s, x->line, "assert wants one term");
    if (!condition(s, sexpr_child(x, 1), &e))
        return false;
    vec_push(&s->assertions, e);
    return true;
}

/* Solves the assertions; reads of arrays that a model gets wrong are added as facts, until there is none. */
static bool check(Script *s, const Sexpr *x, const ExprVec *assumptions)
{
    static const char *const text[] = {"unknown", "sat", "unsat"};
    SolverStatus status = SOLVER_UNKNOWN;
    double deadline = clock_seconds() + s->seconds;
    for (int round = 0; round < ARRAY_ROUNDS; round++) {
        if (!script_complete_equalities(s))
            return script_fail(s, x->line, "arrays are nested too deeply");
        ExprVec all = {0};
        for (uint32_t i = 0; i < s->assertions.n; i++)
            vec_push(&all, s->assertions.v[i]);
        for (uint32_t i = 0; i < assumptions->n; i++)
            vec_push(&all, assumptions->v[i]);
        for (uint32_t i = 0; i < s->lemmas.n; i++)
            vec_push(&all, s->lemmas.v[i]);
        ExprInput hint = {0};
        expr_input_copy(&hint, &s->answer.model);
        double left = s->seconds > 0 ? deadline - clock_seconds() : 0;
        status = s->seconds > 0 && left <= 0
                     ? SOLVER_UNKNOWN
                     : solver_check(
                           s->solver,
                           &(SolverQuery){.constraints = all.v, .n = all.n, .hint = &hint, .seconds = left},
                           &s->answer);
        expr_input_free(&hint);
        vec_free(&all);
        if (status != SOLVER_SAT || script_repair_reads(s, &s->answer.model) == 0)
            break;
        status = SOLVER_UNKNOWN;
    }
    s->answer.status = status;
    fprintf(s->out, "%s\n", text[status]);
    return true;
}

static bool command_check_sat(Script *s, const Sexpr *x) { return check(s, x, &(ExprVec){0}); }

static bool command_check_sat_assuming(Script *s, const Sexpr *x)
{
    ExprVec assumptions = {0};
    bool ok = x->count == 2 && sexpr_child(x, 1)->kind == SEXPR_LIST;
    if (!ok)
        script_fail(s, x->line, "check-sat-assuming wants a list");
    for (const Sexpr *a = ok ? sexpr_child(x, 1)->first : NULL; a && ok; a = a->next) {
        Expr e = EXPR_NONE;
        ok = condition(s, a, &e);
        if (ok)
            vec_push(&assumptions, e);
    }
    ok = ok && check(s, x, &assumptions);
    vec_free(&assumptions);
    return ok;
}

static bool levels_argument(Script *s, const Sexpr *x, uint32_t *n)
{
    u128 v = 1;
    if (x->count > 2 || (x->count == 2 && (!text_parse_u128(sexpr_child(x, 1)->text, 10, &v) || v > 100000)))
        return script_fail(s, x->line, "%s wants a small number", x->first->text);
    *n = (uint32_t)v;
    return true;
}

static bool command_push(Script *s, const Sexpr *x)
{
    uint32_t n = 0;
    if (!levels_argument(s, x, &n))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&s->levels, s->assertions.n);
        vec_push(&s->levels, s->bindings.n);
        vec_push(&s->levels, s->declared.n);
    }
    return true;
}

static bool command_pop(Script *s, const Sexpr *x)
{
    uint32_t n = 0;
    if (!levels_argument(s, x, &n))
        return false;
    if (n * 3 > s->levels.n)
        return script_fail(s, x->line, "more pops than pushes");
    for (uint32_t i = 0; i < n; i++) {
        s->declared.n = vec_pop(&s->levels);
        script_unbind_to(s, vec_pop(&s->levels));
        s->assertions.n = vec_pop(&s->levels);
    }
    s->answer.status = SOLVER_UNKNOWN;
    return true;
}

static bool command_reset_assertions(Script *s, const Sexpr *x)
{
    (void)x;
    vec_clear(&s->assertions);
    vec_clear(&s->levels);
    return true;
}

static bool command_reset(Script *s, const Sexpr *x)
{
    command_reset_assertions(s, x);
    script_unbind_to(s, 0);
    vec_clear(&s->declared);
    return true;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void print_bits(FILE *out, u128 v, unsigned width)
{
    fprintf(out, "#b");
    for (unsigned i = width; i-- > 0;)
        fputc((int)('0' + (v >> i & 1)), out);
}

static void print_value(FILE *out, Sort sort, u128 v)
{
    if (sort.kind == SORT_BOOL)
        fputs(v ? "true" : "false", out);
    else
        print_bits(out, v, sort.width);
}

static void print_sort(FILE *out, Sort sort)
{
    if (sort.kind == SORT_BOOL)
        fputs("Bool", out);
    else if (sort.kind == SORT_BITS)
        fprintf(out, "(_ BitVec %u)", sort.width);
    else
        fprintf(out, "(Array (_ BitVec %u) (_ BitVec %u))", sort.index, sort.width);
}

static bool has_model(Script *s)
{
    if (s->answer.status == SOLVER_SAT)
        return true;
    fprintf(s->out, "(error \"there is no model\")\n");
    return false;
}

/* What was read of an array, over a default of zero. */
static void print_array(Script *s, const ArrayTerm *a, ExprEval *ev)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->reads.n; i++)
        n += s->reads.v[i].array == a;
    for (uint32_t i = 0; i < n; i++)
        fprintf(s->out, "(store ");
    fprintf(s->out, "((as const ");
    print_sort(s->out, a->sort);
    fprintf(s->out, ") ");
    print_bits(s->out, 0, a->sort.width);
    fputc(')', s->out);
    for (uint32_t i = 0; i < s->reads.n; i++) {
        if (s->reads.v[i].array != a)
            continue;
        fputc(' ', s->out);
        print_bits(s->out, expr_eval(ev, s->reads.v[i].index), a->sort.index);
        fputc(' ', s->out);
        print_bits(s->out, expr_eval(ev, s->reads.v[i].symbol), a->sort.width);
        fputc(')', s->out);
    }
}

static bool command_get_model(Script *s, const Sexpr *x)
{
    (void)x;
    if (!has_model(s))
        return true;
    if (s->equalities.n > 0) {
        fprintf(s->out, "(error \"models where arrays are compared are not supported\")\n");
        return true;
    }
    ExprEval *ev = expr_eval_new(s->pool);
    expr_eval_input(ev, &s->answer.model);
    fprintf(s->out, "(\n");
    for (uint32_t i = 0; i < s->bindings.n; i++) {
        const Binding *b = &s->bindings.v[i];
        bool is_array =
            b->value.array && b->value.array->kind == ARRAY_DECLARED && b->value.array->name == b->name;
        bool is_symbol = !b->params && !b->value.array && expr_op(s->pool, b->value.e) == EXPR_SYMBOL;
        if (!is_array && !is_symbol)
            continue;
        fprintf(s->out, "  (define-fun |%s| () ", b->name);
        print_sort(s->out, b->value.sort);
        fputc(' ', s->out);
        if (is_array)
            print_array(s, b->value.array, ev);
        else
            print_value(s->out, b->value.sort, expr_eval(ev, b->value.e));
        fprintf(s->out, ")\n");
    }
    fprintf(s->out, ")\n");
    expr_eval_free(ev);
    return true;
}

/* Reads that only get-value asks for: as an earlier read of the same element has it, else zero. */
static void settle_new_reads(Script *s, uint32_t from)
{
    ExprEval *ev = expr_eval_new(s->pool);
    for (uint32_t i = from; i < s->reads.n; i++) {
        expr_eval_input(ev, &s->answer.model);
        u128 index = expr_eval(ev, s->reads.v[i].index), value = 0;
        for (uint32_t k = 0; k < i; k++)
            if (s->reads.v[k].array == s->reads.v[i].array && expr_eval(ev, s->reads.v[k].index) == index)
                value = expr_eval(ev, s->reads.v[k].symbol);
        expr_input_set(s->pool, &s->answer.model, s->reads.v[i].symbol, value);
    }
    expr_eval_free(ev);
}

/* A term as it was asked for. */
static void print_sexpr(FILE *out, const Sexpr *x)
{
    Vec(const Sexpr *) open = {0};
    for (const Sexpr *at = x; at;) {
        if (at->kind == SEXPR_LIST && at->first) {
            fputc('(', out);
            vec_push(&open, at);
            at = at->first;
            continue;
        }
        fputs(at->kind == SEXPR_LIST ? "()" : at->text, out);
        while (open.n > 0 && !at->next) { /* the last of its list: so that list is done */
            at = vec_pop(&open);
            fputc(')', out);
        }
        at = open.n > 0 ? at->next : NULL;
        if (at)
            fputc(' ', out);
    }
    vec_free(&open);
}

static bool command_get_value(Script *s, const Sexpr *x)
{
    if (x->count != 2 || sexpr_child(x, 1)->kind != SEXPR_LIST)
        return script_fail(s, x->line, "get-value wants a list of terms");
    if (!has_model(s))
        return true;
    fputc('(', s->out);
    for (const Sexpr *t = sexpr_child(x, 1)->first; t; t = t->next) {
        Value v;
        uint32_t reads = s->reads.n;
        if (!script_term(s, t, &v))
            return false;
        if (v.sort.kind == SORT_ARRAY)
            return script_fail(s, t->line, "get-value of a whole array is not supported");
        settle_new_reads(s, reads);
        fputc('(', s->out);
        print_sexpr(s->out, t);
        fputc(' ', s->out);
        print_value(s->out, v.sort, expr_eval_once(s->pool, &s->answer.model, v.e));
        fputs(t->next ? ") " : ")", s->out);
    }
    fprintf(s->out, ")\n");
    return true;
}

static bool command_echo(Script *s, const Sexpr *x)
{
    if (x->count == 2)
        fprintf(s->out, "%s\n", sexpr_child(x, 1)->text);
    return true;
}

static bool command_exit(Script *s, const Sexpr *x)
{
    (void)x;
    s->done = true;
    return true;
}

static bool command_nothing(Script *s, const Sexpr *x)
{
    (void)s, (void)x;
    return true;
}

static bool command_unsupported(Script *s, const Sexpr *x)
{
    (void)x;
    fprintf(s->out, "unsupported\n");
    return true;
}

/* ---- the script ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    bool (*run)(Script *s, const Sexpr *x);
} commands[] = {
    {"set-logic", command_nothing},
    {"set-info", command_nothing},
    {"set-option", command_nothing},
    {"declare-fun", command_declare_fun},
    {"declare-const", command_declare_const},
    {"define-fun", command_define_fun},
    {"define-const", command_define_const},
    {"define-sort", command_define_sort},
    {"assert", command_assert},
    {"check-sat", command_check_sat},
    {"check-sat-assuming", command_check_sat_assuming},
    {"push", command_push},
    {"pop", command_pop},
    {"reset", command_reset},
    {"reset-assertions", command_reset_assertions},
    {"get-model", command_get_model},
    {"get-value", command_get_value},
    {"get-info", command_unsupported},
    {"get-option", command_unsupported},
    {"get-assertions", command_unsupported},
    {"get-assignment", command_unsupported},
    {"get-proof", command_unsupported},
    {"get-unsat-core", command_unsupported},
    {"get-unsat-assumptions", command_unsupported},
    {"echo", command_echo},
    {"exit", command_exit},
};

static bool run_command(Script *s, const Sexpr *x)
{
    const Sexpr *name = sexpr_child(x, 0);
    if (!name || name->kind != SEXPR_ATOM)
        return script_fail(s, x->line, "a command is expected");
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(commands[i].name, name->text) == 0)
            return commands[i].run(s, x);
    return script_fail(s, x->line, "unknown command '%s'", name->text);
}

const char *solver_run_script(Arena *a, ExprPool *pool, Solver *solver, const char *text, size_t size,
                              double seconds, FILE *out)
{
    Script s = {.arena = a, .pool = pool, .solver = solver, .out = out, .seconds = seconds};
    SexprReader r;
    sexpr_open(&r, a, text, size);
    for (const Sexpr *x; !s.done && (x = sexpr_read(&r)) && run_command(&s, x);)
        fflush(out);
    if (!s.error && !s.done)
        s.error = r.error;
    vec_free(&s.bindings);
    strmap_free(&s.newest);
    strmap_free(&s.sorts);
    vec_free(&s.sort_table);
    vec_free(&s.arrays);
    map_free(&s.read_of);
    vec_free(&s.reads);
    vec_free(&s.equalities);
    vec_free(&s.indices);
    map_free(&s.index_seen);
    vec_free(&s.lemmas);
    vec_free(&s.assertions);
    vec_free(&s.declared);
    vec_free(&s.levels);
    solver_answer_free(&s.answer);
    return s.error;
}
