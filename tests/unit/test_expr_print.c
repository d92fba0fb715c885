/* Tests of the printers: what people read, word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "expr/expr.h"

/* A small program's inputs. */
typedef struct Names {
    ExprPool *p;
    Expr x, y;   /* int */
    Expr u, v;   /* unsigned */
    Expr l;      /* long */
    Expr s2, a3; /* char s[8], int a[10] */
    Expr d, f;   /* double, float */
    ExprObject s;
} Names;

static Expr object_word(ExprPool *p, const char *name, uint32_t size, ExprCKind kind)
{
    return expr_object_word(p, expr_object(p, name, name, size, (ExprCType){kind, 0}), 0, size);
}

static void names_open(Names *n)
{
    ExprPool *p = n->p = expr_pool_new();
    n->x = object_word(p, "x", 4, EXPR_C_INT);
    n->y = object_word(p, "y", 4, EXPR_C_INT);
    n->u = object_word(p, "u", 4, EXPR_C_UINT);
    n->v = object_word(p, "v", 4, EXPR_C_UINT);
    n->l = object_word(p, "l", 8, EXPR_C_INT);
    n->s = expr_object(p, "s", "s", 8, (ExprCType){EXPR_C_CHAR, 1});
    n->s2 = expr_object_byte(p, n->s, 2);
    n->a3 = expr_object_word(p, expr_object(p, "a", "a", 40, (ExprCType){EXPR_C_INT, 4}), 12, 4);
    n->d = object_word(p, "d", 8, EXPR_C_FLOAT);
    n->f = object_word(p, "f", 4, EXPR_C_FLOAT);
}

static void prints(ExprPool *p, Expr e, const char *want)
{
    Str s = {0};
    expr_print_c(p, e, 0, &s);
    assert_string_equal(str_text(&s), want);
    str_free(&s);
}

#define K(value)        expr_const(p, 32, (u128)(i128)(value))
#define MAKE2(OP, a, b) expr_make(p, BITS_##OP, 32, a, b, EXPR_NONE)

static void comparisons_in_c(void **state)
{
    (void)state;
    Names n;
    names_open(&n);
    ExprPool *p = n.p;
    Expr wide = expr_sext(p, n.s2, 32), digit = expr_ult(p, expr_add(p, wide, K(-'0')), K(10));
    prints(p, expr_sle(p, expr_add(p, n.x, n.y), K(10)), "x + y <= 10");
    prints(p, expr_slt(p, K(0), n.x), "x > 0");
    prints(p, expr_slt(p, n.x, K(0)), "x < 0");
    prints(p, expr_eq(p, expr_sub(p, n.x, n.y), K(3)), "x == y + 3");
    prints(p, expr_eq(p, wide, K('a')), "s[2] == 'a'");
    prints(p, expr_eq(p, expr_zext(p, n.s2, 32), K('\n')), "s[2] == '\\n'");
    prints(p, expr_eq(p, n.s2, expr_const(p, 8, 0)), "s[2] == '\\0'");
    prints(p, expr_ult(p, K(200), expr_zext(p, n.s2, 32)), "(unsigned char)s[2] > 200");
    prints(p, digit, "s[2] >= '0' && s[2] <= '9'");
    prints(p, expr_not(p, digit), "s[2] < '0' || s[2] > '9'");
    prints(p, expr_ult(p, n.u, n.v), "u < v");
    prints(p, expr_ult(p, n.x, n.u), "(unsigned)x < u");
    prints(p, expr_ult(p, K(100), expr_add(p, n.u, n.v)), "u + v > 100");
    prints(p, expr_slt(p, expr_zext(p, n.u, 64), n.l), "(long)u < l");
    prints(p, expr_slt(p, expr_zext(p, n.u, 64), expr_sext(p, n.x, 64)), "(long)u < x");
    prints(p, expr_ne(p, n.x, n.u), "x != u");
    prints(p, expr_or(p, expr_slt(p, n.a3, n.x), expr_eq(p, n.x, K(7))), "x == 7 || a[3] < x");
    prints(p, expr_not(p, expr_and(p, expr_slt(p, n.x, n.y), expr_slt(p, n.y, K(5)))), "y >= 5 || x >= y");
    prints(p, expr_ne(p, expr_and(p, n.x, K(256)), K(0)), "x & 0x100");
    prints(p, expr_eq(p, expr_and(p, n.x, K(6)), K(4)), "(x & 6) == 4");
    prints(p, MAKE2(SADD_OVF, n.x, n.y), "(x < 0) == (y < 0) && (x < 0) != (x + y < 0)");
    expr_pool_free(p);
}

static void words_in_c(void **state)
{
    (void)state;
    Names n;
    names_open(&n);
    ExprPool *p = n.p;
    prints(p, expr_add(p, expr_sext(p, n.x, 64), n.l), "l + x");
    prints(p, expr_add(p, expr_sext(p, n.x, 64), expr_sext(p, n.y, 64)), "(long)x + y");
    prints(p, expr_add(p, expr_mul(p, n.x, K(4)), K(3)), "4 * x + 3");
    prints(p, expr_sub(p, K(10), n.x), "10 - x");
    prints(p, expr_mul(p, expr_neg(p, n.x), n.y), "-(x * y)");
    prints(p, expr_and(p, n.x, K(1)), "x & 1");
    prints(p, expr_shl(p, n.x, K(3)), "x << 3");
    prints(p, expr_ashr(p, n.x, K(3)), "x >> 3");
    prints(p, expr_lshr(p, n.u, K(3)), "u >> 3");
    prints(p, expr_lshr(p, n.x, K(3)), "(unsigned)x >> 3");
    prints(p, expr_trunc(p, n.x, 8), "(signed char)x");
    prints(p, expr_and(p, expr_lshr(p, n.x, K(8)), K(255)), "(unsigned char)(x >> 8)");
    prints(p, expr_sdiv(p, n.x, n.y), "x / y");
    prints(p, expr_udiv(p, n.x, n.y), "(unsigned)x / (unsigned)y");
    prints(p, expr_and(p, n.y, expr_not(p, n.x)), "y & ~x");
    prints(p, expr_or(p, expr_xor(p, n.x, n.y), K(3)), "(x ^ y) | 3");
    prints(p, MAKE2(SMIN, n.x, n.y), "x < y ? x : y");
    prints(p, MAKE2(BSWAP, n.x, EXPR_NONE),
           "x << 24 | (unsigned char)(x >> 8) << 16 | (unsigned char)(x >> 16) << 8 | (unsigned)x >> 24");
    prints(p, expr_array_select(p, expr_array_input(p, n.s), expr_zext(p, expr_and(p, n.x, K(7)), 64)),
           "s[x & 7]");
    prints(p, expr_object_word(p, n.s, 4, 4), "*(int *)&s[4]");
    prints(p, expr_object_byte(p, (ExprObject){8}, 1), "((unsigned char *)&f)[1]");
    expr_pool_free(p);
}

static void floats_in_c(void **state)
{
    (void)state;
    Names n;
    names_open(&n);
    ExprPool *p = n.p;
    Expr half = expr_const(p, 64, bits_of_double(0.5)), two = expr_const(p, 32, bits_of_float(2));
    Expr twice = expr_make(p, BITS_FMUL, 32, n.f, two, EXPR_NONE);
    prints(p, expr_make(p, BITS_FOLT, 0, n.d, half, EXPR_NONE), "d < 0.5");
    prints(p, expr_make(p, BITS_FULE, 0, n.d, half, EXPR_NONE), "!(0.5 < d)");
    prints(
        p,
        expr_make(p, BITS_FOLT, 0, n.d, expr_make(p, BITS_FPEXT, 64, twice, EXPR_NONE, EXPR_NONE), EXPR_NONE),
        "d < f * 2.0");
    prints(p, expr_make(p, BITS_FUNO, 0, n.d, n.d, EXPR_NONE), "isnan(d)");
    prints(p, expr_make(p, BITS_FPTOSI, 32, n.d, EXPR_NONE, EXPR_NONE), "(int)d");
    prints(p,
           expr_make(p, BITS_FDIV, 64, expr_make(p, BITS_SITOFP, 64, n.x, EXPR_NONE, EXPR_NONE), half,
                     EXPR_NONE),
           "(double)x / 0.5");
    prints(p, expr_make(p, BITS_FSQRT, 64, n.d, EXPR_NONE, EXPR_NONE), "sqrt(d)");
    prints(p, expr_make(p, BITS_FPTRUNC, 32, n.d, EXPR_NONE, EXPR_NONE), "(float)d");
    prints(p, expr_eq(p, n.d, expr_const(p, 64, 0)), "*(long *)&d == 0");
    expr_pool_free(p);
}

static void long_expressions_end(void **state)
{
    (void)state;
    Names n;
    names_open(&n);
    ExprPool *p = n.p;
    Expr e = n.x;
    for (int i = 0; i < 200; i++) /* a graph of 400 nodes, a tree of 2^200 */
        e = expr_mul(p, expr_xor(p, e, n.y), e);
    Str s = {0};
    expr_print_c(p, e, 500, &s);
    assert_true(s.n < 600 && strstr(str_text(&s), "..."));
    str_free(&s);
    expr_print(p, e, 500, &s);
    assert_true(s.n < 600 && strstr(str_text(&s), "..."));
    str_free(&s);
    expr_print_smt_term(p, e, &s);
    assert_true(s.n < 40000);
    str_free(&s);
    expr_pool_free(p);
}

/* ---- SMT-LIB --------------------------------------------------------------------------------- */

static void term_is(ExprPool *p, Expr e, const char *want)
{
    Str s = {0};
    expr_print_smt_term(p, e, &s);
    assert_string_equal(str_text(&s), want);
    str_free(&s);
}

static void terms_in_smt(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    ExprCType type = {EXPR_C_INT, 0};
    Expr a = expr_object_symbol(p, expr_object_scalar(p, "a", "a", 8, type));
    Expr b = expr_object_symbol(p, expr_object_scalar(p, "b", "b", 8, type));
    Expr c = expr_object_symbol(p, expr_object_scalar(p, "c", "c", 1, type));
    Expr other = expr_object_symbol(p, expr_object_scalar(p, "a@2", "a", 5, type));
    term_is(p, expr_add(p, a, b), "(bvadd |a| |b|)");
    term_is(p, expr_ule(p, a, b), "(not (bvult |b| |a|))");
    term_is(p, expr_and(p, c, expr_eq(p, a, expr_const(p, 8, 10))), "(and |c| (= |a| #x0a))");
    term_is(p, expr_zext(p, c, 8), "((_ zero_extend 7) (ite |c| #b1 #b0))");
    term_is(p, expr_concat(p, expr_extract(p, a, 0, 4), other), "(concat ((_ extract 3 0) |a|) |a#3|)");
    term_is(p, expr_extract(p, a, 3, 1), "(= ((_ extract 3 3) |a|) #b1)");
    term_is(p, expr_const(p, 5, 6), "#b00110");
    Expr shared = expr_mul(p, a, b);
    char want[100];
    snprintf(want, sizeof want, "(let ((?%u (bvmul |a| |b|)))\n  (bvxor ?%u (bvudiv |a| ?%u)))", shared.id,
             shared.id, shared.id);
    Expr quotient = expr_udiv(p, a, shared);
    term_is(p, expr_xor(p, shared, quotient), want);
    expr_pool_free(p);
}

static void queries_in_smt(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    ExprObject s = expr_object(p, "s", "s", 2, (ExprCType){EXPR_C_CHAR, 1});
    Expr byte = expr_object_byte(p, s, 1), condition = expr_ult(p, byte, expr_const(p, 8, 16));
    Str out = {0};
    expr_print_smt_query(p, &condition, 1, "first\nsecond", &out);
    assert_string_equal(str_text(&out),
                        "; first\n; second\n(set-logic QF_BV)\n(declare-const |s[1]| (_ BitVec 8))\n"
                        "(assert (and true\n  (bvult |s[1]| #x10)))\n(check-sat)\n");
    str_free(&out);
    Expr index = expr_zext(p, byte, 64),
         d = expr_object_symbol(p, expr_object_scalar(p, "d", "d", 64, (ExprCType){EXPR_C_FLOAT, 0}));
    Expr sum = expr_make(p, BITS_FADD, 64, d, d, EXPR_NONE);
    Expr both[] = {expr_eq(p, expr_array_select(p, expr_array_input(p, s), index), byte),
                   expr_make(p, BITS_FOLT, 0, sum, d, EXPR_NONE), expr_ult(p, sum, expr_const(p, 64, 7))};
    expr_print_smt_query(p, both, 3, NULL, &out);
    const char *text = str_text(&out);
    assert_non_null(strstr(text, "(set-logic ALL)"));
    assert_non_null(strstr(text, "(declare-const |s[0]| (_ BitVec 8))"));
    assert_non_null(strstr(text, "(select (store (store ?any"));
    assert_non_null(strstr(text, "(fp.add RNE ((_ to_fp 11 53) |d|) ((_ to_fp 11 53) |d|))"));
    assert_non_null(strstr(text, "(= ((_ to_fp 11 53) ?bits"));
    str_free(&out);
    expr_pool_free(p);
}

/* A place is printed by its name wherever its address stands; two objects of one name are told apart. */
static void addresses_in_c(void **state)
{
    (void)state;
    Names n;
    names_open(&n);
    ExprPool *p = n.p;
    const ExprField fields[] = {{0, 32, EXPR_C_INT, 0, "t[0].a"},
                                {32, 32, EXPR_C_INT, 0, "t[0].b"},
                                {64, 32, EXPR_C_INT, 0, "t[1].a"},
                                {96, 32, EXPR_C_INT, 0, "t[1].b"}};
    expr_place_add(p, &(ExprPlace){.address = 0x500000001000,
                                   .size = 16,
                                   .before = 16,
                                   .room = 24,
                                   .text = "t",
                                   .unit = 8,
                                   .fields = fields,
                                   .nfields = COUNT_OF(fields)});
    expr_place_add(p,
                   &(ExprPlace){.kind = EXPR_PLACE_NEW, .address = 0x200000001000, .size = 12, .room = 16});
    expr_place_add(p, &(ExprPlace){.kind = EXPR_PLACE_NEW, .address = 0x200000002000, .size = 3, .room = 16});
    expr_place_add(p, &(ExprPlace){.kind = EXPR_PLACE_NEW, .address = 0x200000002000, .size = 5, .room = 16});
#define AT(address) expr_const(p, 64, address)
    Expr wide = expr_sext(p, n.x, 64);
    prints(p, AT(0x500000001000), "t");
    prints(p, AT(0x500000001008), "&t[1]");
    prints(p, AT(0x50000000100c), "&t[1].b");
    prints(p, AT(0x500000000fff), "(char *)t - 1");
    prints(p, AT(0x50000000100d), "(char *)t + 13");
    prints(p, AT(0x20000000100c), "12 bytes into a new object of 12 bytes");
    prints(p, AT(0x200000002000), "a new object");
    prints(p, AT(0x300000002000), "0x300000002000");
    prints(p, expr_add(p, expr_mul(p, wide, AT(8)), AT(0x50000000100c)), "&t[x + 1].b");
    prints(p, expr_add(p, expr_mul(p, wide, AT(-8)), AT(0x500000001000)), "&t[-x]");
    prints(p, expr_add(p, expr_mul(p, wide, AT(4)), AT(0x500000001000)), "(char *)t + 4 * x");
    prints(p, expr_eq(p, n.l, AT(0x500000001008)), "l == &t[1]");
    prints(p, expr_ult(p, n.l, AT(0x500000001000)), "(unsigned long)l < t");
    prints(p, expr_ite(p, expr_eq(p, n.x, K(0)), AT(0), AT(0x500000001000)), "x == 0 ? 0 : t");
    Expr other = expr_object_word(p, expr_object(p, "other", "x", 4, (ExprCType){EXPR_C_INT, 0}), 0, 4);
    prints(p, expr_slt(p, n.x, other), "x < x#2");
    expr_pool_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_in_c), cmocka_unit_test(words_in_c),
        cmocka_unit_test(floats_in_c),      cmocka_unit_test(long_expressions_end),
        cmocka_unit_test(terms_in_smt),     cmocka_unit_test(queries_in_smt),
        cmocka_unit_test(addresses_in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
