/* random_expr.h - random expressions and queries for tests and benchmarks of the solver. */
#ifndef SHEAF_TESTS_RANDOM_EXPR_H
#define SHEAF_TESTS_RANDOM_EXPR_H

#include "expr/expr.h"

typedef struct RandomExpr RandomExpr;

typedef enum RandomKind {
    RANDOM_SMALL,                             /* few symbols of few bits: all inputs can be tried */
    RANDOM_WIDE,                              /* all operators on widths 1 to 64, arrays */
    RANDOM_FLOAT,                             /* mostly floats of 32 and 64 bits */
} RandomKind;

/* A stock of nodes from which further ones are made, so that queries share much. */
RandomExpr *random_expr_new(ExprPool *p, uint64_t seed, RandomKind kind);
void random_expr_free(RandomExpr *r);
/* Grows the stock a little and draws constraints from it. Clears out first. */
void random_expr_query(RandomExpr *r, ExprVec *out);
/* The symbols. For RANDOM_SMALL, bits of all symbols together are at most 12. */
const ExprVec *random_expr_symbols(const RandomExpr *r);

#endif
