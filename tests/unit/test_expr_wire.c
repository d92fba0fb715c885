/* Tests of expressions and inputs as bytes: they mean the same in another pool, whatever objects it has
 * already; bytes that are no expressions are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../solver/random_expr.h"

static const ExprCType INT = {EXPR_C_INT, 0};

static void write_all(const ExprPool *p, const ExprVec *roots, const ExprInput *input, Str *out)
{
    expr_objects_write(p, out);
    expr_write(p, roots, out);
    expr_input_write(p, input, out);
}

static bool read_all(ExprPool *p, const Str *text, size_t n, ExprVec *roots, ExprInput *input)
{
    Wire in = wire_of(text->v, n);
    U32Vec objects = {0};
    bool ok = expr_objects_read(p, &in, &objects) && expr_read(p, &in, &objects, roots) &&
              expr_input_read(p, &in, &objects, input) && wire_ended(&in);
    vec_free(&objects);
    return ok;
}

static void random_input(const ExprPool *p, Rng *rng, ExprInput *out)
{
    for (uint32_t i = 0; i < expr_object_count(p); i++) {
        const ExprObjectInfo *o = expr_object_info(p, (ExprObject){i});
        for (uint32_t k = 0; k < o->size && rng_below(rng, 4); k++)
            expr_input_set_byte(out, o->at + k, (uint8_t)rng_next(rng));
        if (o->scalar % 8) /* no bits beyond its width */
            expr_input_set_byte(out, o->at + o->size - 1, 1);
    }
}

static void add_objects(ExprPool *p, const ExprPool *from, Rng *rng)
{
    expr_object(p, "another", "another", 5, INT);
    for (uint32_t i = expr_object_count(from); i-- > 0;) {
        const ExprObjectInfo *o = expr_object_info(from, (ExprObject){i});
        if (rng_below(rng, 2) && !o->scalar)
            expr_object(p, o->key, o->name, o->size, o->type);
    }
}

static void means_the_same(RandomKind kind, uint64_t seed)
{
    ExprPool *p = expr_pool_new(), *q = expr_pool_new();
    RandomExpr *r = random_expr_new(p, seed, kind);
    ExprVec roots = {0}, read = {0};
    ExprInput input = {0}, moved = {0};
    Str text = {0};
    Rng rng;
    rng_seed(&rng, seed);
    for (unsigned i = 0; i < 5; i++)
        random_expr_query(r, &roots);
    random_input(p, &rng, &input);
    add_objects(q, p, &rng);
    write_all(p, &roots, &input, &text);
    assert_true(read_all(q, &text, text.n, &read, &moved));
    assert_int_equal(read.n, roots.n);
    for (uint32_t i = 0; i < roots.n; i++)
        assert_true(expr_eval_once(p, &input, roots.v[i]) == expr_eval_once(q, &moved, read.v[i]));
    expr_input_free(&input);
    expr_input_free(&moved);
    vec_free(&roots);
    vec_free(&read);
    str_free(&text);
    random_expr_free(r);
    expr_pool_free(p);
    expr_pool_free(q);
}

static void random_expressions_travel(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++)
        means_the_same((RandomKind)(seed % 3), seed);
}

/* Cut off anywhere, it is refused; with bytes changed it is refused or is something else. */
static void hostile_bytes_are_refused(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        ExprPool *p = expr_pool_new();
        RandomExpr *r = random_expr_new(p, seed, (RandomKind)(seed % 3));
        ExprVec roots = {0}, read = {0};
        ExprInput input = {0}, moved = {0};
        Str text = {0};
        random_expr_query(r, &roots);
        random_input(p, &rng, &input);
        write_all(p, &roots, &input, &text);
        for (uint32_t n = 0; n < text.n; n += 1 + (uint32_t)rng_below(&rng, 7)) {
            ExprPool *q = expr_pool_new();
            assert_false(read_all(q, &text, n, &read, &moved));
            expr_pool_free(q);
        }
        for (unsigned i = 0; i < 200; i++) {
            ExprPool *q = expr_pool_new();
            uint32_t at = (uint32_t)rng_below(&rng, text.n);
            char old = text.v[at];
            text.v[at] = (char)rng_next(&rng);
            if (read_all(q, &text, text.n, &read, &moved))
                for (uint32_t k = 0; k < read.n; k++)
                    if (expr_width(q, read.v[k]))
                        expr_eval_once(q, &moved, read.v[k]);
            text.v[at] = old;
            expr_pool_free(q);
        }
        expr_input_free(&input);
        expr_input_free(&moved);
        vec_free(&roots);
        vec_free(&read);
        str_free(&text);
        random_expr_free(r);
        expr_pool_free(p);
    }
}

static u128 twice(void *context, const u128 *arguments, uint32_t n)
{
    (void)context;
    return n == 1 ? 2 * arguments[0] : 0;
}

/* The reader cannot know what a function computes. */
static void unknown_functions_are_refused(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new(), *q = expr_pool_new();
    Expr x = expr_object_word(p, expr_object(p, "x", "x", 4, INT), 0, 4);
    ExprVec roots = {0}, read = {0};
    BitSet fns = {0};
    ExprInput none = {0};
    Str text = {0};
    uint32_t fn = expr_fn(p, "twice", 32, twice, NULL);
    vec_push(&roots, expr_apply(p, fn, &x, 1));
    expr_fns_of(p, &roots, &fns);
    assert_true(bitset_has(&fns, fn));
    write_all(p, &roots, &none, &text);
    assert_false(read_all(q, &text, text.n, &read, &none));
    Expr y = expr_object_word(q, expr_object(q, "y", "y", 4, INT), 0, 4);
    expr_apply(q, expr_fn(q, "twice", 32, twice, NULL), &y, 1);
    assert_true(read_all(q, &text, text.n, &read, &none));
    assert_int_equal(expr_op(q, read.v[0]), EXPR_APPLY);
    bitset_free(&fns);
    vec_free(&roots);
    vec_free(&read);
    str_free(&text);
    expr_pool_free(p);
    expr_pool_free(q);
}

static void values_are_bounded(void **state)
{
    (void)state;
    Str text = {0};
    const uint64_t values[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        wire_uint(&text, values[i]);
    Wire in = wire_of(text.v, text.n);
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_true(wire_get(&in) == values[i]);
    assert_true(wire_ended(&in));
    wire_get(&in);
    assert_true(in.bad && !wire_ended(&in));
    in = wire_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10); /* more than 64 bits */
    wire_get(&in);
    assert_true(in.bad);
    in = wire_of("\x05"
                 "abcd",
                 5); /* a length beyond the end */
    uint32_t n;
    wire_get_bytes(&in, &n);
    assert_true(in.bad && !n);
    str_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_bounded),
        cmocka_unit_test(random_expressions_travel),
        cmocka_unit_test(hostile_bytes_are_refused),
        cmocka_unit_test(unknown_functions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
