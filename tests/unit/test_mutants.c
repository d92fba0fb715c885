/* Mutants of bench/mutate: each is a well-formed program that differs from the original, and is taken out
 * without a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "../../bench/mutants.h"

static IrProgram *load(const char *name)
{
    Str path = {0}, text = {0};
    const char *root = getenv("SHEAF_SOURCE"), *error = NULL;
    Arena *arena = arena_new();
    str_printf(&path, "%s/tests/ir/%s", root ? root : ".", name);
    assert_true(file_read(str_text(&path), 1 << 20, &text));
    IrProgram *p = ir_program_parse(str_text(&text), text.n, arena, &error);
    if (!p)
        fail_msg("%s: %s", name, error);
    str_free(&path);
    str_free(&text);
    arena_free(arena);
    return p;
}

static bool is_same(const Mutant *x, const Mutant *y)
{
    return x->fn == y->fn && x->block == y->block && x->insn == y->insn && x->extra == y->extra &&
           x->becomes.op == y->becomes.op && x->becomes.a == y->becomes.a && x->becomes.b == y->becomes.b;
}

/* Mutants of the same text are the same: an operator of one register gives that, whichever operand is
 * kept. */
static void check_texts(const IrProgram *p, const MutantVec *mutants, const char *name)
{
    StrMap known = {0};
    for (uint32_t i = 0; i < mutants->n; i++) {
        const Mutant *m = &mutants->v[i];
        uint64_t first = i;
        Str text = {0};
        mutant_text(p, m, &text);
        if (!strmap_get(&known, str_text(&text), &first))
            strmap_put(&known, str_text(&text), i);
        else if (!is_same(m, &mutants->v[first]))
            fail_msg("%s: mutants %llu and %u are both '%s'", name, (unsigned long long)first, i,
                     str_text(&text));
        str_free(&text);
    }
    strmap_free(&known);
}

static void check_program(const char *name, uint32_t at_least)
{
    IrProgram *p = load(name);
    MutantVec mutants = {0};
    Str original = {0}, mutated = {0}, restored = {0};
    Arena *arena = arena_new();
    const char *error = NULL;
    mutants_list(p, &mutants);
    ir_program_print(p, &original);
    assert_true(mutants.n >= at_least);
    for (uint32_t i = 0; i < mutants.n; i++) {
        vec_clear(&mutated);
        vec_clear(&restored);
        mutant_swap(p, &mutants.v[i]);
        ir_program_print(p, &mutated);
        if (!ir_program_verify(p, arena, &error))
            fail_msg("%s, mutant %u: %s", name, i, error);
        mutant_swap(p, &mutants.v[i]);
        ir_program_print(p, &restored);
        assert_string_not_equal(str_text(&mutated), str_text(&original));
        assert_string_equal(str_text(&restored), str_text(&original));
    }
    check_texts(p, &mutants, name);
    str_free(&original);
    str_free(&mutated);
    str_free(&restored);
    vec_free(&mutants);
    arena_free(arena);
    ir_program_free(p);
}

static void test_well_formed(void **state)
{
    (void)state;
    check_program("hand.ir", 10);
    check_program("loops.ir", 10);
    check_program("every.ir", 100);
}

static const char small[] = "fn @f(%x:32) -> 32 {\n"
                            "^first:\n"
                            "  %sum = add.32 %x, 5\n"
                            "  %less = slt.32 %sum, 7\n"
                            "  br %less, ^yes, ^no\n"
                            "^yes:\n"
                            "  ret %sum\n"
                            "^no:\n"
                            "  ret 0:32\n"
                            "}\n";

/* Counted by hand: + to - * / %; < to the five others; the branch turned, always, never; 5 to 6 4 0, 7 to 8 6
 * 0, 0 to 1 -1; the sum to one of its operands. */
static void test_counts(void **state)
{
    (void)state;
    static const uint32_t expected[MUTANT_KIND_COUNT] = {[MUTANT_ARITHMETIC] = 4,
                                                         [MUTANT_RELATIONAL] = 5,
                                                         [MUTANT_CONDITIONAL] = 3,
                                                         [MUTANT_CONSTANT] = 8,
                                                         [MUTANT_DELETION] = 2};
    const char *error = NULL;
    Arena *arena = arena_new();
    IrProgram *p = ir_program_parse(small, sizeof small - 1, arena, &error);
    MutantVec mutants = {0};
    uint32_t counts[MUTANT_KIND_COUNT] = {0};
    if (!p)
        fail_msg("%s", error);
    mutants_list(p, &mutants);
    for (uint32_t i = 0; i < mutants.n; i++)
        counts[mutants.v[i].kind]++;
    assert_memory_equal(counts, expected, sizeof counts);
    vec_free(&mutants);
    ir_program_free(p);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_well_formed), cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
