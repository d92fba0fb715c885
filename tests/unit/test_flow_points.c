/* test_flow_points.c - points-to sets on text: fields, arrays, unions, casts, copies, calls, callbacks,
 * budgets. */
#include "test_flow_case.h"
#include "flow/flow_int.h"

#define MAIN(body) "fn @main(%argc:32, %argv:64) -> 32 {\n^a:\n" body " ret 0:32\n}\n"
#define TWO        "global $x 4 align 4\nglobal $y 4 align 4\n"

static void fields_stay_apart(void **state)
{
    (void)state;
    Case c =
        open_case(TWO MAIN(" %s = alloca 16, align 8 fixed\n %f = offset %s, 8\n store.64 %s, $x, align 8\n"
                           " store.64 %f, $y, align 8\n %p = load.64 %s, align 8\n %q = load.64 %f, align 8\n"
                           " %b = load.8 %f, align 1\n"));
    expect_points(&c, "main", "s", "stack main.s");
    expect_points(&c, "main", "p", "global x");
    expect_points(&c, "main", "q", "global y");
    expect_points(&c, "main", "b", "global y");
    expect_points(&c, "main", "argv", "arguments");
    close_case(&c);
}

/* An array of pairs: any index, but the members stay apart. */
static void arrays_by_stride(void **state)
{
    (void)state;
    Case c = open_case(TWO "global $t 160 align 8\n" MAIN(
        " %e = index $t, %argc, scale 16\n %f = offset %e, 8\n store.64 %e, $x, align 8\n"
        " store.64 %f, $y, align 8\n %g = offset $t, 40\n %h = offset $t, 32\n %q = load.64 %g, align 8\n"
        " %p = load.64 %h, align 8\n %w = index $t, %argc, scale 8\n %all = load.64 %w, align 8\n"));
    expect_points(&c, "main", "p", "global x");
    expect_points(&c, "main", "q", "global y");
    expect_points(&c, "main", "all", "global x, global y");
    close_case(&c);
}

/* A pointer is stored as a whole and read by halves and shifted, and the other way round. */
static void unions_and_overlap(void **state)
{
    (void)state;
    Case c = open_case(
        TWO MAIN(" %u = alloca 16, align 8 fixed\n store.64 %u, $x, align 8\n %h = offset %u, 4\n"
                 " %half = load.32 %h, align 4\n %wide = load.128 %u, align 8\n %v = offset %u, 12\n"
                 " %none = load.32 %v, align 4\n"));
    expect_points(&c, "main", "half", "global x");
    expect_points(&c, "main", "wide", "global x");
    expect_points(&c, "main", "none", "");
    close_case(&c);
}

/* A walk through an object by a pointer that grows; back from a member to the whole. */
static void arithmetic_across_fields(void **state)
{
    (void)state;
    Case c = open_case(
        TWO
        "global $s 24 align 8\n"
        "fn @main(%argc:32) -> 32 {\n^a:\n %f = offset $s, 16\n store.64 %f, $x, align 8\n jmp ^l\n^l:\n"
        " %p = phi.64 ^a: $s, ^l: %n\n %v = load.64 %p, align 8\n %n = offset %p, 8\n"
        " %c = ult.64 %n, $s+24\n br %c, ^l, ^e\n^e:\n %back = offset %f, -16\n store.64 %back, $y, align 8\n"
        " %w = load.64 $s, align 8\n %d = sub.64 %n, $s\n %i = offset $y, %d\n %o = or.64 %n, 1\n"
        " %m = and.64 %o, -2\n %z = load.64 %m, align 8\n ret 0:32\n}\n");
    expect_points(&c, "main", "v", "global x, global y");
    expect_points(&c, "main", "w", "global y");
    expect_points(&c, "main", "i", "global y");
    expect_points(&c, "main", "m", "global s");
    expect_points(&c, "main", "z", "global x, global y");
    close_case(&c);
}

/* An element of an array is copied into a member: its fields stay apart, and the other members as they are.
 * Bytes from anywhere in the array may come to lie anywhere in the member, and nowhere else. */
static void elements_into_members(void **state)
{
    (void)state;
    Case c = open_case(TWO "global $t 160 align 8\n" MAIN(
        " %e = index $t, %argc, scale 16\n %f = offset %e, 8\n store.64 %e, $x, align 8\n"
        " store.64 %f, $y, align 8\n %s = alloca 64, align 8 fixed\n %m = offset %s, 16\n"
        " memcpy %m, %e, 16\n %p = load.64 %m, align 8\n %g = offset %s, 24\n %q = load.64 %g, align 8\n"
        " %before = load.64 %s, align 8\n %h = offset %s, 32\n"
        " %any = index $t, %argc, scale 1\n memcpy %h, %any, 16\n %i = offset %s, 40\n"
        " %mixed = load.64 %i, align 8\n %j = offset %s, 48\n %none = load.64 %j, align 8\n"));
    expect_points(&c, "main", "p", "global x");
    expect_points(&c, "main", "q", "global y");
    expect_points(&c, "main", "before", "");
    expect_points(&c, "main", "mixed", "global x, global y");
    expect_points(&c, "main", "none", "");
    close_case(&c);
}

static void initial_contents(void **state)
{
    (void)state;
    Case c = open_case(TWO "global $t 16 align 8 constant {\n 0 $x\n 8 @f\n}\nfn @f() {\n^a:\n ret\n}\n" MAIN(
        " %m = alloca 16, align 8 fixed\n memcpy %m, $t, 16\n %p = load.64 %m, align 8\n"
        " %g = offset %m, 8\n %q = load.64 %g, align 8\n callptr %q()\n store.64 $t, $y, align 8\n"
        " %k = load.64 $t, align 8\n"));
    expect_points(&c, "main", "p", "global x");
    expect_points(&c, "main", "q", "function f");
    expect_points(&c, "main", "k", "global x"); /* what is constant cannot be written */
    FlowList callees = flow_callees(c.flow, (FlowSite){fn_of(&c, "main"), 0, 5});
    assert_int_equal(callees.n, 1);
    assert_int_equal(callees.v[0], fn_of(&c, "f"));
    assert_int_equal(flow_callers(c.flow, fn_of(&c, "f")).n, 1);
    close_case(&c);
}

/* Functions in a structure, entered only when found; arguments and results follow. */
static void function_pointers(void **state)
{
    (void)state;
    Case c = open_case(
        TWO "global $ops 16 align 8\nfn @id(%p:64) -> 64 {\n^a:\n ret %p\n}\nfn @other(%p:64) -> 64 {\n^a:\n "
            "ret $y\n}\n"
            "fn @never(%p:64) -> 64 {\n^a:\n ret %p\n}\n" MAIN(
                " store.64 $ops, @id, align 8\n %o = offset $ops, 8\n store.64 %o, @other, align 8\n"
                " %f = load.64 $ops, align 8\n %r:64 = callptr %f($x)\n"));
    expect_points(&c, "main", "r", "global x");
    expect_points(&c, "id", "p", "global x");
    expect_points(&c, "never", "p", "anything"); /* it never runs: nothing is known */
    close_case(&c);
}

static void recursion_and_stack(void **state)
{
    (void)state;
    Case c = open_case(
        "fn @f(%p:64, %c:1) -> 64 {\n^a:\n %l = alloca 8, align 8 fixed\n store.64 %l, %p, align 8\n"
        " br %c, ^b, ^e\n^b:\n %r:64 = call @f(%l, %c)\n jmp ^e\n^e:\n %v = phi.64 ^a: %p, ^b: %r\n ret "
        "%v\n}\n"
        "global $x 4 align 4\n" MAIN(" %q:64 = call @f($x, 1:1)\n"));
    expect_points(&c, "main", "q", "global x, stack f.l");
    close_case(&c);
}

static const char allocating[] =
    "fn @malloc(%n:64) -> 64 runtime {\n^a:\n %p:64 = call @__sheaf_alloc(%n, 16:64, 0:32)\n ret %p\n}\n"
    "fn @__sheaf_alloc(%n:64, %a:64, %z:32) -> 64\n"
    "fn @xmalloc(%n:64) -> 64 {\n^a:\n %p:64 = call @malloc(%n)\n %z = eq.64 %p, 0\n br %z, ^bad, "
    "^e\n^bad:\n trap\n^e:\n"
    " store.64 %p, %n, align 8\n ret %p\n}\n"
    "global $cache 8 align 8\n"
    "fn @cached() -> 64 {\n^a:\n %o = load.64 $cache, align 8\n %z = eq.64 %o, 0\n br %z, ^make, ^e\n^make:\n"
    " %p:64 = call @malloc(8:64)\n store.64 $cache, %p, align 8\n jmp ^e\n^e:\n %r = phi.64 ^a: %o, ^make: "
    "%p\n ret %r\n}\n";

/* Each call of a wrapper of malloc has an object of its own; what a wrapper keeps is shared all the same. */
static void wrappers_of_malloc(void **state)
{
    (void)state;
    char text[4096];
    snprintf(
        text, sizeof text, "%s%s", allocating,
        MAIN(" %a1:64 = call @xmalloc(8:64)\n %b1:64 = call @xmalloc(8:64)\n %c1:64 = call @malloc(8:64)\n"
             " %d1:64 = call @cached()\n %e1:64 = call @cached()\n"));
    Case c = open_case(text);
    expect_points(&c, "main", "a1", "heap xmalloc:0.0 from main:0.0");
    expect_points(&c, "main", "b1", "heap xmalloc:0.0 from main:0.1");
    expect_points(&c, "main", "c1", "heap main:0.2");
    expect_points(&c, "xmalloc", "p", "heap xmalloc:0.0 from main:0.0, heap xmalloc:0.0 from main:0.1");
    expect_points(&c, "main", "d1", "heap cached:1.0 from main:0.3, heap cached:1.0 from main:0.4");
    uint32_t main_fn = fn_of(&c, "main");
    FlowSite at = {fn_of(&c, "xmalloc"), 0, 0}, from = {main_fn, 0, 1};
    char name[256];
    assert_string_equal(flow_object_text(c.flow, flow_object_of_heap(c.flow, at, from), name, sizeof name),
                        "heap xmalloc:0.0 from main:0.1");
    close_case(&c);
}

static void variable_arguments(void **state)
{
    (void)state;
    Case c = open_case(
        TWO
        "fn @pick(%n:32, ...) -> 64 {\n^a:\n %l = alloca 24, align 8 fixed\n vastart %l\n %o = offset %l, 8\n"
        " %area = load.64 %o, align 8\n %n1 = offset %area, 8\n store.64 %o, %n1, align 8\n"
        " %p = load.64 %n1, align 8\n ret %p\n}\n" MAIN(
            " %s = alloca 16, align 8 fixed\n store.64 %s, $y, align 8\n"
            " %r:64 = call @pick(1:32, ..., 5:32, $x, %s byval 16 align 8)\n"));
    expect_points(&c, "pick", "area", "variable arguments of pick");
    expect_points(&c, "main", "r", "global x, global y");
    close_case(&c);
}

/* The callback gets pointers into what is sorted; nothing of the body flows back into other callers. */
static void callbacks_by_the_table(void **state)
{
    (void)state;
    Case c = open_case(
        TWO "fn @qsort(%b:64, %n:64, %s:64, %f:64) runtime {\n^a:\n %r:32 = callptr %f(%b, %b)\n ret\n}\n"
            "fn @cmp(%p:64, %q:64) -> 32 {\n^a:\n ret 0:32\n}\nfn @cmp2(%p:64, %q:64) -> 32 {\n^a:\n ret "
            "0:32\n}\n" MAIN(" call @qsort($x, 1:64, 4:64, @cmp)\n call @qsort($y, 1:64, 4:64, @cmp2)\n"));
    expect_points(&c, "cmp", "p", "global x");
    expect_points(&c, "cmp2", "q", "global y");
    expect_points(&c, "qsort", "b", "global x, global y");
    FlowSites callers = flow_callers(c.flow, fn_of(&c, "cmp"));
    assert_int_equal(callers.n, 1);
    assert_int_equal(callers.v[0].fn, fn_of(&c, "qsort"));
    close_case(&c);
}

static void table_of_effects(void **state)
{
    (void)state;
    Case c =
        open_case(TWO "fn @strchr(%s:64, %c:32) -> 64 runtime {\n^a:\n %p = offset %s, 1\n ret %p\n}\n"
                      "fn @strtol(%s:64, %e:64, %b:32) -> 64 runtime {\n^a:\n store.64 %e, %s, align 8\n ret "
                      "0:64\n}\n" MAIN(" %p:64 = call @strchr($x, 1:32)\n %q:64 = call @strchr($y, 1:32)\n "
                                       "%e = alloca 8, align 8 fixed\n"
                                       " %n:64 = call @strtol($x, %e, 0:32)\n %v = load.64 %e, align 8\n"
                                       " %d = alloca 8, align 8 fixed\n %n2:64 = call @strtol($y, %d, "
                                       "0:32)\n %w = load.64 %d, align 8\n"));
    expect_points(&c, "main", "p", "global x");
    expect_points(&c, "main", "q", "global y");
    expect_points(&c, "main", "v", "global x");
    expect_points(&c, "main", "w", "global y");
    expect_points(&c, "strchr", "s", "global x, global y");
    close_case(&c);
}

/* Inputs: what an entry's pointers lead to, and words of a named input that are used as pointers. */
static void inputs(void **state)
{
    (void)state;
    const char text[] =
        "fn @__sheaf_symbolic(%p:64, %n:64, %s:64)\nglobal $x 8 align 8\n"
        "fn @f(%p:64) -> 64 {\n^a:\n %q = load.64 %p, align 8\n call @__sheaf_symbolic($x, 8:64, 0:64)\n"
        " %w = load.64 $x, align 8\n %i = load.32 $x, align 4\n %t = load.64 %w, align 8\n ret %q\n}\n";
    FlowOptions options = {.entry = 1, .lazy_inputs = true};
    Case c = open_case_with(text, &options);
    assert_int_equal(fn_of(&c, "f"), 1);
    expect_points(&c, "f", "p", "inputs");
    expect_points(&c, "f", "q", "inputs");
    expect_points(&c, "f", "w", "anything");
    expect_points(&c, "f", "i", "");
    expect_points(&c, "f", "t", "anything");
    close_case(&c);
}

/* Bytes copied one by one through a loop of the program's own. */
static void copies_byte_by_byte(void **state)
{
    (void)state;
    Case c = open_case(
        "global $x 8 align 8\nfn @main(%n:64) -> 32 {\n^a:\n %s = alloca 8, align 8 fixed\n"
        " %d = alloca 8, align 8 fixed\n store.64 %s, $x, align 8\n jmp ^l\n^l:\n %i = phi.64 ^a: 0, ^l: %j\n"
        " %p = index %s, %i, scale 1\n %b = load.8 %p, align 1\n %q = index %d, %i, scale 1\n"
        " store.8 %q, %b, align 1\n %j = add.64 %i, 1\n %c = ult.64 %j, 8\n br %c, ^l, ^e\n^e:\n"
        " %v = load.64 %d, align 8\n ret 0:32\n}\n");
    expect_points(&c, "main", "v", "global x");
    expect_points(&c, "main", "i", "");
    close_case(&c);
}

/* With no budget at all the answer is coarser, holds the precise one, and says so. */
static void budget(void **state)
{
    (void)state;
    const char text[] =
        TWO MAIN(" %s = alloca 16, align 8 fixed\n %f = offset %s, 8\n store.64 %s, $x, align 8\n"
                 " store.64 %f, $y, align 8\n %p = load.64 %s, align 8\n %q = load.64 %f, align 8\n"
                 " %z = load.64 %argv, align 8\n");
    FlowOptions options = {.max_steps = 1, .entry = IR_NONE};
    Case c = open_case_with(text, &options);
    FlowList p = flow_points_to(c.flow, 0, reg_of(&c, 0, "p"));
    assert_true(flow_stats(c.flow)->unified > 0);
    bool x = false;
    for (uint32_t i = 0; i < p.n; i++)
        x |= p.v[i] == flow_object_of_global(c.flow, 0);
    assert_true(x);
    close_case(&c);
}

/* Many calls through a table of many functions, with no budget: the calls become one, and none loses a
 * callee. */
static void budget_of_calls(void **state)
{
    (void)state;
    enum { MANY = 40 };
    Str text = {0};
    str_add(&text, "global $x 4 align 4\nglobal $t 320 align 8 {\n");
    for (uint32_t i = 0; i < MANY; i++)
        str_printf(&text, " %u @h%u\n", 8 * i, i);
    str_add(&text, "}\n");
    for (uint32_t i = 0; i < MANY; i++)
        str_printf(&text,
                   "global $g%u 8 align 8\nfn @h%u(%%p:64) -> 64 {\n^a:\n store.64 $g%u, %%p, align 8\n ret "
                   "$g%u\n}\n",
                   i, i, i, i);
    str_add(&text, "fn @main(%n:64) -> 32 {\n^a:\n");
    for (uint32_t i = 0; i < MANY; i++)
        str_printf(&text,
                   " %%i%u = index $t, %%n, scale 8\n %%f%u = load.64 %%i%u, align 8\n %%r%u:64 = callptr "
                   "%%f%u($x)\n",
                   i, i, i, i, i);
    str_add(&text, " ret 0:32\n}\n");
    FlowOptions options = {.max_steps = 1, .entry = IR_NONE};
    Case c = open_case_with(str_text(&text), &options);
    uint32_t f = fn_of(&c, "main");
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(flow_callees(c.flow, (FlowSite){f, 0, 3 * i + 2}).n, MANY);
    assert_true(flow_stats(c.flow)->unified > 0);
    FlowList p = flow_points_to(c.flow, fn_of(&c, "h7"), 0);
    bool x = false;
    for (uint32_t i = 0; i < p.n; i++)
        x |= p.v[i] == flow_object_of_global(c.flow, 0);
    assert_true(x);
    close_case(&c);
    str_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budget_of_calls),          cmocka_unit_test(fields_stay_apart),
        cmocka_unit_test(arrays_by_stride),         cmocka_unit_test(unions_and_overlap),
        cmocka_unit_test(arithmetic_across_fields), cmocka_unit_test(elements_into_members),
        cmocka_unit_test(initial_contents),         cmocka_unit_test(function_pointers),
        cmocka_unit_test(recursion_and_stack),      cmocka_unit_test(wrappers_of_malloc),
        cmocka_unit_test(variable_arguments),       cmocka_unit_test(callbacks_by_the_table),
        cmocka_unit_test(table_of_effects),         cmocka_unit_test(inputs),
        cmocka_unit_test(copies_byte_by_byte),      cmocka_unit_test(budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
