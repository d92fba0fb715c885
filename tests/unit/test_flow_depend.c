/* test_flow_depend.c - data dependence through memory: kills, fields, pointers, calls, object state,
 * callbacks. */
#include "test_flow_util.h"
#include "flow/flow_int.h"

/* Asserts what the instruction on line `to` may depend on that on line `from`. */
static void expect(const Case *c, uint32_t from, uint32_t to, bool depends)
{
    if (flow_may_depend(c->slices, on_line(c, from), on_line(c, to)) != depends)
        fail_msg("line %u %s depend on line %u", to, depends ? "must" : "must not", from);
}

static void stores_kill(void **state)
{
    (void)state;
    Case c = open_case("global $g 4 align 4\nglobal $h 8 align 4\n"
                       "fn @main(%x:32, %y:32, %i:64) -> 32 {\n^e:\n"
                       " store.32 $g, %x, align 4 !1\n %a = load.32 $g, align 4 !2\n store.32 $g, %y, align "
                       "4 !3\n %b = load.32 $g, align 4 !4\n"
                       " store.32 $h, %x, align 4 !5\n store.32 $h+4, %y, align 4 !6\n %p = load.32 $h, "
                       "align 4 !7\n %q = load.32 $h+4, align 4 !8\n"
                       " ret %b\n}\n");
    expect(&c, 1, 2, true);
    expect(&c, 1, 4, false);
    expect(&c, 3, 4, true);
    expect(&c, 5, 7, true);
    expect(&c, 6, 7, false); /* another field */
    expect(&c, 6, 8, true);
    close_case(&c);
}

static void computed_places_do_not(void **state)
{
    (void)state;
    Case c = open_case("global $h 8 align 4\n"
                       "fn @main(%x:32, %y:32, %i:64) -> 32 {\n^e:\n"
                       " store.32 $h, %x, align 4 !1\n %p = index $h, %i, scale 4 !2\n store.32 %p, %y, "
                       "align 4 !3\n %b = load.32 $h, align 4 !4\n"
                       " %q = index $h, %i, scale 4\n %c = load.32 %q, align 4 !5\n ret %b\n}\n");
    expect(&c, 1, 4, true);
    expect(&c, 3, 4, true);
    expect(&c, 2, 4, true); /* where it was not written depends on the index */
    expect(&c, 1, 5, true);
    close_case(&c);
}

static void joins_of_memory(void **state)
{
    (void)state;
    Case c = open_case("global $g 4 align 4\n"
                       "fn @main(%x:32) -> 32 {\n^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !1\n"
                       "^a:\n store.32 $g, 5, align 4 !2\n jmp ^j\n"
                       "^j:\n %v = load.32 $g, align 4 !3\n store.32 $g, 7, align 4 !4\n %w = load.32 $g, "
                       "align 4 !5\n ret %v\n}\n");
    expect(&c, 1, 3, true); /* also if it was not written */
    expect(&c, 1, 5, false);
    close_case(&c);
}

/* One helper, two objects: each call touches what it is given. */
static void helpers_by_their_arguments(void **state)
{
    (void)state;
    Case c = open_case(
        "fn @set(%p:64, %x:32) {\n^e:\n store.32 %p, %x, align 4 !1\n ret\n}\n"
        "fn @get(%p:64) -> 32 {\n^e:\n %v = load.32 %p, align 4 !2\n ret %v\n}\n"
        "fn @main(%x:32, %y:32) -> 32 {\n^e:\n %a = alloca 4, align 4 fixed\n %b = alloca 4, align 4 fixed\n"
        " %x1 = add.32 %x, 1 !10\n %y1 = add.32 %y, 1 !11\n call @set(%a, %x1) !12\n call @set(%b, %y1) !13\n"
        " %v:32 = call @get(%a) !14\n %w:32 = call @get(%b) !15\n %d = sdiv.32 1, %v !16\n %f = sdiv.32 1, "
        "%w !17\n"
        " call @set(%a, 5:32) !18\n %u:32 = call @get(%a) !19\n %k = sdiv.32 1, %u !20\n ret %d\n}\n");
    expect(&c, 10, 16, true);
    expect(&c, 11, 16, false);
    expect(&c, 11, 17, true);
    expect(&c, 10, 17, false);
    expect(&c, 10, 20, false); /* killed by the call */
    expect(&c, 1, 16, true);
    close_case(&c);
}

static void function_pointers_in_structures(void **state)
{
    (void)state;
    Case c = open_case("global $table 16 align 8 constant {\n 0 @one\n 8 @two\n}\nglobal $g 4 align 4\n"
                       "fn @one(%x:32) -> 32 {\n^e:\n store.32 $g, %x, align 4 !1\n ret %x\n}\n"
                       "fn @two(%x:32) -> 32 {\n^e:\n ret 2:32\n}\n"
                       "fn @main(%x:32, %i:64) -> 32 {\n^e:\n %x1 = add.32 %x, 1 !5\n %i1 = and.64 %i, 1 "
                       "!6\n %p = index $table, %i1, scale 8\n"
                       " %f = load.64 %p, align 8 !7\n %r:32 = callptr %f(%x1) !8\n %v = load.32 $g, align 4 "
                       "!9\n %d = sdiv.32 1, %v !10\n"
                       " %k = sdiv.32 1, %r !11\n ret %v\n}\n");
    expect(&c, 5, 10, true);
    expect(&c, 6, 10, true); /* which of them ran */
    expect(&c, 6, 11, true);
    expect(&c, 1, 9, true);
    close_case(&c);
}

static void recursion_through_memory(void **state)
{
    (void)state;
    Case c = open_case(
        "global $g 4 align 4\n"
        "fn @f(%n:32) {\n^e:\n %z = eq.32 %n, 0\n br %z, ^end, ^go\n^go:\n %v = load.32 $g, align 4 !1\n %w "
        "= add.32 %v, %n !2\n"
        " store.32 $g, %w, align 4 !3\n %m = sub.32 %n, 1\n call @f(%m) !4\n ret\n^end:\n ret\n}\n"
        "fn @main(%x:32) -> 32 {\n^e:\n call @f(%x) !5\n %r = load.32 $g, align 4 !6\n ret %r\n}\n");
    expect(&c, 3, 1, true);
    expect(&c, 2, 6, true);
    close_case(&c);
}

/* if (x) free(p); ... *p: whether the access fails depends on x. */
static void the_state_of_objects(void **state)
{
    (void)state;
    Case c = open_case("fn @malloc(%n:64) -> 64\nfn @free(%p:64)\n"
                       "fn @main(%x:32, %y:32) -> 32 {\n^e:\n %p:64 = call @malloc(4:64) !1\n %c = slt.32 3, "
                       "%x\n br %c, ^a, ^j !2\n"
                       "^a:\n call @free(%p) !3\n jmp ^j\n"
                       "^j:\n %d = slt.32 5, %y\n br %d, ^b, ^end !4\n^b:\n store.32 %p, 1, align 4 !5\n jmp "
                       "^end\n^end:\n ret 0:32\n}\n");
    expect(&c, 2, 5, true);
    close_case(&c);
}

static void variable_arguments(void **state)
{
    (void)state;
    Case c = open_case("fn @first(%n:32, ...) -> 32 {\n^e:\n %list = alloca 24, align 8 fixed\n vastart "
                       "%list !1\n %q = offset %list, 8\n"
                       " %area = load.64 %q, align 8 !2\n %v = load.32 %area, align 4 !3\n ret %v\n}\n"
                       "fn @main(%x:32) -> 32 {\n^e:\n %x1 = add.32 %x, 1 !5\n %v:32 = call @first(1:32, "
                       "..., %x1) !6\n %d = sdiv.32 1, %v !7\n ret %d\n}\n");
    expect(&c, 5, 7, true);
    close_case(&c);
}

/* A comparison called back by the library: the call is collapsed with it. */
static void callbacks(void **state)
{
    (void)state;
    Case c = open_case("fn @qsort(%base:64, %n:64, %size:64, %compare:64) runtime {\n^e:\n %r:32 = callptr "
                       "%compare(%base, %base)\n ret\n}\n"
                       "global $g 4 align 4\n"
                       "fn @by(%a:64, %b:64) -> 32 {\n^e:\n %x = load.32 %a, align 4 !1\n %y = load.32 %b, "
                       "align 4 !2\n %r = sub.32 %x, %y !3\n"
                       " store.32 $g, %r, align 4 !4\n ret %r\n}\n"
                       "fn @main(%x:32) -> 32 {\n^e:\n %t = alloca 8, align 4 fixed\n %x1 = add.32 %x, 1 "
                       "!10\n store.32 %t, %x1, align 4 !11\n %u = offset %t, 4\n"
                       " store.32 %u, 3, align 4 !12\n call @qsort(%t, 2:64, 4:64, @by) !13\n %v = load.32 "
                       "%u, align 4 !14\n %d = sdiv.32 1, %v !15\n"
                       " %w = load.32 $g, align 4 !16\n ret %w\n}\n");
    expect(&c, 10, 15, true);
    expect(&c, 10, 1, true);
    expect(&c, 3, 15, true);
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_kill),
        cmocka_unit_test(computed_places_do_not),
        cmocka_unit_test(joins_of_memory),
        cmocka_unit_test(helpers_by_their_arguments),
        cmocka_unit_test(function_pointers_in_structures),
        cmocka_unit_test(recursion_through_memory),
        cmocka_unit_test(the_state_of_objects),
        cmocka_unit_test(variable_arguments),
        cmocka_unit_test(callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
