/* test_explore_save.c - explorations as bytes: what is loaded goes on where it was, by every explorer that
 * can be saved; bytes that are cut off or changed are refused, or are some other exploration, which ends. */
#include "explore/explore_int.h"
#include "vm_explore.h"

#define DECLS                                                                                                \
    "fn @__sheaf_symbolic(%p:64, %n:64, %name:64)\nglobal $name 2 align 1 {\n    0 \"x\\00\"\n}\nglobal $x " \
    "4 align 4\n"

/* A branch on each of the first `bits` bits of the input; returns them as a number, so each path has its own
 * status. */
static char *bits_program(uint32_t bits)
{
    Str s = {0};
    str_add(&s, DECLS "fn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %x = "
                      "load.32 $x, align 4\n"
                      "    %s0 = or.32 0:32, 0:32\n    jmp ^b0\n");
    for (uint32_t i = 0; i < bits; i++)
        str_printf(&s,
                   "^b%u:\n    %%m%u = and.32 %%x, %u\n    %%c%u = ne.32 %%m%u, 0\n    br %%c%u, ^y%u, ^n%u\n"
                   "^y%u:\n    %%t%u = or.32 %%s%u, %u\n    jmp ^b%u_\n^n%u:\n    jmp ^b%u_\n"
                   "^b%u_:\n    %%s%u = phi.32 ^y%u: %%t%u, ^n%u: %%s%u\n    jmp ^b%u\n",
                   i, i, 1u << i, i, i, i, i, i, i, i, i, 1u << i, i, i, i, i, i + 1, i, i, i, i, i + 1);
    str_printf(&s, "^b%u:\n    ret %%s%u\n}\n", bits, bits);
    return str_take(&s);
}

enum { BITS = 5, FIRST = 3, MOST = 200 };
static const char *const saved_explorers[] = {"full", "states", "dependence", "output"};

static void save(Exploration *x, Str *out)
{
    assert_true(explore_save(x->explore, out));
    assert_int_equal(explore_count(x->explore, EXPLORE_RUNS), FIRST);
    assert_true(explore_pending(x->explore));
}

static Exploration *explored(const char *text, const char *explorer, uint64_t most)
{
    ExploreOptions options = exploration_options();
    options.explorer = explorer;
    options.max_runs = most;
    return exploration_of(text, options);
}

/* What the first session left, in one of its own. Limits may differ. With none: bytes that are as they were
 * saved. */
static Explore *fresh(const Exploration *x, uint64_t most)
{
    ExploreOptions options = x->options;
    options.max_runs = most;
    options.on_run = NULL;
    return explore_new_test(x->program, &x->environment, &options, &(ExploreTest){.weighs = !most});
}

static void test_goes_on(void **state)
{
    (void)state;
    char *text = bits_program(BITS);
    for (size_t i = 0; i < COUNT_OF(saved_explorers); i++) {
        Exploration *x = explored(text, saved_explorers[i], FIRST);
        Exploration *whole = explored(text, saved_explorers[i], 0);
        Str bytes = {0}, again = {0};
        save(x, &bytes);
        save(x, &again); /* to save changes nothing */
        assert_int_equal(bytes.n, again.n);
        Explore *next = fresh(x, 0);
        assert_true(explore_load(next, bytes.v, bytes.n));
        assert_true(explore_explored(next) == explore_explored(x->explore));
        explore_all(next);
        assert_true(explore_explored(next) == 1);
        assert_int_equal(ledger_count(explore_ledger(next)), 0);
        assert_int_equal(vm_coverage(explore_vm(next)).branches_covered,
                         vm_coverage(explore_vm(whole->explore)).branches_covered);
        if (!strcmp(saved_explorers[i], "full"))
            assert_int_equal(explore_count(next, EXPLORE_PATHS), 1u << BITS);
        explore_free(next);
        str_free(&bytes);
        str_free(&again);
        exploration_end(x);
        exploration_end(whole);
    }
    mem_free(text);
}

static void test_cut_off(void **state)
{
    (void)state;
    char *text = bits_program(BITS);
    for (size_t i = 0; i < COUNT_OF(saved_explorers); i++) {
        Exploration *x = explored(text, saved_explorers[i], FIRST);
        Str bytes = {0};
        save(x, &bytes);
        for (uint32_t n = 0; n < bytes.n; n += 1 + bytes.n / 97) {
            Explore *next = fresh(x, MOST);
            assert_false(explore_load(next, bytes.v, n));
            explore_free(next);
        }
        str_free(&bytes);
        exploration_end(x);
    }
    mem_free(text);
}

static void test_changed(void **state)
{
    (void)state;
    char *text = bits_program(BITS);
    Rng rng;
    rng_seed(&rng, 1);
    for (size_t i = 0; i < COUNT_OF(saved_explorers); i++) {
        Exploration *x = explored(text, saved_explorers[i], FIRST);
        Str bytes = {0};
        uint32_t refused = 0;
        save(x, &bytes);
        for (uint32_t k = 0; k < 400; k++) {
            uint32_t at = (uint32_t)rng_below(&rng, bytes.n);
            char before = bytes.v[at];
            bytes.v[at] = (char)rng_next(&rng);
            Explore *next = fresh(x, MOST);
            if (explore_load(next, bytes.v, bytes.n))
                explore_all(next);
            else
                refused++;
            explore_free(next);
            bytes.v[at] = before;
        }
        assert_true(refused > 40);
        str_free(&bytes);
        exploration_end(x);
    }
    mem_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_goes_on), cmocka_unit_test(test_cut_off),
                                       cmocka_unit_test(test_changed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
