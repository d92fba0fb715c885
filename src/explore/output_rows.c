/* output_rows.c - what `output` has found: rows, classes of inputs without output, and what lies outside of
 * both. */
#include "explore/output.h"

#include <stdlib.h>

void output_init(Output *o, ExprPool *pool)
{
    *o = (Output){.pool = pool, .eval = expr_eval_new(pool)};
    o->signature.arena = arena_new();
}

static void row_free(SignatureRow *row)
{
    for (uint32_t i = 0; i < row->outputs.n; i++)
        vec_free(&row->outputs.v[i].parts), vec_free(&row->outputs.v[i].fields);
    vec_free(&row->outputs);
    vec_free(&row->condition);
    expr_input_free(&row->input);
}

void output_free(Output *o)
{
    Signature *s = &o->signature;
    for (uint32_t i = 0; i < s->rows.n; i++)
        row_free(&s->rows.v[i]);
    for (uint32_t i = 0; i < s->failures.n; i++) {
        vec_free(&s->failures.v[i].condition);
        expr_input_free(&s->failures.v[i].input);
    }
    vec_free(&s->rows);
    vec_free(&s->failures);
    vec_free(&s->given);
    arena_free(s->arena);
    expr_eval_free(o->eval);
    expr_input_free(&o->probe);
    map_free(&o->rows);
    vec_free(&o->next);
    failure_classes_free(&o->classes);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const Expr *)a)->id, y = ((const Expr *)b)->id;
    return x < y ? -1 : x > y;
}

/* Of the set of conjuncts, whatever their order. */
static uint64_t hash_of(const ExprVec *condition)
{
    uint64_t hash = condition->n;
    for (uint32_t i = 0; i < condition->n; i++)
        hash += hash_u64(condition->v[i].id);
    return hash_u64(hash);
}

static bool same_set(const ExprVec *a, const ExprVec *b)
{
    if (a->n != b->n)
        return false;
    size_t bytes = a->n * sizeof(Expr);
    Expr *x = mem_alloc(2 * bytes + 1), *y = x + a->n;
    memcpy(x, a->v, bytes);
    memcpy(y, b->v, bytes);
    qsort(x, a->n, sizeof *x, by_id);
    qsort(y, a->n, sizeof *y, by_id);
    bool same = !memcmp(x, y, bytes);
    mem_free(x);
    return same;
}

static void index_row(Output *o, uint32_t row)
{
    uint64_t hash = hash_of(&o->signature.rows.v[row].condition);
    o->next.v[row] = (uint32_t)map_get_or(&o->rows, hash, 0);
    map_put(&o->rows, hash, row + 1);
}

uint32_t output_row_find(const Output *o, const ExprVec *condition)
{
    uint32_t at = (uint32_t)map_get_or(&o->rows, hash_of(condition), 0);
    while (at && !same_set(&o->signature.rows.v[at - 1].condition, condition))
        at = o->next.v[at - 1];
    return at ? at - 1 : UINT32_MAX;
}

SignatureRow *output_row_add(Output *o, ExprVec *condition, const ExprInput *input, uint64_t run)
{
    SignatureRow row = {.run = run};
    row.end.site = row.end.fn = IR_NONE;
    if (output_row_find(o, condition) != UINT32_MAX)
        return NULL;
    row.condition = *condition;
    memset(condition, 0, sizeof *condition);
    expr_input_copy(&row.input, input);
    vec_push(&o->signature.rows, row);
    vec_push(&o->next, 0);
    index_row(o, o->signature.rows.n - 1);
    return &vec_last(&o->signature.rows);
}

/* ---- classes --------------------------------------------------------------------------------- */

SignatureEnd output_ending(Output *o, const IrProgram *program, const VmResult *r)
{
    SignatureEnd end = {.ending = r->ending,
                        .fault = r->fault,
                        .site = r->site,
                        .fn = IR_NONE,
                        .message = arena_strdup(o->signature.arena, r->message),
                        .need = arena_strdup(o->signature.arena, r->ending == VM_END_FAULT ? r->need : ""),
                        .maker = r->ending == VM_END_FAULT ? explore_maker(program, r) : NULL};
    for (uint32_t i = 0; i < r->stack.n && end.fn == IR_NONE; i++)
        if (!program->fns.v[r->stack.v[i].fn].runtime)
            end.fn = r->stack.v[i].fn;
    return end;
}

void output_class_add(Output *o, const IrProgram *program, ExprVec *condition, const OutputRun *run)
{
    SignatureFailure f = {
        .condition = *condition, .end = output_ending(o, program, &run->trace->result), .run = run->number};
    failure_class_add(&o->classes, o->pool,
                      expr_not(o->pool, expr_and_all(o->pool, condition->v, condition->n)));
    memset(condition, 0, sizeof *condition);
    expr_input_copy(&f.input, run->input);
    vec_push(&o->signature.failures, f);
}

static bool satisfies(ExprEval *ev, const ExprVec *condition)
{
    for (uint32_t i = 0; i < condition->n; i++)
        if (!expr_eval_true(ev, condition->v[i]))
            return false;
    return true;
}

uint32_t output_row_of(Output *o, const ExprInput *input)
{
    expr_eval_input(o->eval, input);
    for (uint32_t i = 0; i < o->signature.rows.n; i++)
        if (satisfies(o->eval, &o->signature.rows.v[i].condition))
            return i;
    return UINT32_MAX;
}

Expr output_class_of(Output *o, const ExprInput *input)
{
    expr_eval_input(o->eval, input);
    return failure_class_of(&o->classes, o->eval);
}

void output_outside(Output *o, ExprVec *out)
{
    vec_clear(out);
    for (uint32_t i = 0; i < o->signature.rows.n; i++) {
        const ExprVec *c = &o->signature.rows.v[i].condition;
        vec_push(out, expr_not(o->pool, expr_and_all(o->pool, c->v, c->n)));
    }
    for (uint32_t i = 0; i < o->classes.blocking.n; i++)
        vec_push(out, o->classes.blocking.v[i]);
}

/* ---- rows by their conditions --------------------------------------------------------------------- */

static Output *state_of(const Explore *x) { return x->lane->state; }

bool explore_row_is_new(const ExploreRun *run)
{
    VmEnding ending = run->trace->result.ending;
    if (run->explore->lane->explorer != &explorer_output ||
        (ending != VM_END_RETURN && ending != VM_END_EXIT))
        return false;
    ExprVec condition = {0};
    explore_slice(run->explore, run->trace, &condition);
    bool is_new = output_row_find(state_of(run->explore), &condition) == UINT32_MAX;
    vec_free(&condition);
    return is_new;
}

/* Does the one conjunction imply the other? */
static bool implies(Explore *x, const ExprVec *from, const ExprVec *to)
{
    vec_clear(&x->query);
    for (uint32_t i = 0; i < from->n; i++)
        vec_push(&x->query, from->v[i]);
    vec_push(&x->query, expr_not(x->pool, expr_and_all(x->pool, to->v, to->n)));
    return explore_solve(x, NULL) == SOLVER_UNSAT;
}

/* Rows are disjoint: an input of the condition is in the only one that can be it. Runs of another explorer
 * sometimes write the same condition in another way; whether it is the same is the solver's to say. */
uint32_t explore_row_find(Explore *x, const ExprVec *condition)
{
    Output *o = state_of(x);
    uint32_t row = output_row_find(o, condition);
    if (row != UINT32_MAX)
        return row;
    vec_clear(&x->query);
    for (uint32_t i = 0; i < condition->n; i++)
        vec_push(&x->query, condition->v[i]);
    if (explore_solve(x, NULL) != SOLVER_SAT)
        return UINT32_MAX;
    row = output_row_of(o, &x->answer.model);
    bool same = row != UINT32_MAX && implies(x, condition, &o->signature.rows.v[row].condition) &&
                implies(x, &o->signature.rows.v[row].condition, condition);
    return same ? row : UINT32_MAX;
}

/* ---- another pool ---------------------------------------------------------------------------- */

static void move_all(ExprVec *list, ExprImport *import)
{
    for (uint32_t i = 0; i < list->n; i++)
        list->v[i] = expr_import(import, list->v[i]);
}

static void move_outputs(SignatureRow *row, ExprImport *import)
{
    for (uint32_t k = 0; k < row->outputs.n; k++) {
        SignatureOutput *out = &row->outputs.v[k];
        for (uint32_t i = 0; i < out->parts.n; i++)
            if (!expr_is_none(out->parts.v[i].value))
                out->parts.v[i].value = expr_import(import, out->parts.v[i].value);
        for (uint32_t i = 0; i < out->fields.n; i++)
            out->fields.v[i].value = expr_import(import, out->fields.v[i].value);
    }
}

void output_move(Output *o, ExprPool *to, ExprImport *import)
{
    Signature *s = &o->signature;
    expr_eval_free(o->eval);
    o->pool = to;
    o->eval = expr_eval_new(to);
    map_clear(&o->rows);
    for (uint32_t i = 0; i < s->rows.n; i++) {
        SignatureRow *row = &s->rows.v[i];
        move_all(&row->condition, import);
        move_outputs(row, import);
        index_row(o, i);
    }
    for (uint32_t i = 0; i < s->failures.n; i++)
        move_all(&s->failures.v[i].condition, import);
    failure_classes_move(&o->classes, to, import);
    move_all(&s->given, import);
}
