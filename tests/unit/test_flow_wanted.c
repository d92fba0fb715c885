/* test_flow_wanted.c - which bytes of locals and globals may be read again, from where frames stand. */
#include "test_flow_util.h"

/* Frames by lines, innermost first; "reg[first-end ...]" of each that is not wanted as a whole. */
static void expect_wanted(const Case *c, const uint32_t *lines, uint32_t n, const char *wanted)
{
    FlowSite frames[4];
    Str out = {0};
    for (uint32_t i = 0; i < n; i++)
        frames[i] = on_line(c, lines[i]);
    FlowWantedList list = flow_wanted(c->flow, frames, n);
    for (uint32_t i = 0; i < list.n; i++) {
        const FlowWanted *w = &list.v[i];
        str_printf(&out, "%s%s[", i ? ", " : "",
                   w->frame == IR_NONE
                       ? ir_text(c->program, c->program->globals.v[w->index].name)
                       : ir_text(c->program, c->program->fns.v[frames[w->frame].fn].regs.v[w->index].name));
        for (uint32_t k = 0; k < w->n; k++)
            str_printf(&out, "%s%u-%u", k ? " " : "", (unsigned)w->v[k].first, (unsigned)w->v[k].end);
        str_add(&out, "]");
    }
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
}
#define EXPECT(c, text, ...) \
    expect_wanted(c, (const uint32_t[]){__VA_ARGS__}, COUNT_OF(((uint32_t[]){__VA_ARGS__})), text)

/* A loop that fills a record of two words and a text, and looks at it. */
#define TOKENS                                                                                            \
    "fn @fill(%t:64, %c:32) {\n^a:\n br 1:1, ^b, ^d !1\n^b:\n store.32 %t, %c, align 4 !2\n %u = offset " \
    "%t, 4\n"                                                                                             \
    " store.32 %u, 0:32, align 4 !3\n ret !4\n^d:\n store.32 %t, 0:32, align 4 !5\n ret\n}\n"             \
    "fn @main(%argc:32) -> 32 {\n^a:\n %s = alloca 16, align 8 fixed\n %f = offset %s, 8\n"               \
    " store.64 %f, 0, align 8\n jmp ^l\n^l:\n call @fill(%s, %argc) !6\n %k = load.32 %s, align 4 !7\n"   \
    " %h = offset %s, 8\n %m = load.64 %h, align 8 !8\n %e = eq.32 %k, 0:32 !9\n br %e, ^l, ^x !10\n"     \
    "^x:\n %o = offset %s, 4\n %v = load.32 %o, align 4 !11\n ret %v !12\n}\n"

/* The first word is written on both ways, the second on one; behind the call both are what they are. */
static void in_callees_and_callers(void **state)
{
    (void)state;
    Case c = open_case(TOKENS);
    EXPECT(&c, "s[4-16]", 6);
    EXPECT(&c, "s[4-16]", 1, 6);
    EXPECT(&c, "s[8-16]", 2, 6);
    EXPECT(&c, "s[0-4 8-16]", 3, 6);
    EXPECT(&c, "s[4-16]", 5, 6);
    EXPECT(&c, "s[4-8]", 11);
    close_case(&c);
}

/* A load and the instruction behind it may be one: the innermost frame may be about to read. */
static void a_load_that_has_begun(void **state)
{
    (void)state;
    Case c = open_case(TOKENS);
    EXPECT(&c, "s[4-16]", 9);
    close_case(&c);
}

/* A pointer that memory holds may lead to any object of its class; a store through it writes none for sure.
 */
static void through_memory(void **state)
{
    (void)state;
    Case c = open_case(
        "global $p 8 align 8\n"
        "fn @main(%argc:32) -> 32 {\n^a:\n %s = alloca 8, align 8 fixed\n %t = alloca 8, align 8 fixed\n"
        " store.64 $p, %s, align 8\n jmp ^b\n^b:\n %q = load.64 $p, align 8 !1\n store.32 %q, 1:32, align 4 "
        "!2\n"
        " %v = load.32 %q, align 4 !3\n store.32 %t, %v, align 4 !4\n ret %v !5\n}\n");
    EXPECT(&c, "s[0-4], t[]", 2);
    EXPECT(&c, "s[0-4], t[]", 4); /* the load before it may be under way */
    EXPECT(&c, "s[], t[]", 5);
    close_case(&c);
}

/* Who recurs has several activations, and reads what points-to says. */
static void recursion(void **state)
{
    (void)state;
    Case c = open_case(
        "fn @down(%t:64, %n:32) -> 32 {\n^a:\n store.32 %t, %n, align 4 !1\n %e = eq.32 %n, 0:32\n"
        " br %e, ^b, ^d\n^b:\n %v = load.32 %t, align 4 !2\n ret %v\n^d:\n %w:32 = call @down(%t, 0:32) !3\n"
        " ret %w !4\n}\n"
        "fn @main(%argc:32) -> 32 {\n^a:\n %s = alloca 8, align 8 fixed\n %v:32 = call @down(%s, %argc) !5\n"
        " ret %v\n}\n");
    EXPECT(&c, "", 5);
    EXPECT(&c, "", 1, 5);
    EXPECT(&c, "s[0-4]", 2, 5);
    EXPECT(&c, "s[]", 4, 5);
    close_case(&c);
}

/* Of functions that are not known all memory counts; a jump leads to where nothing here looks. */
static void unknown(void **state)
{
    (void)state;
    Case c = open_case("fn @other(%p:64) -> 32\n"
                       "fn @main(%argc:32, %argv:64) -> 32 {\n^a:\n %s = alloca 8, align 8 fixed\n %t = "
                       "alloca 8, align 8 fixed\n"
                       " store.64 %s, 0, align 8 !1\n %v:32 = call @other(%argv) !2\n ret %v !3\n}\n");
    EXPECT(&c, "", 2);
    EXPECT(&c, "s[], t[]", 3);
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_callees_and_callers),
        cmocka_unit_test(a_load_that_has_begun),
        cmocka_unit_test(through_memory),
        cmocka_unit_test(recursion),
        cmocka_unit_test(unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
