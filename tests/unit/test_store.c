/* test_store.c - store: what was committed is there, and nothing else; other jobs, versions and damaged files
 * are refused in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/sql.h"
#include "store/store.h"

static char scratch[64];
static const StoreJob job = {"abc", "test", "--sym-stdin 4\n", "0.1.0"};

static int begin(void **state)
{
    (void)state;
    strcpy(scratch, "/tmp/sheaf-store-XXXXXX");
    return mkdtemp(scratch) ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    directory_remove(scratch);
    return 0;
}

static Store *create(void)
{
    Str error = {0};
    Store *s = store_create(scratch, &job, &error);
    assert_string_equal(str_text(&error), "");
    assert_non_null(s);
    return s;
}

static SuiteTest *test_of(uint32_t x, uint32_t number)
{
    SuiteTest *t = suite_test_new();
    suite_test_add(t, SUITE_FROM_CALL, "x", &x, sizeof x)->type = (SuiteType){SUITE_UINT, 4};
    vec_push(&t->argv, "prog");
    t->ending = SUITE_END_EXIT;
    t->number = number;
    return t;
}

static StoreRole add(Store *s, uint32_t x, uint32_t number, StoreRole role, const BitSet *covers)
{
    SuiteTest *t = test_of(x, number);
    assert_true(store_test_add(s, t, &role, covers));
    suite_test_free(t);
    return role;
}

typedef struct Seen {
    uint32_t n, numbers[64], values[64];
    StoreRole roles[64];
    uint32_t covered[64];
} Seen;

static void see(void *context, StoreTest *t)
{
    Seen *seen = context;
    if (++seen->n > COUNT_OF(seen->values) || t->test->objects.n != 1)
        return;
    uint32_t at = seen->n - 1;
    memcpy(&seen->values[at], t->test->objects.v[0].data, t->test->objects.v[0].size < 4 ? 0 : 4);
    seen->numbers[at] = t->test->number;
    seen->roles[at] = t->role;
    seen->covered[at] = t->known ? bitset_count(&t->covers) : UINT32_MAX;
}

static Seen tests_of(Store *s, StoreRole least)
{
    Seen seen = {0};
    assert_true(store_tests(s, least, see, &seen));
    return seen;
}

static Store *reading(void)
{
    Str error = {0};
    Store *s = store_read(scratch, &error);
    assert_string_equal(str_text(&error), "");
    return s;
}

/* ---- what is there --------------------------------------------------------------------------- */

static void tests_are_kept(void **state)
{
    (void)state;
    BitSet covers = {0};
    bitset_add(&covers, 3), bitset_add(&covers, 500);
    Store *s = create();
    add(s, 7, 0, STORE_PATH, NULL);
    add(s, 8, 1, STORE_COVERS, &covers);
    add(s, 9, 2, STORE_FILE, NULL);
    assert_true(store_commit(s));
    Store *other = reading(); /* while the first is open */
    Seen seen = tests_of(other, STORE_PATH);
    assert_int_equal(seen.n, 3);
    assert_int_equal(seen.values[0], 7);
    assert_int_equal(seen.numbers[1], 1);
    assert_int_equal(seen.covered[1], 2);
    assert_int_equal(seen.covered[2], UINT32_MAX);
    assert_int_equal(tests_of(other, STORE_COVERS).n, 2);
    assert_int_equal(tests_of(other, STORE_FILE).values[0], 9);
    assert_string_equal(store_job(other)->options, job.options);
    assert_false(store_finished(other));
    store_close(other);
    assert_true(store_finish(s));
    store_close(s);
    other = reading();
    assert_true(store_finished(other));
    store_close(other);
    bitset_free(&covers);
}

/* Two runs of one path, and one of another that came first: what counts is the rank. */
static void ranks_are_settled(void **state)
{
    (void)state;
    enum { LOW = 5, HIGH = 90 };
    Str error = {0};
    Store *s = create();
    StoreRankedVec ranked = {0};
    const uint64_t ranks[] = {HIGH, LOW, LOW, HIGH};
    add(s, 1, 1, STORE_COVERS, NULL);
    for (uint32_t i = 0; i < COUNT_OF(ranks); i++) { /* the last one is the first again */
        SuiteTest *t = test_of(i % 3 + 6, 0);
        assert_true(store_ranked_add(s, t, ranks[i], STORE_FILE, NULL));
        suite_test_free(t);
    }
    store_commit(s);
    store_close(s);
    s = store_resume(scratch, &job, &error);
    assert_int_equal(store_test_last(s), 4);
    assert_int_equal(store_settled_last(s), 1);
    assert_true(store_ranked(s, &ranked));
    assert_int_equal(ranked.n, 3);
    const StoreRole roles[] = {STORE_COVERS, STORE_PATH, STORE_FILE};
    const uint32_t values[] = {7, 8, 6}, numbers[] = {2, 0, 3};
    for (uint32_t i = 0; i < ranked.n; i++) {
        SuiteTest *t = store_ranked_test(s, &ranked.v[i]);
        assert_memory_equal(t->objects.v[0].data, &values[i], sizeof values[i]);
        t->number = numbers[i];
        assert_true(store_ranked_settle(s, &ranked.v[i], t, roles[i]));
        suite_test_free(t);
    }
    vec_clear(&ranked);
    assert_true(store_ranked(s, &ranked));
    assert_int_equal(ranked.n, 0);
    assert_int_equal(store_settled_last(s), 3);
    SuiteTest *again = test_of(6, 0); /* it is the one that was settled */
    StoreRole role = STORE_COVERS;
    assert_true(store_test_add(s, again, &role, NULL));
    assert_int_equal(again->number, 3);
    suite_test_free(again);
    Seen seen = tests_of(s, STORE_COVERS);
    assert_int_equal(seen.n, 3);
    assert_int_equal(seen.values[1], 7);
    assert_int_equal(seen.values[2], 6);
    assert_int_equal(seen.roles[2], STORE_FILE);
    store_close(s);
    vec_free(&ranked);
}

static void equal_tests_are_one(void **state)
{
    (void)state;
    Str error = {0};
    Store *s = create();
    add(s, 7, 0, STORE_PATH, NULL);
    add(s, 7, 0, STORE_PATH, NULL);
    add(s, 8, 1, STORE_COVERS, NULL);
    store_commit(s);
    store_close(s);
    s = store_resume(scratch, &job, &error);
    assert_int_equal(store_test_last(s), 1);
    add(s, 7, 0, STORE_PATH, NULL);
    SuiteTest *t = test_of(8, 2);
    StoreRole role = STORE_PATH;
    assert_true(store_test_add(s, t, &role, NULL));
    assert_int_equal(t->number, 1); /* as it was */
    assert_int_equal(role, STORE_COVERS);
    role = STORE_FILE;
    assert_true(store_test_add(s, t, &role, NULL)); /* and more now */
    store_commit(s);
    Seen seen = tests_of(s, STORE_PATH);
    assert_int_equal(seen.n, 2);
    assert_int_equal(seen.roles[1], STORE_FILE);
    suite_test_free(t);
    store_close(s);
}

static void see_fault(void *context, const StoreFault *f)
{
    Str *out = context;
    str_printf(out, "%s %u %s %s %u %llu %zu;", f->kind, f->place, f->need, f->witness, f->verdict,
               (unsigned long long)f->count, f->stack_size);
}

static void faults_and_values(void **state)
{
    (void)state;
    Str out = {0};
    Store *s = create();
    StoreFault f = {"oob-read", "", "a.c:3:1", "f", "", "", "t", "", "", 7, 0, 0, 1, "st", 2};
    assert_true(store_fault_put(s, &f));
    StoreFault need = {"null", "p != NULL", "a.c:4:1", "f", "", "", "", "", "", 2, 0, 0, 5, NULL, 0};
    assert_true(store_fault_put(s, &need));
    f.count = 9, f.witness = "asan", f.verdict = 1;
    assert_true(store_fault_put(s, &f));
    assert_true(store_put(s, "a", "one", 3) && store_put(s, "a", "two!", 4) && store_put(s, "b", "", 0));
    assert_true(store_work_put(s, 5, "w", 1) && store_work_put(s, 6, "v", 1) && store_work_remove(s, 6));
    store_commit(s);
    store_close(s);
    s = reading();
    assert_true(store_faults(s, see_fault, &out));
    assert_string_equal(str_text(&out), "oob-read 7  asan 1 9 2;null 2 p != NULL  0 5 0;");
    assert_true(store_get(s, "a", &out));
    assert_string_equal(str_text(&out), "two!");
    assert_true(store_get(s, "b", &out) && out.n == 0);
    assert_false(store_get(s, "c", &out));
    assert_true(store_work_get(s, 5, &out) && !store_work_get(s, 6, &out));
    store_close(s);
    str_free(&out);
}

/* ---- what is not ----------------------------------------------------------------------------- */

/* A process is killed with some tests committed and some not: the first are there, the others are not, and
 * the next goes on. */
static void killed(void **state)
{
    (void)state;
    Str error = {0};
    pid_t child = fork();
    if (!child) {
        Store *s = create();
        for (uint32_t i = 0; i < 40; i++) {
            add(s, i, i + 1, STORE_FILE, NULL);
            if (i == 30)
                store_commit(s);
        }
        raise(SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    Store *s = store_resume(scratch, &job, &error);
    assert_non_null(s);
    assert_int_equal(tests_of(s, STORE_PATH).n, 31);
    assert_int_equal(store_test_last(s), 31);
    add(s, 99, 32, STORE_FILE, NULL);
    assert_true(store_finish(s));
    store_close(s);
}

static void refused(const char *expected)
{
    Str error = {0};
    Store *s = store_read(scratch, &error);
    assert_null(s);
    assert_non_null(strstr(str_text(&error), expected));
    assert_null(strchr(str_text(&error), '\n'));
    vec_clear(&error);
    assert_null(store_resume(scratch, &job, &error));
    assert_non_null(strstr(str_text(&error), expected));
    str_free(&error);
}

static void other_jobs(void **state)
{
    (void)state;
    static const struct {
        StoreJob job;
        const char *says;
    } others[] = {
        {{"abc", "test", "--sym-stdin 8\n", "0.1.0"}, "begun with '--sym-stdin 4', not with '--sym-stdin 8'"},
        {{"abc", "test", "", "0.1.0"}, "begun with '--sym-stdin 4'"},
        {{"abc", "test", "--sym-stdin 4\n--search dfs\n", "0.1.0"}, "begun without '--search dfs'"},
        {{"abd", "test", "--sym-stdin 4\n", "0.1.0"}, "the program is another one"},
        {{"abc", "prove", "--sym-stdin 4\n", "0.1.0"}, "of 'sheaf test'"},
        {{"abc", "test", "--sym-stdin 4\n", "9"}, "of Sheaf 0.1.0, and this is 9"}};
    store_close(create());
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        Str error = {0};
        assert_null(store_resume(scratch, &others[i].job, &error));
        assert_non_null(strstr(str_text(&error), others[i].says));
        str_free(&error);
    }
}

static void damaged(void **state)
{
    (void)state;
    Str path = {0}, bytes = {0}, error = {0};
    str_printf(&path, "%s/store.db", scratch);
    refused("no such file");
    Store *s = create();
    for (uint32_t i = 0; i < 60; i++)
        add(s, i, i + 1, STORE_FILE, NULL);
    store_commit(s);
    assert_null(store_create(scratch, &job, &error));
    assert_non_null(strstr(str_text(&error), "the file exists"));
    store_close(s);
    assert_true(file_read(str_text(&path), 1 << 20, &bytes));
    assert_true(file_write_atomic(str_text(&path), "hello, world, this is no database", 33));
    refused("damaged, or no store");
    assert_true(file_write_atomic(str_text(&path), bytes.v, 5000));
    refused("damaged");
    Rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < 300;
         round++) { /* never a crash; what is read is whole, or refused in one line */
        Str copy = {0};
        Seen seen = {0};
        str_add_n(&copy, bytes.v, bytes.n);
        for (uint64_t k = 1 + rng_below(&rng, 8); k; k--)
            copy.v[rng_below(&rng, copy.n)] ^= (char)(1 << rng_below(&rng, 8));
        assert_true(file_write_atomic(str_text(&path), copy.v, copy.n));
        vec_clear(&error);
        s = store_read(scratch, &error);
        if (s && !store_tests(s, STORE_PATH, see, &seen))
            assert_non_null(store_failure(s));
        store_close(s);
        str_free(&copy);
    }
    str_free(&path), str_free(&bytes), str_free(&error);
}

static void other_version(void **state)
{
    (void)state;
    Str path = {0}, error = {0};
    str_printf(&path, "%s/store.db", scratch);
    store_close(create());
    Sql *sql = sql_open(str_text(&path), SQL_WRITE, &error);
    assert_true(sql_run(sql, "UPDATE store SET version = 7"));
    sql_close(sql);
    refused("a store of version 7");
    str_free(&path), str_free(&error);
}

/* Another process holds the file: one line, after a moment. */
static void two_writers(void **state)
{
    (void)state;
    Str error = {0};
    Store *s = create();
    add(s, 1, 1, STORE_FILE, NULL); /* a transaction is open */
    Store *second = store_resume(scratch, &job, &error);
    assert_non_null(second);
    StoreRole role = STORE_FILE;
    SuiteTest *t = test_of(2, 1);
    assert_false(store_test_add(second, t, &role, NULL));
    assert_non_null(strstr(store_failure(second), "another process is writing"));
    suite_test_free(t);
    store_close(second);
    assert_true(store_commit(s));
    assert_int_equal(tests_of(s, STORE_PATH).n, 1);
    store_close(s);
}

/* The file may not grow: what was committed stays. */
static void disk_full(void **state)
{
    (void)state;
    Str error = {0};
    Store *s = create();
    add(s, 1, 1, STORE_FILE, NULL);
    assert_true(store_commit(s));
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small = {100 << 10, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &old);
    setrlimit(RLIMIT_FSIZE, &small);
    bool failed = false;
    for (uint32_t i = 2; i < 200000 && !failed; i++) {
        StoreRole role = STORE_FILE;
        SuiteTest *t = test_of(i, i);
        failed = !store_test_add(s, t, &role, NULL) || (i % 100 == 0 && !store_commit(s));
        suite_test_free(t);
    }
    assert_true(failed);
    assert_non_null(store_failure(s));
    assert_null(strchr(store_failure(s), '\n'));
    store_close(s);
    setrlimit(RLIMIT_FSIZE, &old);
    s = store_resume(scratch, &job, &error);
    assert_non_null(s);
    assert_true(tests_of(s, STORE_FILE).n >= 1);
    store_close(s);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {EACH(tests_are_kept),
                                       EACH(ranks_are_settled),
                                       EACH(equal_tests_are_one),
                                       EACH(faults_and_values),
                                       EACH(killed),
                                       EACH(other_jobs),
                                       EACH(damaged),
                                       EACH(other_version),
                                       EACH(two_writers),
                                       EACH(disk_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
