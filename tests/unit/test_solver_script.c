/* test_solver_script.c - SMT-LIB 2 scripts: answers, errors with their lines, hostile text, and agreement
 * with the chain on what our own printer writes. */
#include "../solver/random_expr.h"
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

/* Runs a script; what it printed goes to *out (mem_free), the error is copied to error. */
static bool run(const char *text, size_t size, char **out, char error[200])
{
    Arena *a = arena_new();
    ExprPool *p = expr_pool_new();
    Solver *s = solver_new(p, NULL);
    size_t n;
    FILE *f = open_memstream(out, &n);
    const char *e = solver_run_script(a, p, s, text, size, 0, f);
    fclose(f);
    snprintf(error, 200, "%s", e ? e : "");
    solver_free(s);
    expr_pool_free(p);
    arena_free(a);
    return !e;
}

static void expect(const char *text, const char *printed, const char *error)
{
    char *out = NULL, got[200];
    run(text, strlen(text), &out, got);
    assert_string_equal(got, error);
    assert_string_equal(out, printed);
    free(out);
}

#define X32 "(declare-const x (_ BitVec 32))\n"
#define ARRAYS                                                                                             \
    "(declare-const a (Array (_ BitVec 16) (_ BitVec 8)))(declare-const b (Array (_ BitVec 16) (_ BitVec " \
    "8)))(declare-const i (_ BitVec 16))(declare-const j (_ BitVec 16))\n"

static void test_answers(void **state)
{
    (void)state;
    expect(X32 "(assert (= (bvmul x #x00000003) #x0000000f))(check-sat)(get-value (x (bvult x #x00000009)))",
           "sat\n((x #b00000000000000000000000000000101) ((bvult x #x00000009) true))\n", "");
    expect(X32 "(assert (bvult x #x00000000))(check-sat)(get-model)",
           "unsat\n(error \"there is no model\")\n", "");
    expect(X32 "(push 1)(assert (= x #x00000001))(assert (= x #x00000002))(check-sat)(pop)(assert (= x "
               "#x00000007))(check-sat)(get-model)",
           "unsat\nsat\n(\n  (define-fun |x| () (_ BitVec 32) #b00000000000000000000000000000111)\n)\n", "");
    expect(X32 "(define-fun f ((y (_ BitVec 32))) Bool (let ((z (bvadd x y))) (= z #x00000000)))"
               "(assert (let ((z #x00000005)) (f z)))(assert (distinct x #xfffffffb))(check-sat)",
           "unsat\n", "");
    expect("(declare-fun p () Bool)(declare-fun q () Bool)(assert (=> p q p))(assert (xor p q "
           "true))(check-sat-assuming (p (not q)))(check-sat)",
           "unsat\nsat\n", "");
    expect("(assert (= (bvsmod #xf9 #x03) #x02))(assert (= (bvsdiv #xf9 #x03) #xfe))(assert (= ((_ "
           "rotate_left 1) #b100) #b001))"
           "(assert (= ((_ repeat 2) #x5) #x55))(assert (= (bvcomp #x1 #x1) #b1))(assert (= (_ bv10 4) "
           "#xa))(check-sat)",
           "sat\n", "");
    expect("(set-logic QF_BV)(echo \"hi\")(get-info :name)(exit)(nonsense", "hi\nunsupported\n", "");
}

static void test_arrays(void **state)
{
    (void)state;
    expect(ARRAYS "(assert (= i j))(assert (distinct (select a i) (select a j)))(check-sat)", "unsat\n", "");
    expect(ARRAYS "(assert (= b (store a i #x07)))(assert (distinct (select b i) #x07))(check-sat)",
           "unsat\n", "");
    expect(ARRAYS "(assert (= b (store a i #x07)))(assert (distinct i j))(assert (distinct (select b j) "
                  "(select a j)))(check-sat)",
           "unsat\n", "");
    expect(ARRAYS "(assert (not (= a b)))(check-sat)", "sat\n", "");
    expect(ARRAYS "(assert (= a ((as const (Array (_ BitVec 16) (_ BitVec 8))) #x01)))(assert (= a ((as "
                  "const (Array (_ BitVec 16) (_ BitVec 8))) #x02)))(check-sat)",
           "unsat\n", "");
    expect(ARRAYS
           "(assert (= (select (ite (bvult i j) (store a i #x01) a) i) #x02))(assert (bvult i j))(check-sat)",
           "unsat\n", "");
    expect(ARRAYS "(assert (= (store (store a i #x01) j #x02) (store (store a j #x02) i #x01)))(assert (= i "
                  "j))(check-sat)",
           "unsat\n", "");
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"(check-sat", "line 1: a '(' is not closed"},
        {"\n(assert (foo x))", "line 2: unknown symbol 'x'"},
        {X32 "(assert (foo x))", "line 2: unknown function 'foo'"},
        {X32 "\n(assert x)", "line 3: a term that is no Bool"},
        {X32 "(assert (= x #x0))", "line 2: arguments of different sorts"},
        {X32 "(assert (bvult x #x0))", "line 2: arguments of 32 and 4 bits"},
        {X32 X32, "line 2: 'x' is declared already"},
        {"(declare-const x (_ BitVec 129))",
         "line 1: bit-vectors of 129 bits are not supported, the widest have 128"},
        {"(declare-const x (_ BitVec 0))", "line 1: a width that is no positive number"},
        {"(declare-const x Real)", "line 1: unknown sort Real"},
        {"(declare-fun f (Bool) Bool)", "line 1: uninterpreted functions with parameters are not supported"},
        {X32 "(assert (forall ((y Bool)) y))", "line 2: quantifiers are not supported"},
        {X32 "(assert (= x ((_ extract 40 0) x)))", "line 2: extract 40 0 of 32 bits"},
        {X32 "(assert (= x (concat x x x x x)))", "line 2: a concatenation of more than 128 bits"},
        {"(pop 1)", "line 1: more pops than pushes"},
        {"(frobnicate)", "line 1: unknown command 'frobnicate'"},
        {"check-sat", "line 1: a command is expected"},
        {"(define-fun f ((x Bool)) Bool #b1)(assert (f true))", "line 1: 'f' has a body of the wrong sort"},
        {"(assert (bvnot))", "line 1: bvnot with 0 arguments"},
        {"(assert ())", "line 1: an empty list where a term is expected"},
        {"(assert #b)", "line 1: a constant that makes no sense or is too wide"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(cases[i][0], "", cases[i][1]);
}

/* Nesting as deep as the text is long, in all ways to nest. */
static void test_depth(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static const char *const shapes[][3] = {
        {"(not ", "true", ")"},        {"(let ((y true)) ", "y", ")"}, {"(ite true true ", "false", ")"},
        {"(! ", "true", " :named n)"}, {"(and ", "true", " true)"},
    };
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        Str text = {0};
        str_add(&text, "(assert ");
        for (int k = 0; k < DEPTH; k++)
            str_add(&text, shapes[i][0]);
        str_add(&text, shapes[i][1]);
        for (int k = 0; k < DEPTH; k++)
            str_add(&text, shapes[i][2]);
        str_add(&text, ")(check-sat)");
        expect(str_text(&text), "sat\n", "");
        str_free(&text);
    }
}

/* Functions that double at each level would be 2^60 terms. */
static void test_expansion_is_bounded(void **state)
{
    (void)state;
    Str text = {0};
    str_add(&text, "(define-fun f0 ((x Bool)) Bool x)");
    for (int i = 1; i < 60; i++)
        str_printf(&text, "(define-fun f%d ((x Bool)) Bool (and (f%d x) (f%d (not x))))", i, i - 1, i - 1);
    str_add(&text, "(assert (f59 true))");
    char *out = NULL, error[200];
    assert_false(run(str_text(&text), text.n, &out, error));
    assert_non_null(strstr(error, "too many terms"));
    free(out);
    str_free(&text);
}

/* Valid scripts with bytes changed, removed or doubled: any answer, no crash. */
static void test_mutations(void **state)
{
    (void)state;
    static const char base[] = "(set-logic QF_ABV)\n(define-sort W () (_ BitVec 8))\n(declare-const x "
                               "W)(declare-const m (Array W W))\n"
                               "(define-fun g ((y W)) W (bvadd y (select m y)))(push 1)\n(assert (let ((z (g "
                               "x))) (and (bvult z #x10) (= ((_ extract 3 0) z) #b0101))))\n"
                               "(check-sat)(get-model)(get-value (x (select m x) (g x)))(pop 1)(assert (! (= "
                               "m (store m x #x01)) :named h))(check-sat-assuming ((= x #x03)))(reset)(exit)";
    Rng r;
    rng_seed(&r, 5);
    for (int round = 0; round < 1500; round++) {
        Str text = {0};
        str_add(&text, base);
        for (uint64_t k = 1 + rng_below(&r, 4); k > 0 && text.n > 4; k--) {
            uint32_t at = (uint32_t)rng_below(&r, text.n - 2), n = 1 + (uint32_t)rng_below(&r, 3);
            switch (rng_below(&r, 4)) {
            case 0: text.v[at] = (char)rng_below(&r, 128); break;
            case 1: text.v[at] = "()|\";# _b"[rng_below(&r, 9)]; break;
            case 2:
                n = at + n < text.n ? n : text.n - at;
                memmove(text.v + at, text.v + at + n, text.n - at - n);
                text.n -= n;
                break;
            default: text.v[at] = text.v[(uint32_t)rng_below(&r, text.n)]; break;
            }
        }
        char *out = NULL, error[200];
        run(text.v, text.n, &out, error);
        assert_true(error[0] == 0 || strncmp(error, "line ", 5) == 0);
        free(out);
        str_free(&text);
    }
}

static void test_printed_queries(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ExprPool *p = expr_pool_new();
        RandomExpr *random = random_expr_new(p, seed, seed & 1 ? RANDOM_SMALL : RANDOM_WIDE);
        Solver *s = solver_new(p, NULL);
        SolverAnswer a = {0};
        ExprVec q = {0};
        for (int i = 0; i < 10; i++) {
            Str text = {0};
            char *out = NULL, error[200];
            random_expr_query(random, &q);
            SolverStatus status = solver_check(s, &(SolverQuery){.constraints = q.v, .n = q.n}, &a);
            expr_print_smt_query(p, q.v, q.n, "a random query", &text);
            if (!run(str_text(&text), text.n, &out, error) ||
                strcmp(out, status == SOLVER_SAT ? "sat\n" : "unsat\n") != 0)
                fail_msg("seed %llu: %s, %s\n%s", (unsigned long long)seed, error, out, str_text(&text));
            free(out);
            str_free(&text);
        }
        solver_answer_free(&a);
        vec_free(&q);
        solver_free(s);
        random_expr_free(random);
        expr_pool_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_expansion_is_bounded),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_printed_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
