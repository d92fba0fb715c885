/* test_covering.c - the tests that are enough: everything stays covered, and no set is taken that adds
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/covering.h"

static BitSet set_of(const char *members)
{
    BitSet s = {0};
    for (; *members; members++)
        bitset_add(&s, (uint32_t)(*members - 'a'));
    return s;
}

static void choose(const char *const *texts, uint32_t n, const char *before, const char *expected)
{
    BitSet sets[8], chosen = set_of(before);
    char got[9] = {0};
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++)
        sets[i] = set_of(texts[i]);
    covering_choose(sets, n, &chosen);
    for (uint32_t i = bitset_next(&chosen, 0); i != UINT32_MAX; i = bitset_next(&chosen, i + 1))
        got[k++] = (char)('a' + i);
    assert_string_equal(got, expected);
    for (uint32_t i = 0; i < n; i++)
        bitset_free(&sets[i]);
    bitset_free(&chosen);
}

static void by_hand(void **state)
{
    (void)state;
    choose((const char *[]){"ab", "abc", "d", "cd"}, 4, "", "bc");
    choose((const char *[]){"ab", "cd", "abcd"}, 3, "", "c");
    choose((const char *[]){"ab", "cd", "abcd"}, 3, "a", "ab");
    choose((const char *[]){"abc", "def", "ad"}, 3, "c", "abc"); /* what is there anyway counts */
    choose((const char *[]){"ab", "ab"}, 2, "", "a");            /* of equals the first */
    choose((const char *[]){"", ""}, 2, "", "");
    choose(NULL, 0, "", "");
}

/* Against the definition, on random sets. */
static void at_random(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 29);
    for (int round = 0; round < 200; round++) {
        enum { N = 12, MEMBERS = 150 };
        BitSet sets[N] = {0}, chosen = {0}, all = {0}, covered = {0};
        for (int i = 0; i < N; i++)
            for (uint64_t k = rng_below(&rng, 40); k; k--)
                bitset_add(&sets[i], (uint32_t)rng_below(&rng, MEMBERS));
        covering_choose(sets, N, &chosen);
        for (uint32_t i = 0; i < N; i++)
            bitset_unite(&all, &sets[i]);
        for (uint32_t left = bitset_count(&chosen); left; left--) { /* again, in the order of what they add */
            uint32_t best = N, gain = 0;
            for (uint32_t i = 0; i < N; i++) {
                BitSet with = {0};
                bitset_unite(&with, &covered);
                bitset_unite(&with, &sets[i]);
                if (bitset_count(&with) - bitset_count(&covered) > gain) {
                    gain = bitset_count(&with) - bitset_count(&covered);
                    best = i;
                }
                bitset_free(&with);
            }
            assert_true(best < N && bitset_has(&chosen, best));
            bitset_unite(&covered, &sets[best]);
        }
        assert_true(bitset_subset(&all, &covered));
        for (int i = 0; i < N; i++)
            bitset_free(&sets[i]);
        bitset_free(&chosen), bitset_free(&all), bitset_free(&covered);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(at_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
