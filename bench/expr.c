/* Bench of expr: how many constructor calls, evaluations and set operations a second. Usage: bench_expr
 * [millions]. */
#include "expr/expr.h"

#include <stdlib.h>
#include <time.h>

typedef struct Bench {
    ExprPool *p;
    Expr byte[64], word[16];
    uint64_t n;
} Bench;

/* Processor time: the machine may be busy with other things. */
static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void report(const char *what, uint64_t n, double start)
{
    double seconds = now() - start;
    printf("%-44s %8.2f million/s\n", what, (double)n / seconds / 1e6);
}

static void bench_open(Bench *b, uint64_t n)
{
    b->p = expr_pool_new();
    b->n = n;
    ExprObject in = expr_object(b->p, "in", "in", 64, (ExprCType){EXPR_C_CHAR, 1});
    for (uint32_t i = 0; i < 64; i++)
        b->byte[i] = expr_object_byte(b->p, in, i);
    for (uint32_t i = 0; i < 16; i++)
        b->word[i] = expr_object_word(b->p, in, 4 * i, 4);
}

/* What an interpreter does again and again in a loop over concrete data: nodes that exist already. */
static void known_nodes(Bench *b)
{
    double start = now();
    for (uint64_t i = 0; i < b->n; i += 4) {
        Expr x = b->word[i / 4 % 16], y = b->word[i / 64 % 16];
        Expr sum = expr_add(b->p, x, y);
        expr_ult(b->p, sum, y);
        expr_xor(b->p, x, sum);
        expr_eq(b->p, x, expr_const(b->p, 32, i & 255));
    }
    report("add, ult, xor, eq of known words", b->n, start);
}

/* A checksum: every call makes new nodes. */
static void new_nodes(Bench *b)
{
    double start = now();
    Expr h = b->word[0];
    for (uint64_t i = 0; i < b->n; i += 3) {
        h = expr_xor(b->p, h, b->word[i % 16]);
        h = expr_mul(b->p, h, expr_const(b->p, 32, 16777619));
        h = expr_add(b->p, h, b->word[i % 13]);
    }
    report("xor, mul, add of new nodes", b->n, start);
    start = now();
    ExprEval *ev = expr_eval_new(b->p);
    ExprInput in = {0};
    for (uint32_t i = 0; i < 64; i++)
        expr_input_set_byte(&in, i, (uint8_t)(i * 7));
    expr_eval_input(ev, &in);
    expr_eval(ev, h);
    report("evaluation of that chain, nodes", b->n, start);
    expr_eval_free(ev);
    expr_input_free(&in);
}

static void memory(Bench *b)
{
    double start = now();
    Expr bytes[4];
    for (uint64_t i = 0; i < b->n; i++) {
        Expr v = expr_add(b->p, b->word[i % 16], b->word[i / 16 % 16]);
        for (unsigned k = 0; k < 4; k++)
            bytes[k] = expr_extract(b->p, v, 8 * k, 8);
        if (expr_concat_bytes(b->p, bytes, 4).id != v.id)
            abort();
    }
    report("word stored as bytes and loaded again", b->n, start);
}

static void sets(Bench *b)
{
    double start = now();
    ExprObject big = expr_object(b->p, "big", "big", 100000, (ExprCType){EXPR_C_CHAR, 1});
    Expr sum = expr_const(b->p, 32, 0);
    for (uint32_t i = 0; i < 100000; i++)
        sum = expr_add(b->p, sum, expr_zext(b->p, expr_object_byte(b->p, big, i), 32));
    report("sum over bytes, each a new symbol", 100000, start);
    printf("%-44s %8.2f MB\n", "pool", (double)expr_pool_bytes(b->p) / 1e6);
}

int main(int argc, char **argv)
{
    Bench b;
    bench_open(&b, 1000000 * (argc > 1 ? strtoull(argv[1], NULL, 10) : 2));
    known_nodes(&b);
    memory(&b);
    sets(&b);
    new_nodes(&b);
    printf("%-44s %8u\n", "nodes", expr_pool_count(b.p));
    printf("%-44s %8.2f MB\n", "pool", (double)expr_pool_bytes(b.p) / 1e6);
    expr_pool_free(b.p);
    return 0;
}
