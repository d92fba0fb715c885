/* test_explore_shared.c - what processes share that explore together: marks, and values that were chosen. */
#include "explore/dependence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- marks ----------------------------------------------------------------------------------- */

enum { PROCESSES = 4, NAMES = 100000, OWN = 1000 }; /* names of several segments */

static uint64_t name_of(uint32_t i) { return hash_u64(i + 1); }

/* Every process sets every name, each another mark of it. */
static void set_marks(SharedMarks *s, uint32_t process)
{
    for (uint32_t i = 0; i < NAMES; i++)
        shared_marks_set(s, name_of(i), 1u << process, 1u << process);
    for (uint32_t i = 0; i < NAMES; i += 1 + process) /* set again is the same */
        shared_marks_set(s, name_of(i), 1u << process, 1u << process);
}

static void marks_are_shared(void **state)
{
    (void)state;
    SharedMarks s = {0};
    shared_marks_set(&s, name_of(NAMES), 3, 3); /* before they are shared */
    assert_true(shared_marks_share(&s));
    for (uint32_t process = 0; process < PROCESSES; process++)
        if (!fork()) {
            set_marks(&s, process);
            _exit(0);
        }
    for (int status; wait(&status) > 0;)
        assert_int_equal(status, 0);
    uint32_t whole = 0;
    for (uint32_t i = 0; i < NAMES; i++) {
        assert_int_not_equal(shared_marks_get(&s, name_of(i)), 0);
        whole += shared_marks_get(&s, name_of(i)) == (1u << PROCESSES) - 1;
    }
    assert_true(whole > NAMES - OWN); /* but for what two added at the same moment */
    assert_int_equal(shared_marks_get(&s, name_of(NAMES)), 3);
    assert_int_equal(shared_marks_get(&s, name_of(NAMES + 1)), 0);
    shared_marks_free(&s);
}

static void kept_marks_come_back(void **state)
{
    (void)state;
    SharedMarks s = {0};
    assert_true(shared_marks_share(&s));
    for (uint32_t i = 0; i < NAMES; i++)
        shared_marks_set(&s, name_of(i), 1, 1);
    shared_marks_keep(&s);
    shared_marks_set(&s, name_of(0), 3, 2);
    shared_marks_set(&s, name_of(NAMES), 1, 1);
    shared_marks_end(&s);
    for (uint32_t i = 0; i < NAMES; i++)
        assert_int_equal(shared_marks_get(&s, name_of(i)), 1);
    assert_int_equal(shared_marks_get(&s, name_of(NAMES)), 0);
    shared_marks_free(&s);
}

/* ---- values that were chosen ------------------------------------------------------------------- */

enum { VALUES = 9, SIDES = 3, CHOICE = 77 };

/* Some processes that run tasks for another value, each with values of its own. A task goes to any of them,
 * and its run chooses any value that it does not exclude. */
typedef struct Model {
    ExprPool *pool;
    ExprObject byte;
    Choices sides[SIDES];
    Fingerprints fingerprints;
    Marks filed;
    Vec(Task) pending;
    uint32_t chosen; /* by value, as bits */
    Rng rng;
} Model;

static Expr is_not(Model *m, uint32_t value)
{
    Expr b = expr_object_byte(m->pool, m->byte, 0);
    return expr_not(m->pool, expr_eq(m->pool, b, expr_const(m->pool, 8, value)));
}

static bool excludes(Model *m, const Task *task, uint32_t value)
{
    bool found = false;
    for (const Path *p = task->path; p; p = p->parent)
        found |= p->condition.id == is_not(m, value).id;
    return found;
}

/* What `dependence` does when a run has chosen a value. */
static void choose(Model *m, Choices *side, uint32_t value)
{
    m->chosen |= 1u << value;
    choice_exclude(side, &m->fingerprints, CHOICE, is_not(m, value));
    Task next = {.choice = CHOICE, .fingerprint = choice_task(side, CHOICE)};
    if (marks_set(&m->filed, next.fingerprint, 1, 1))
        return;
    next.path = choice_path(side, CHOICE, NULL);
    next.excluded = next.path->length;
    vec_push(&m->pending, next);
}

static void run_task(Model *m, Task *task)
{
    Choices *side = &m->sides[rng_below(&m->rng, SIDES)];
    uint32_t first = (uint32_t)rng_below(&m->rng, VALUES);
    choice_adopt(side, &m->fingerprints, task);
    for (uint32_t i = 0; i < VALUES; i++) {
        uint32_t value = (first + i) % VALUES;
        if (!excludes(m, task, value)) {
            choose(m, side, value);
            return;
        }
    }
}

static bool every_value_is_chosen(uint64_t seed)
{
    Model m = {.pool = expr_pool_new()};
    rng_seed(&m.rng, seed);
    m.fingerprints.pool = m.pool;
    m.byte = expr_object(m.pool, "byte", "byte", 1, (ExprCType){0});
    for (uint32_t i = 0; i < SIDES; i++) /* each has come to the choice by itself */
        choose(&m, &m.sides[i], (uint32_t)rng_below(&m.rng, VALUES));
    while (m.pending.n) {
        uint32_t at = (uint32_t)rng_below(&m.rng, m.pending.n);
        Task task = m.pending.v[at];
        m.pending.v[at] = vec_last(&m.pending);
        m.pending.n--;
        run_task(&m, &task);
        path_drop(task.path);
    }
    for (uint32_t i = 0; i < SIDES; i++)
        choices_free(&m.sides[i]);
    vec_free(&m.pending);
    vec_free(&m.fingerprints.of);
    marks_free(&m.filed);
    expr_pool_free(m.pool);
    return m.chosen == (1u << VALUES) - 1;
}

static void no_value_is_left_out(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++)
        assert_true(every_value_is_chosen(seed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks_are_shared),
                                       cmocka_unit_test(kept_marks_come_back),
                                       cmocka_unit_test(no_value_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
