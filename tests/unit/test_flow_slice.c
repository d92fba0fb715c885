/* test_flow_slice.c - slices with calls and returns matched; what may run before what. */
#include "test_flow_util.h"
#include "flow/flow_int.h"

static const char shared_text[] = "fn @twice(%x:32) -> 32 {\n^e:\n %y = add.32 %x, %x !1\n ret %y !2\n}\n"
                                  "fn @main(%a:32, %b:32) -> 32 {\n"
                                  "^e:\n %a1 = add.32 %a, 1 !10\n %b1 = add.32 %b, 1 !11\n"
                                  " %p:32 = call @twice(%a1) !12\n %q:32 = call @twice(%b1) !13\n"
                                  " %r = sdiv.32 100, %p !14\n %s = sdiv.32 100, %q !15\n ret %r !16\n}\n";

static void calls_are_matched(void **state)
{
    (void)state;
    Case c = open_case(shared_text);
    expect_slice(&c, 10, true, "1 2 10 12 14 16");
    expect_slice(&c, 15, false, "1 2 11 13 15");
    expect_slice(&c, 14, false, "1 2 10 12 14");
    assert_true(flow_may_depend(c.slices, on_line(&c, 10), on_line(&c, 14)));
    assert_false(flow_may_depend(c.slices, on_line(&c, 10), on_line(&c, 15)));
    assert_true(flow_may_depend(c.slices, on_line(&c, 1), on_line(&c, 15)));
    close_case(&c);
}

static void control_and_joins(void **state)
{
    (void)state;
    Case c = open_case("fn @main(%x:32, %y:32) -> 32 {\n"
                       "^e:\n %c = slt.32 3, %x !1\n br %c, ^a, ^b !2\n"
                       "^a:\n %t = add.32 %y, 1 !3\n jmp ^j !4\n^b:\n jmp ^j\n"
                       "^j:\n %v = phi.32 ^a: %t, ^b: 2 !5\n %u = add.32 %y, 2 !6\n ret %v !7\n}\n");
    expect_slice(&c, 1, true, "1 2 3 4 5 7");
    expect_slice(&c, 7, false, "1 2 3 5 7");
    assert_false(flow_may_depend(c.slices, on_line(&c, 2), on_line(&c, 6)));
    close_case(&c);
}

/* What leaves a loop depends on the branch that ends it, though no phi stands behind the loop. */
static void the_last_round(void **state)
{
    (void)state;
    Case c = open_case("fn @main(%n:32) -> 32 {\n^e:\n jmp ^h\n"
                       "^h:\n %i = phi.32 ^e: 0, ^b: %i2 !1\n %m = slt.32 %i, %n !2\n br %m, ^b, ^x !3\n"
                       "^b:\n %i2 = add.32 %i, 1 !4\n jmp ^h !5\n"
                       "^x:\n %r = add.32 %i, 7 !6\n ret %r !7\n}\n");
    assert_true(flow_may_depend(c.slices, on_line(&c, 3), on_line(&c, 6)));
    assert_true(flow_may_depend(c.slices, on_line(&c, 3), on_line(&c, 4)));
    close_case(&c);
}

static void order_between_functions(void **state)
{
    (void)state;
    Case c =
        open_case("fn @f() {\n^e:\n call @g() !1\n ret\n}\n"
                  "fn @g() {\n^e:\n %x = add.32 1, 1 !2\n ret\n}\n"
                  "fn @h() {\n^e:\n %x = add.32 1, 1 !3\n ret\n}\n"
                  "fn @main(%n:32) -> 32 {\n^e:\n call @f() !4\n %c = slt.32 %n, 3 !5\n br %c, ^a, ^b\n"
                  "^a:\n call @h() !6\n jmp ^x\n^b:\n %y = add.32 1, 1 !7\n jmp ^x\n^x:\n jmp ^l\n"
                  "^l:\n %z = add.32 2, 2 !8\n call @g() !9\n br %c, ^l, ^end\n^end:\n ret 0:32 !10\n}\n");
    assert_true(flow_may_precede(c.slices, on_line(&c, 2), on_line(&c, 3)));
    assert_true(flow_may_precede(c.slices, on_line(&c, 3), on_line(&c, 2))); /* by the loop's call */
    assert_false(flow_may_precede(c.slices, on_line(&c, 5), on_line(&c, 4)));
    assert_false(flow_may_precede(c.slices, on_line(&c, 6), on_line(&c, 7)));
    assert_false(flow_may_precede(c.slices, on_line(&c, 3), on_line(&c, 7)));
    assert_true(flow_may_precede(c.slices, on_line(&c, 9), on_line(&c, 8))); /* the next round */
    assert_false(flow_may_precede(c.slices, on_line(&c, 10), on_line(&c, 2)));
    assert_true(flow_may_precede(c.slices, on_line(&c, 1), on_line(&c, 10)));
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_matched),
        cmocka_unit_test(control_and_joins),
        cmocka_unit_test(the_last_round),
        cmocka_unit_test(order_between_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
