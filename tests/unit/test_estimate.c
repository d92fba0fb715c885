/* test_estimate.c - how long an exploration may still take: nothing is said before it is known, what an
 * earlier session did is not taken for this one's, and the part that is explored never shrinks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/estimate.h"

static void assert_text(const Estimate *e, double limit, const char *expected)
{
    Str text = {0};
    estimate_text(e, limit, &text);
    assert_string_equal(str_text(&text), expected);
    str_free(&text);
}

static void not_known_yet(void **state)
{
    (void)state;
    Estimate e = {0};
    estimate_note(&e, 0, 0);
    estimate_note(&e, 2, 0.5); /* so soon */
    assert_true(estimate_left(&e) < 0);
    assert_text(&e, -1, "50 % explored");
    e = (Estimate){0};
    estimate_note(&e, 0, 0);
    estimate_note(&e, 3600, 0.009); /* so little */
    assert_true(estimate_left(&e) < 0);
    assert_text(&e, -1, "0 % explored");
    assert_text(&e, 30, "0 % explored, 30 s to --max-time");
}

static void as_long_for_as_much(void **state)
{
    (void)state;
    static const struct {
        double seconds, part;
        const char *text;
    } cases[] = {
        {10, 0.5, "50 % explored, about 10 s left"},   {30, 0.255, "25 % explored, about 88 s left"},
        {3, 0.999, "99 % explored, about 1 s left"},   {60, 0.2, "20 % explored, about 4 min left"},
        {3600, 0.25, "25 % explored, about 3 h left"}, {86400, 0.0625, "6 % explored, about 15 days left"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Estimate e = {0};
        estimate_note(&e, 0, 0);
        estimate_note(&e, cases[i].seconds, cases[i].part);
        assert_text(&e, -1, cases[i].text);
    }
}

/* An earlier session took a hundred seconds for a half, this one ten for a quarter. */
static void goes_on(void **state)
{
    (void)state;
    Estimate e = {0};
    estimate_note(&e, 100, 0.5);
    assert_text(&e, -1, "50 % explored");
    estimate_note(&e, 110, 0.75);
    assert_true(estimate_left(&e) == 10);
}

static void never_shrinks(void **state)
{
    (void)state;
    Estimate e = {0};
    estimate_note(&e, 0, 0);
    estimate_note(&e, 10, 0.5);
    estimate_note(&e, 10, 0.25);
    assert_text(&e, -1, "50 % explored, about 10 s left");
}

static void the_smaller_of_both(void **state)
{
    (void)state;
    Estimate e = {0};
    estimate_note(&e, 0, 0);
    estimate_note(&e, 10, 0.5);
    assert_text(&e, 5, "50 % explored, 5 s to --max-time");
    assert_text(&e, 50, "50 % explored, about 10 s left");
    estimate_note(&e, 11, 1);
    assert_text(&e, -1, "100 % explored, looking for what is missing");
    assert_text(&e, 5, "100 % explored, looking for what is missing, 5 s to --max-time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(not_known_yet), cmocka_unit_test(as_long_for_as_much),
                                       cmocka_unit_test(goes_on), cmocka_unit_test(never_shrinks),
                                       cmocka_unit_test(the_smaller_of_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
