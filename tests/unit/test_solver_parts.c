/* test_solver_parts.c - S-expressions, the child process and the index of sets, apart from the solver. */
#include "solver/child.h"
#include "solver/setindex.h"
#include "solver/sexpr.h"
#include "solver/solver_int.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

/* ---- S-expressions --------------------------------------------------------------------------- */

static void test_sexpr_reads(void **state)
{
    (void)state;
    const char text[] = "; comment\n(assert (= |a b| \"x\"\"y\")) sat";
    Arena *a = arena_new();
    SexprReader r;
    sexpr_open(&r, a, text, sizeof text - 1);
    const Sexpr *s = sexpr_read(&r);
    assert_non_null(s);
    assert_int_equal(s->line, 2);
    assert_int_equal(s->count, 2);
    const Sexpr *eq = sexpr_child(s, 1);
    assert_true(sexpr_is(sexpr_child(eq, 1), "a b"));
    assert_string_equal(sexpr_child(eq, 2)->text, "x\"y");
    assert_true(sexpr_is(sexpr_read(&r), "sat"));
    assert_null(sexpr_read(&r));
    assert_null(r.error);
    arena_free(a);
}

static void test_sexpr_errors_name_the_line(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"(a\n(b", "line 2: a '(' is not closed"},
        {"\n)", "line 2: a ')' without a '('"},
        {"(a \"b", "line 1: a string is not closed"},
        {"|a", "line 1: a quoted symbol is not closed"},
        {"(a \x01)", "line 1: a control character where an expression is expected"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Arena *a = arena_new();
        SexprReader r;
        sexpr_open(&r, a, bad[i][0], strlen(bad[i][0]));
        while (sexpr_read(&r))
            ;
        assert_non_null(r.error);
        assert_string_equal(r.error, bad[i][1]);
        arena_free(a);
    }
}

static void test_sexpr_nesting_is_no_recursion(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    char *text = mem_alloc(2 * DEPTH);
    memset(text, '(', DEPTH);
    memset(text + DEPTH, ')', DEPTH);
    Arena *a = arena_new();
    SexprReader r;
    sexpr_open(&r, a, text, 2 * DEPTH);
    assert_non_null(sexpr_read(&r));
    SexprScan scan = {0};
    assert_int_equal(sexpr_whole(&scan, text, 2 * DEPTH), 2 * DEPTH);
    arena_free(a);
    mem_free(text);
}

static void test_sexpr_whole_in_pieces(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t whole;
    } cases[] = {
        {"sat\n", 3}, {"sat", 0}, {" ((x #b1))\nsat", 10}, {"((\")\") ", 0},
        {"(|)|)", 5}, {")", 1},   {"; sat\nunsat ", 11},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        SexprScan scan = {0};
        size_t got = 0;
        for (size_t n = 1; n <= strlen(cases[i].text) && got == 0; n++)
            got = sexpr_whole(&scan, cases[i].text, n);
        assert_int_equal(got, cases[i].whole);
    }
}

/* ---- the child process ----------------------------------------------------------------------- */

static ChildStatus ask(const char *command, const char *text, double seconds, Str *reply)
{
    Child *c = child_new(command);
    assert_true(child_start(c));
    ChildStatus s = child_ask(c, text, strlen(text), clock_seconds() + seconds, NULL, reply);
    child_free(c);
    return s;
}

static void test_child_answers(void **state)
{
    (void)state;
    Str reply = {0};
    assert_int_equal(ask("read line; echo \"($line\"; echo ')'", "hello\n", 60, &reply), CHILD_OK);
    assert_string_equal(str_text(&reply), "(hello\n)");
    str_free(&reply);
}

static void test_child_misbehaves(void **state)
{
    (void)state;
    Str reply = {0};
    assert_int_equal(ask("exit 3", "", 60, &reply), CHILD_DEAD);
    assert_int_equal(ask("no-such-program-anywhere", "(check-sat)\n", 60, &reply), CHILD_DEAD);
    assert_int_equal(ask("kill -9 $$", "(check-sat)\n", 60, &reply), CHILD_DEAD);
    assert_int_equal(ask("exec sleep 1000", "(check-sat)\n", 0.05, &reply), CHILD_TIMEOUT);
    assert_int_equal(ask("yes '((((((((((((((((((((((((((((((((('", "", 600, &reply), CHILD_FLOOD);
    str_free(&reply);
}

/* A child that never reads: the pipe fills, and the deadline still holds. */
static void test_child_does_not_read(void **state)
{
    (void)state;
    Str reply = {0};
    char *much = mem_alloc(1 << 20);
    memset(much, ' ', (1 << 20) - 1);
    much[(1 << 20) - 1] = 0;
    assert_int_equal(ask("exec sleep 1000", much, 0.05, &reply), CHILD_TIMEOUT);
    mem_free(much);
    str_free(&reply);
}

static void test_child_stops_on_request(void **state)
{
    (void)state;
    Str reply = {0};
    volatile bool stop = true;
    Child *c = child_new("exec sleep 1000");
    assert_true(child_start(c));
    assert_int_equal(child_ask(c, "", 0, clock_seconds() + 600, &stop, &reply), CHILD_STOPPED);
    int pid = child_pid(c);
    child_stop(c);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(child_ask(c, "", 0, clock_seconds() + 600, NULL, &reply), CHILD_DEAD);
    child_free(c);
    str_free(&reply);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static uint32_t random_set(Rng *r, uint32_t *set)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i <= 12; i++)
        if (rng_below(r, 3) == 0)
            set[n++] = i;
    return n;
}

static uint32_t mask_of(const uint32_t *set, uint32_t n)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i++)
        m |= 1u << set[i];
    return m;
}

static void test_setindex_against_a_list(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, 7);
    SetIndex *below = setindex_new(SETINDEX_SUBSETS, 100000, NULL);
    SetIndex *above = setindex_new(SETINDEX_SUPERSETS, 100000, NULL);
    uint32_t stored[200], n_stored = 0, set[16];
    for (unsigned round = 0; round < 2000; round++) {
        uint32_t n = random_set(&r, set), mask = mask_of(set, n);
        if (n == 0)
            continue;
        bool has_subset = false, has_superset = false;
        for (uint32_t i = 0; i < n_stored; i++) {
            has_subset = has_subset || (stored[i] & ~mask) == 0;
            has_superset = has_superset || (mask & ~stored[i]) == 0;
        }
        void *payload;
        const uint32_t *found;
        uint32_t found_n;
        assert_int_equal(setindex_subset(below, set, n, &found, &found_n, &payload), has_subset);
        if (has_subset)
            assert_int_equal(mask_of(found, found_n) & ~mask, 0);
        assert_int_equal(setindex_superset(above, set, n, &payload), has_superset);
        if (has_superset)
            assert_int_equal(mask & ~(uint32_t)(uintptr_t)payload, 0);
        if (n_stored < COUNT_OF(stored) && rng_below(&r, 5) == 0) {
            setindex_add(below, set, n, NULL);
            setindex_add(above, set, n, (void *)(uintptr_t)mask);
            stored[n_stored++] = mask;
        }
    }
    setindex_free(below);
    setindex_free(above);
}

static void test_setindex_is_bounded_and_frees(void **state)
{
    (void)state;
    SetIndex *x = setindex_new(SETINDEX_SUPERSETS, 64, mem_free);
    for (uint32_t i = 0; i < 1000; i++)
        setindex_add(x, (uint32_t[]){i, i + 1, i + 2}, 3, mem_strdup("model"));
    void *payload;
    assert_true(setindex_superset(x, (uint32_t[]){999, 1001}, 2, &payload));
    assert_string_equal(payload, "model");
    assert_false(setindex_superset(x, (uint32_t[]){3, 4}, 2, &payload));
    setindex_free(x);
}

/* While another process has the processor no time passes for a query, but the moment at which all ends
 * comes. */
static void test_budget_counts_processor_time(void **state)
{
    (void)state;
    struct timespec nap = {.tv_nsec = 60000000};
    Budget b;
    budget_start(&b, 0.05, 0, 0, NULL);
    nanosleep(&nap, NULL);
    assert_false(budget_spent(&b));
    for (double end = clock_processor_seconds() + 0.05; clock_processor_seconds() < end;)
        continue;
    assert_true(budget_spent(&b));
    assert_int_equal(b.spent, SOLVER_REASON_TIME);
    budget_start(&b, 10, clock_seconds() + 0.05, 0, NULL);
    assert_false(budget_spent(&b));
    nanosleep(&nap, NULL);
    assert_true(budget_spent(&b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budget_counts_processor_time),
        cmocka_unit_test(test_sexpr_reads),
        cmocka_unit_test(test_sexpr_errors_name_the_line),
        cmocka_unit_test(test_sexpr_nesting_is_no_recursion),
        cmocka_unit_test(test_sexpr_whole_in_pieces),
        cmocka_unit_test(test_child_answers),
        cmocka_unit_test(test_child_misbehaves),
        cmocka_unit_test(test_child_does_not_read),
        cmocka_unit_test(test_child_stops_on_request),
        cmocka_unit_test(test_setindex_against_a_list),
        cmocka_unit_test(test_setindex_is_bounded_and_frees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
