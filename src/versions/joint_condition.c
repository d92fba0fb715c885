/* joint_condition.c - the condition of a row, as people read it. */
#include "versions/joint_int.h"

enum { COSMETIC_MILLISECONDS = 250 /* for a query that only makes a condition shorter */ };

/* Inputs that have one value wherever the conditions hold, that of the row's input: adds the equalities. */
static void add_values(Joint *j, const ExprInput *input, ExprVec *all)
{
    enum { OBJECTS_MOST = 8, WORD_MOST = 8 };
    ExprSet symbols = EXPR_SET_EMPTY;
    ExprVec query = {0}, found = {0};
    ExprEval *ev = expr_eval_new(j->pool);
    SolverAnswer answer = {0};
    uint32_t seen = 0, offset;
    expr_eval_input(ev, input);
    for (uint32_t i = 0; i < all->n; i++) {
        symbols = expr_set_union(j->pool, symbols, expr_symbols(j->pool, all->v[i]));
        vec_push(&query, all->v[i]);
    }
    vec_push(&query, EXPR_TRUE);
    for (uint32_t at = expr_set_next(j->pool, symbols, 0); at != UINT32_MAX && seen < OBJECTS_MOST; seen++) {
        ExprObject object = expr_object_at(j->pool, at, &offset);
        const ExprObjectInfo *info = expr_object_info(j->pool, object);
        if (info->size <= WORD_MOST) {
            Expr word = info->scalar ? expr_object_symbol(j->pool, object)
                                     : expr_object_word(j->pool, object, 0, info->size);
            Expr is =
                expr_eq(j->pool, word, expr_const(j->pool, expr_width(j->pool, word), expr_eval(ev, word)));
            vec_last(&query) = expr_not(j->pool, is);
            SolverQuery q = {.constraints = query.v,
                             .n = query.n,
                             .hint = input,
                             .seconds = COSMETIC_MILLISECONDS / 1000.0,
                             .bytes = j->options.explore.max_memory};
            if (solver_check(explore_solver(j->explore), &q, &answer) == SOLVER_UNSAT)
                vec_push(&found, is);
        }
        at = expr_set_next(j->pool, symbols, info->at + info->size);
    }
    for (uint32_t i = 0; i < found.n; i++)
        vec_push(all, found.v[i]);
    solver_answer_free(&answer);
    expr_eval_free(ev);
    vec_free(&query);
    vec_free(&found);
}

void joint_condition(Joint *j, const JointRow *row, ExprVec *out)
{
    enum { SECONDS = 1, QUERIES = 64 }; /* for all of it, beyond the exploration's own time */
    ExplorePatience patience = {.seconds = COSMETIC_MILLISECONDS / 1000.0,
                                .deadline = clock_seconds() + SECONDS,
                                .bytes = j->options.explore.max_memory,
                                .stop = j->options.explore.stop};
    ExprVec all = {0};
    for (uint32_t i = 0; i < row->condition.n; i++)
        vec_push(&all, row->condition.v[i]);
    if (!expr_is_none(row->where)) {
        Expr context = expr_and_all(j->pool, all.v, all.n);
        SolverRefute refute = {.solver = explore_solver(j->explore),
                               .seconds = COSMETIC_MILLISECONDS / 1000.0};
        SolverSimplify how = {.unsat = solver_refutes,
                              .context = &refute,
                              .queries = QUERIES,
                              .deadline = patience.deadline,
                              .stop = patience.stop};
        vec_push(&all, solver_simplify(j->pool, row->where, context, &how));
        add_values(j, &row->input, &all);
    }
    explore_simplify(explore_solver(j->explore), j->pool, &all, NULL, &patience, out);
    vec_free(&all);
}
