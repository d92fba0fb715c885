/* test_flow_effects.c - what instructions, calls, functions and sides of branches write and read, on text. */
#include "test_flow_case.h"

#define TWO "global $x 16 align 8\nglobal $y 16 align 8\n"

static FlowSite at(const Case *c, const char *fn, uint32_t block, uint32_t insn)
{
    return (FlowSite){ fn_of(c, fn), block, insn };
}

static void instructions(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @main(%n:64) -> 32 {\n^a:\n %s = alloca 8, align 8 fixed\n %p = offset $x, 4\n store.32 %p, 1, align 4\n"
                       " %v = load.64 %s, align 8\n %i = index $x, %n, scale 4\n store.32 %i, 2, align 4\n memcpy $y, $x, 8\n"
                       " memset $y, 0, %n\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 0)), "stack main.s, state of stack main.s");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 2)), "global x[4+4]");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 2)), "");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 3)), "stack main.s[0+8], state of stack main.s");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 5)), "global x");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 6)), "global y[0+8]");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 6)), "global x[0+8]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 7)), "global y");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 8)), "state of stack main.s");
    close_case(&c);
}

/* What a helper does to its parameters is done to each caller's own arguments. */
static void parameters(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @set(%p:64, %q:64, %c:1) {\n^a:\n %l = alloca 8, align 8 fixed\n %f = offset %p, 4\n store.32 %f, 1, align 4\n"
                       " store.64 %l, %q, align 8\n %r = select.64 %c, %p, %q\n store.8 %r, 1, align 1\n br %c, ^b, ^e\n^b:\n"
                       " %n = offset %q, 1\n jmp ^w\n^w:\n %k = phi.64 ^b: %n, ^w: %m\n store.8 %k, 0, align 1\n %m = offset %k, 1\n"
                       " br %c, ^w, ^e\n^e:\n ret\n}\n"
                       "fn @twice(%p:64, %q:64) {\n^a:\n %s = offset %p, 8\n call @set(%s, %q, 1:1)\n ret\n}\n"
                       "fn @main() -> 32 {\n^a:\n %s = alloca 64, align 8 fixed\n call @twice($x, $y)\n call @twice($y, %s)\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "set", 0, 2)), "param 0[4+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "set", 2, 1)), "param 1");
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "set")),
                  "global x[8+1], global y[0+1], global y[8+1], stack main.s[0+1], param 1, param 0[4+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "twice", 0, 1)),
                  "global x[8+1], global y[0+1], global y[8+1], stack main.s[0+1], param 1, param 0[12+4]");
    expect_places(&c, flow_side_writes(c.flow, fn_of(&c, "set"), 0, 0, 0), "param 1");
    expect_places(&c, flow_side_writes(c.flow, fn_of(&c, "set"), 0, 1, 0), "");
    close_case(&c);
}

static void calls_fill_in_arguments(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @set(%p:64) {\n^a:\n %f = offset %p, 4\n store.32 %f, 1, align 4\n ret\n}\n"
                       "fn @main(%c:1) -> 32 {\n^a:\n br %c, ^b, ^e\n^b:\n call @set($x)\n jmp ^e\n^e:\n call @set($y+8)\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 1, 0)), "global x[4+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 2, 0)), "global y[12+4]");
    expect_places(&c, flow_side_writes(c.flow, fn_of(&c, "main"), 0, 0, 0), "global x[4+4]");
    expect_places(&c, flow_side_writes(c.flow, fn_of(&c, "main"), 0, 1, 0), "");
    close_case(&c);
}

static void recursion_in_terms_of_objects(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @f(%p:64, %c:1) {\n^a:\n %l = alloca 8, align 8 fixed\n store.8 %p, 1, align 1\n br %c, ^b, ^e\n^b:\n"
                       " call @f(%l, %c)\n jmp ^e\n^e:\n ret\n}\nfn @main() -> 32 {\n^a:\n call @f($x, 1:1)\n ret 0:32\n}\n");
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "f")), "global x, stack f.l, state of stack f.l");
    close_case(&c);
}

static const char libc[] =
    "fn @__sheaf_alloc(%n:64, %a:64, %z:32) -> 64\nfn @__sheaf_free(%p:64)\nfn @__sheaf_write(%f:32, %p:64, %n:64) -> 64\n"
    "global $errno 4 align 4 runtime\n"
    "fn @malloc(%n:64) -> 64 runtime {\n^a:\n %p:64 = call @__sheaf_alloc(%n, 16:64, 0:32)\n store.32 $errno, 1, align 4\n ret %p\n}\n"
    "fn @free(%p:64) runtime {\n^a:\n call @__sheaf_free(%p)\n ret\n}\n"
    "fn @printf(%f:64, ...) -> 32 runtime {\n^a:\n %n:64 = call @__sheaf_write(1:32, %f, 1:64)\n ret 0:32\n}\n"
    "fn @memcpy(%d:64, %s:64, %n:64) -> 64 runtime {\n^a:\n memcpy %d, %s, %n\n ret %d\n}\n"
    "fn @qsort(%b:64, %n:64, %s:64, %f:64) runtime {\n^a:\n %r:32 = callptr %f(%b, %b)\n ret\n}\n"
    "global $plain 8 align 1 constant {\n 0 \"%d %s\\00\"\n}\nglobal $counts 8 align 1 constant {\n 0 \"%d%ln\\00\"\n}\n";

static void the_table(void **state)
{
    (void)state;
    Str text = {0};
    str_printf(&text, "%s%s", libc,
               TWO "fn @cmp(%p:64, %q:64) -> 32 {\n^a:\n store.8 %p, 1, align 1\n store.32 $y, 1, align 4\n ret 0:32\n}\n"
               "fn @main() -> 32 {\n^a:\n %h:64 = call @malloc(8:64)\n call @free(%h)\n %a1:32 = call @printf($plain, ..., $x)\n"
               " %a2:32 = call @printf($counts, ..., $x)\n %d:64 = call @memcpy($x, $y, 8:64)\n call @qsort($x, 2:64, 8:64, @cmp)\n"
               " ret 0:32\n}\n");
    Case c = open_case(str_text(&text));
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 0)), "global errno[0+4], heap main:0.0, state of heap main:0.0");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 1)), "state of heap main:0.0");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 2)), "stdout");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 3)), "stdout, global x");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 2)), "constants, stdout, global x");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 4)), "global x");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 4)), "global y");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 5)), "global x, global y[0+4]");
    close_case(&c);
    str_free(&text);
}

static void places_that_meet(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @f(%p:64, %q:64) {\n^a:\n ret\n}\nfn @main() -> 32 {\n^a:\n call @f($x, $y)\n ret 0:32\n}\n");
    uint32_t f = fn_of(&c, "f"), x = flow_object_of_global(c.flow, 0), y = flow_object_of_global(c.flow, 1);
    FlowPlace low = { x, IR_NONE, 0, 4 }, high = { x, IR_NONE, 4, 4 }, all = { x, IR_NONE, 0, FLOW_WHOLE };
    FlowPlace other = { y, IR_NONE, 0, FLOW_WHOLE }, p = { IR_NONE, 0, 0, 4 }, q = { IR_NONE, 1, 0, 4 };
    FlowPlace any = { FLOW_OBJECT_ANY, IR_NONE, 0, FLOW_WHOLE }, alive = { flow_state_of(x), IR_NONE, 0, FLOW_WHOLE };
    assert_false(flow_places_meet(c.flow, f, &low, &high));
    assert_true(flow_places_meet(c.flow, f, &low, &all));
    assert_false(flow_places_meet(c.flow, f, &all, &other));
    assert_true(flow_places_meet(c.flow, f, &p, &all));
    assert_false(flow_places_meet(c.flow, f, &q, &all));
    assert_false(flow_places_meet(c.flow, f, &p, &q));
    assert_true(flow_places_meet(c.flow, f, &any, &all));
    assert_true(flow_places_meet(c.flow, f, &any, &q));
    assert_false(flow_places_meet(c.flow, f, &alive, &all));
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions),
        cmocka_unit_test(parameters),
        cmocka_unit_test(calls_fill_in_arguments),
        cmocka_unit_test(recursion_in_terms_of_objects),
        cmocka_unit_test(the_table),
        cmocka_unit_test(places_that_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
