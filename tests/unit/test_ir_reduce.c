/* What is left of a program when what a run cannot come to is removed: equal texts, whatever else there was.
 */
#include "test_ir_util.h"

/* `by_pointer` is called through a variable, `named` is where code of main comes from. */
#define REACHED                                                                                         \
    "fn @by_pointer(%x.0:32) -> 32 {\n^0:\n    ret %x.0\n}\n"                                           \
    "fn @named(%x.0:32) -> 32 {\n^0:\n    ret %x.0\n}\n"                                                \
    "fn @main() -> 32 {\n^0:\n    %1 = load.64 $through, align 8 !1\n    %2:32 = callptr %1(1:32) !2\n" \
    "    %3:32 = call @zeta() !1\n    ret %2\n}\n"                                                      \
    "fn @zeta() -> 32\n"
#define SITES "site !0 \"a.c\" 3:1 \"spare\"\nsite !1 \"a.c\" 9:2 \"named\"\nsite !2 \"a.c\" 10:2 \"main\"\n"

static const char alone[] = "global $through 8 align 8 {\n    0 @by_pointer\n}\n" REACHED SITES;
static const char among[] = "global $spares 8 align 8 {\n    0 @spare\n}\n"
                            "global $.str 3 align 1 constant local {\n    0 \"ab\"\n}\n"
                            "global $through 8 align 8 {\n    0 @by_pointer\n}\n"
                            "fn @alpha() -> 32\n"
                            "fn @spare(%x.0:1) -> 64 {\n^0:\n    br %x.0, ^1, ^2 !0\n^1:\n    %1:32 = call "
                            "@alpha() !0\n    ret $spares "
                            "!0\n^2:\n    ret $.str !0\n}\n" REACHED SITES;

static IrProgram *reduced(const char *text, const char *entry)
{
    IrProgram *p = must_parse(text);
    ir_program_index(p);
    ir_program_reduce(p, entry);
    must_verify(p);
    return p;
}

static void other_code_leaves_nothing_behind(void **state)
{
    (void)state;
    IrProgram *a = reduced(alone, NULL), *b = reduced(among, NULL);
    Str x = printed(a), y = printed(b);
    assert_string_equal(str_text(&x), str_text(&y));
    assert_int_not_equal(ir_fn_find(b, "named"), IR_NONE);
    assert_int_equal(ir_fn_find(b, "spare"), IR_NONE);
    assert_int_equal(ir_global_find(b, "spares"), IR_NONE);
    str_free(&x);
    str_free(&y);
    ir_program_free(a);
    ir_program_free(b);
}

static void coverage_is_measured_against_what_goes(void **state)
{
    (void)state;
    IrProgram *a = reduced(alone, NULL), *b = reduced(among, NULL);
    assert_int_equal(a->removed.blocks, 0);
    assert_int_equal(b->removed.blocks, 3);
    assert_int_equal(b->removed.branches, 2);
    assert_int_equal(b->removed.lines.n, 1);
    ir_program_free(a);
    ir_program_free(b);
}

/* What main names is not reached from another entry: but it may have written a variable before. */
static void an_entry_is_called_in_place_of_main(void **state)
{
    (void)state;
    static const char text[] = "global $count 4 align 4\n"
                               "fn @f() -> 32 {\n^0:\n    %0 = load.32 $count, align 4\n    ret %0\n}\n"
                               "fn @helper() {\n^0:\n    store.32 $count, 1, align 4\n    ret\n}\n"
                               "fn @main() -> 32 {\n^0:\n    call @helper()\n    ret 0:32\n}\n"
                               "fn @__sheaf_start(%argc:32, %argv:64, %envp:64) -> 32 runtime {\n^0:\n"
                               "    %3:32 = call @main()\n    ret %3\n}\n";
    BitSet found = {0};
    IrProgram *p = reduced(text, "f");
    assert_int_equal(ir_fn_find(p, "helper"), IR_NONE);
    assert_false(fn_named(p, "main")->defined);
    ir_fn_state(p, ir_fn_find(p, "f"), &found);
    assert_int_equal(bitset_count(&found), 1);
    bitset_free(&found);
    ir_program_free(p);
    p = reduced(text, NULL);
    assert_true(fn_named(p, "main")->defined);
    assert_int_not_equal(ir_fn_find(p, "helper"), IR_NONE);
    assert_int_equal(ir_fn_find(p, "f"), IR_NONE);
    ir_program_free(p);
}

/* Without models of libc the machine itself calls main, or what is called in its place. */
static void main_stays_where_nothing_else_calls_the_entry(void **state)
{
    (void)state;
    IrProgram *p =
        reduced("fn @f() -> 32 {\n^0:\n    ret 1:32\n}\nfn @main() -> 32 {\n^0:\n    ret 0:32\n}\n", "f");
    assert_true(fn_named(p, "main")->defined);
    assert_true(fn_named(p, "f")->defined);
    ir_program_free(p);
}

/* A fuzz target's own start is called by its name, before the target. */
static void a_fuzz_target_is_initialized(void **state)
{
    (void)state;
    IrProgram *p = reduced("fn @LLVMFuzzerTestOneInput(%d.0:64, %n.1:64) -> 32 {\n^0:\n    ret 0:32\n}\n"
                           "fn @LLVMFuzzerInitialize(%c.0:64, %v.1:64) -> 32 {\n^0:\n    ret 0:32\n}\n",
                           "LLVMFuzzerTestOneInput");
    assert_int_not_equal(ir_fn_find(p, "LLVMFuzzerInitialize"), IR_NONE);
    ir_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_code_leaves_nothing_behind),
        cmocka_unit_test(coverage_is_measured_against_what_goes),
        cmocka_unit_test(an_entry_is_called_in_place_of_main),
        cmocka_unit_test(main_stays_where_nothing_else_calls_the_entry),
        cmocka_unit_test(a_fuzz_target_is_initialized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
