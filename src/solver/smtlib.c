/* smtlib.c - the back end over any SMT-LIB 2 solver as a child process.
 *
 * Every query is a script of its own after (reset), so that nothing but the child's being alive carries over.
 * A child that dies, talks garbage or falls silent is killed; it is started again once for the same query,
 * and then the query is unknown. */
#include "solver/child.h"
#include "solver/sexpr.h"
#include "solver/solver_int.h"

#include <math.h>

enum { SYMBOLS_AT_ONCE = 500 };

typedef struct ChildBackend {
    Backend face;
    Solver *solver;
    Child *child;
    Str script, reply;
} ChildBackend;

typedef enum Outcome { DONE, FAILED, OUT_OF_BUDGET } Outcome;

/* ---- talking --------------------------------------------------------------------------------- */

static Outcome failed(GroupAnswer *a, const char *what, const char *said)
{
    snprintf(a->detail, sizeof a->detail, "%s%s%.100s", what, *said ? ": " : "", said);
    for (char *c = a->detail; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return FAILED;
}

/* Sends the script and reads one reply. */
static Outcome exchange(ChildBackend *b, Budget *budget, GroupAnswer *a)
{
    double deadline = isfinite(budget->deadline) ? budget->deadline : clock_seconds() + 1e9;
    ChildStatus status = child_ask(b->child, b->script.v, b->script.n, deadline, budget->stop, &b->reply);
    switch (status) {
    case CHILD_OK: return DONE;
    case CHILD_TIMEOUT:
    case CHILD_STOPPED:
        budget->spent = status == CHILD_TIMEOUT ? SOLVER_REASON_TIME : SOLVER_REASON_STOPPED;
        return OUT_OF_BUDGET;
    case CHILD_DEAD: return failed(a, "the child solver died", "");
    case CHILD_FLOOD: return failed(a, "the child solver's reply has no end", "");
    }
    bug("no such status: %d", (int)status);
}

/* #x1f, #b01, (_ bv31 8), true, false */
static bool parse_value(const Sexpr *s, u128 *value)
{
    if (!s)
        return false;
    if (s->kind == SEXPR_LIST) {
        const Sexpr *number = sexpr_child(s, 1);
        return sexpr_is(sexpr_child(s, 0), "_") && number && number->kind == SEXPR_ATOM &&
               text_starts_with(number->text, "bv") && text_parse_u128(number->text + 2, 10, value);
    }
    if (sexpr_is(s, "true") || sexpr_is(s, "false")) {
        *value = sexpr_is(s, "true");
        return true;
    }
    if (s->kind != SEXPR_ATOM || s->text[0] != '#')
        return false;
    return (s->text[1] == 'x' && text_parse_u128(s->text + 2, 16, value)) ||
           (s->text[1] == 'b' && text_parse_u128(s->text + 2, 2, value));
}

/* ((x #x00) (y #x01) …) in the order asked. */
static Outcome take_values(ChildBackend *b, const uint32_t *symbols, uint32_t n, GroupAnswer *a)
{
    ExprPool *p = b->solver->pool;
    Arena *arena = arena_new();
    SexprReader r;
    sexpr_open(&r, arena, b->reply.v, b->reply.n);
    const Sexpr *list = sexpr_read(&r);
    const Sexpr *pair = list && list->kind == SEXPR_LIST && list->count == n ? list->first : NULL;
    uint32_t i = 0;
    for (u128 value; pair && i < n && parse_value(sexpr_child(pair, 1), &value); pair = pair->next, i++)
        expr_input_set(p, &a->model, expr_symbol_of(p, symbols[i]), value);
    arena_free(arena);
    return i == n ? DONE : failed(a, "the child solver's values make no sense", str_text(&b->reply));
}

static Outcome ask_values(ChildBackend *b, const Group *g, Budget *budget, GroupAnswer *a)
{
    for (uint32_t from = 0; from < g->n_symbols; from += SYMBOLS_AT_ONCE) {
        uint32_t n = g->n_symbols - from < SYMBOLS_AT_ONCE ? g->n_symbols - from : SYMBOLS_AT_ONCE;
        vec_clear(&b->script);
        str_add(&b->script, "(get-value (");
        for (uint32_t i = 0; i < n; i++) {
            expr_print_smt_term(b->solver->pool, expr_symbol_of(b->solver->pool, g->symbols[from + i]),
                                &b->script);
            str_add_char(&b->script, ' ');
        }
        str_add(&b->script, "))\n");
        Outcome o = exchange(b, budget, a);
        if (o == DONE)
            o = take_values(b, g->symbols + from, n, a);
        if (o != DONE)
            return o;
    }
    return DONE;
}

static Outcome attempt(ChildBackend *b, const ExprVec *all, const Group *g, Budget *budget, GroupAnswer *a)
{
    bool running = child_running(b->child);
    if (!running)
        solver_bump(b->solver, SOLVER_CHILD_STARTS_COUNT);
    if (!child_start(b->child))
        return failed(a, "the child solver cannot be started", "");
    vec_clear(&b->script);
    str_add(&b->script, running ? "(reset)\n" : "");
    str_add(&b->script, "(set-option :print-success false)\n(set-option :produce-models true)\n");
    expr_print_smt_query(b->solver->pool, all->v, all->n, NULL, &b->script);
    Outcome o = exchange(b, budget, a);
    if (o != DONE)
        return o;
    const char *said = str_text(&b->reply);
    said += strspn(said, " \t\r\n");
    if (strcmp(said, "sat") == 0) {
        o = ask_values(b, g, budget, a);
        if (o == DONE)
            a->status = SOLVER_SAT;
        return o;
    }
    if (strcmp(said, "unsat") == 0) {
        a->status = SOLVER_UNSAT;
        for (uint32_t i = 0; i < g->n; i++)
            vec_push(&a->core, g->c[i]);
        return DONE;
    }
    if (strcmp(said, "unknown") == 0 || strcmp(said, "timeout") == 0) {
        a->reason = SOLVER_REASON_INCOMPLETE;
        return DONE;
    }
    return failed(a, "the child solver answered", said);
}

static void check(Backend *face, const Group *g, const ExprVec *lemmas, const ExprInput *hint, Budget *budget,
                  GroupAnswer *a)
{
    (void)hint;
    ChildBackend *b = (ChildBackend *)face;
    ExprVec all = {0};
    for (uint32_t i = 0; i < g->n; i++)
        vec_push(&all, g->c[i]);
    for (uint32_t i = 0; i < lemmas->n; i++)
        vec_push(&all, lemmas->v[i]);
    a->status = SOLVER_UNKNOWN;
    Outcome o = FAILED;
    for (int i = 0; i < 2 && o == FAILED; i++) {
        o = attempt(b, &all, g, budget, a);
        if (o != DONE)
            child_stop(b->child);
    }
    if (o != DONE)
        a->reason = o == FAILED ? SOLVER_REASON_BACKEND : budget->spent;
    vec_free(&all);
}

static void forget(Backend *face) { child_stop(((ChildBackend *)face)->child); }

static void free_backend(Backend *face)
{
    ChildBackend *b = (ChildBackend *)face;
    child_free(b->child);
    str_free(&b->script);
    str_free(&b->reply);
    mem_free(b);
}

Backend *backend_child_new(Solver *s, const char *command)
{
    ChildBackend *b = mem_zalloc(sizeof *b);
    b->face = (Backend){"child", check, forget, free_backend};
    b->solver = s;
    b->child = child_new(command);
    return &b->face;
}
