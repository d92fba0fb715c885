/* test_fleet.c - fleet: a region is worked on by one worker, a claim that is over counts for nothing, a
 * checkpoint is whole. Needs a database of its own: tools/postgres.py starts one and sets SHEAF_POSTGRES. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/fleet.h"

static const FleetJob job = {.title = "sheaf test a.c",
                             .options = "--explore full\n",
                             .version = "0.1.0",
                             .hash = "abc",
                             .program = "BC\0code",
                             .size = 7};

static Fleet *opened(void)
{
    Str error = {0};
    bool unreachable;
    Fleet *f = fleet_open(getenv("SHEAF_POSTGRES"), &error, &unreachable);
    assert_string_equal(str_text(&error), "");
    assert_non_null(f);
    return f;
}

static Str text(const char *s)
{
    Str out = {0};
    str_add(&out, s);
    return out;
}

static uint64_t added(Fleet *f, const char *region)
{
    Str bytes = text(region);
    uint64_t id = fleet_job_add(f, &job, &bytes);
    assert_null(fleet_failure(f));
    assert_true(id);
    str_free(&bytes);
    return id;
}

static void assert_region(const FleetRegion *r, const char *bytes)
{
    assert_int_equal(r->bytes.n, strlen(bytes));
    assert_memory_equal(r->bytes.v, bytes, r->bytes.n);
}

static void one_claims(void **state)
{
    (void)state;
    Fleet *a = opened(), *b = opened();
    uint64_t id = added(a, "all");
    FleetRegion r = {0}, other = {0};
    assert_true(fleet_claim(a, id, job.version, "a", 60, &r));
    assert_region(&r, "all");
    assert_false(fleet_claim(b, id, job.version, "b", 60, &other));
    assert_false(fleet_claim(b, id, "0.2.0", "b", 60, &other));
    assert_true(fleet_prolong(a, &r, 60));
    str_free(&r.bytes);
    assert_true(fleet_job_finish(a, id));
    fleet_close(a);
    fleet_close(b);
}

static void add_text(void *context, const void *bytes, size_t n) { str_add_n(context, bytes, n); }

static void claim_that_is_over(void **state)
{
    (void)state;
    Fleet *a = opened(), *b = opened();
    uint64_t id = added(a, "all");
    FleetRegion late = {0}, r = {0};
    Str found = text("found"), lost = text("lost"), all = {0};
    assert_true(fleet_claim(a, id, job.version, "a", -1, &late)); /* over at once */
    assert_true(fleet_claim(b, id, job.version, "b", 60, &r));
    assert_region(&r, "all");
    assert_false(fleet_prolong(a, &late, 60));
    assert_false(
        fleet_checkpoint(a, &late, &(FleetCheckpoint){.messages = &lost, .nmessages = 1, .given = &lost}));
    assert_null(fleet_failure(a));
    assert_true(fleet_checkpoint(b, &r, &(FleetCheckpoint){.messages = &found, .nmessages = 1}));
    assert_int_equal(fleet_messages(a, id, 0, add_text, &all), 1);
    assert_string_equal(str_text(&all), "found");
    assert_true(fleet_is_done(a, id));
    assert_false(fleet_claim(a, id, job.version, "a", 60, &late));
    str_free(&r.bytes);
    str_free(&late.bytes);
    str_free(&found);
    str_free(&lost);
    str_free(&all);
    fleet_job_finish(a, id);
    fleet_close(a);
    fleet_close(b);
}

static void parts(void **state)
{
    (void)state;
    Fleet *f = opened();
    uint64_t id = added(f, "all");
    FleetRegion r = {0}, part = {0}, rest = {0};
    Str left = text("left"), given = text("given"), messages[] = {text("1"), text("2")}, all = {0};
    assert_true(fleet_claim(f, id, job.version, "a", 60, &r));
    assert_true(fleet_checkpoint(
        f, &r,
        &(FleetCheckpoint){
            .messages = messages, .nmessages = 2, .left = &left, .given = &given, .lease = -1}));
    assert_false(fleet_is_done(f, id));
    assert_true(fleet_claim(f, id, job.version, "b", 60, &rest)); /* the lease is over */
    assert_region(&rest, "left");
    assert_true(fleet_claim(f, id, job.version, "c", 60, &part));
    assert_region(&part, "given");
    assert_true(fleet_checkpoint(f, &part, &(FleetCheckpoint){0}));
    assert_true(fleet_checkpoint(f, &rest, &(FleetCheckpoint){0}));
    assert_true(fleet_is_done(f, id));
    assert_int_equal(fleet_messages(f, id, 0, add_text, &all), 2);
    assert_int_equal(fleet_messages(f, id, 2, add_text, &all), 2);
    assert_string_equal(str_text(&all), "12");
    Str *texts[] = {&r.bytes, &part.bytes, &rest.bytes, &left, &given, &messages[0], &messages[1], &all};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        str_free(texts[i]);
    fleet_job_finish(f, id);
    fleet_close(f);
}

static void jobs(void **state)
{
    (void)state;
    Fleet *f = opened();
    Arena *arena = arena_new();
    FleetJob is;
    uint64_t id = added(f, "x");
    assert_int_equal(fleet_job_find(f, &job), id);
    assert_true(fleet_job_get(f, id, arena, &is));
    assert_string_equal(is.title, job.title);
    assert_int_equal(is.size, job.size);
    assert_memory_equal(is.program, job.program, job.size);
    assert_false(fleet_job_get(f, id + 1000, arena, &is));
    assert_true(fleet_job_finish(f, id));
    assert_int_equal(fleet_job_find(f, &job), 0);
    arena_free(arena);
    fleet_close(f);
}

/* Whoever is first would take from the other what it has not read yet. */
static void one_asks(void **state)
{
    (void)state;
    Fleet *a = opened(), *b = opened(), *c = opened();
    FleetJob other = job;
    other.options = "--explore output\n";
    assert_true(fleet_ask_alone(a, &job));
    assert_true(fleet_ask_alone(c, &other));
    assert_false(fleet_ask_alone(b, &job));
    assert_non_null(strstr(fleet_failure(b), "the same 'sheaf test' runs already"));
    assert_false(fleet_is_lost(b));
    fleet_close(a);
    fleet_close(b);
    a = opened();
    assert_true(fleet_ask_alone(a, &job)); /* the first is gone */
    fleet_close(a);
    fleet_close(c);
}

/* Claims a region, splits it until it is one byte, and says one message for each. */
static void work(uint64_t id, unsigned number)
{
    Fleet *f = opened();
    char name[16];
    snprintf(name, sizeof name, "%u", number);
    while (!fleet_is_done(f, id)) {
        FleetRegion r = {0};
        if (!fleet_claim(f, id, job.version, name, 1, &r)) {
            fleet_wait(f, id, name, 1);
            continue;
        }
        Str a = {0}, b = {0};
        str_add_n(&a, r.bytes.v, r.bytes.n / 2);
        str_add_n(&b, r.bytes.v + r.bytes.n / 2, r.bytes.n - r.bytes.n / 2);
        bool leaf = r.bytes.n == 1;
        FleetCheckpoint c = {.messages = leaf ? &b : NULL,
                             .nmessages = leaf,
                             .left = leaf ? NULL : &a,
                             .given = leaf ? NULL : &b,
                             .lease = -1};
        if (number && r.bytes.n % 3 == 0) /* a worker that dies */
            _exit(0);
        if (!fleet_checkpoint(f, &r, &c) && fleet_failure(f))
            _exit(1);
        str_free(&a);
        str_free(&b);
        str_free(&r.bytes);
    }
    fleet_close(f);
}

static void many_workers(void **state)
{
    (void)state;
    enum { WORKERS = 3 };
    Fleet *f = opened();
    uint64_t id = added(f, "0123456789abcdefghijklmnopqrstuvwxyz");
    for (unsigned i = 0; i < WORKERS; i++)
        if (!fork()) {
            work(id, i);
            _exit(0);
        }
    for (unsigned i = 0; i < WORKERS; i++) {
        int status;
        wait(&status);
        assert_int_equal(status, 0);
    }
    Str all = {0};
    uint64_t last = fleet_messages(f, id, 0, add_text, &all);
    assert_int_equal(last, 36);
    BitSet seen = {0};
    for (uint32_t i = 0; i < all.n; i++)
        bitset_add(&seen, (unsigned char)all.v[i]);
    assert_int_equal(bitset_count(&seen), 36);
    vec_free(&seen);
    str_free(&all);
    fleet_job_finish(f, id);
    fleet_close(f);
}

/* A worker that is killed costs no lease: its connection is gone. The server needs a moment to see it. */
static void gone_connection(void **state)
{
    (void)state;
    Fleet *a = opened(), *b = opened();
    uint64_t id = added(b, "all");
    FleetRegion r = {0}, again = {0};
    double end = clock_seconds() + 60;
    assert_true(fleet_claim(a, id, job.version, "a", 600, &r));
    assert_false(fleet_claim(b, id, job.version, "b", 600, &again));
    fleet_close(a);
    while (!fleet_claim(b, id, job.version, "b", 600, &again) && clock_seconds() < end)
        fleet_listen(b, 0.01);
    assert_region(&again, "all");
    str_free(&r.bytes);
    str_free(&again.bytes);
    fleet_job_finish(b, id);
    fleet_close(b);
}

static void note_explored(void *context, const FleetJob *j)
{
    *(double *)context += j->paused ? j->explored : 0;
}

/* What a worker did for a job that was paused meanwhile counts, and it must leave its region. */
static void paused(void **state)
{
    (void)state;
    Fleet *f = opened();
    uint64_t id = added(f, "all");
    FleetRegion r = {0};
    double sum = 0;
    Str found = text("found"), left = text("left"), all = {0};
    FleetCheckpoint c = {
        .messages = &found, .nmessages = 1, .left = &left, .explored = FLEET_WHOLE / 4, .lease = 600};
    assert_true(fleet_claim(f, id, job.version, "a", 600, &r));
    str_free(&r.bytes);
    assert_true(fleet_checkpoint(f, &r, &c));
    assert_true(fleet_job_pause(f, id));
    assert_false(fleet_checkpoint(f, &r, &c));
    assert_null(fleet_failure(f));
    assert_int_equal(fleet_messages(f, id, 0, add_text, &all), 2);
    assert_true(fleet_jobs(f, note_explored, &sum));
    assert_true(sum == 0.5);
    assert_false(fleet_claim(f, id, job.version, "a", 600, &r));
    assert_true(fleet_job_go_on(f, id, 0));
    assert_true(fleet_claim(f, id, job.version, "a", 600, &r));
    assert_region(&r, "left");
    str_free(&r.bytes);
    str_free(&found);
    str_free(&left);
    str_free(&all);
    fleet_job_finish(f, id);
    fleet_close(f);
}

static void assert_failed(Fleet *f, uint64_t id, const char *why)
{
    Str reason = {0};
    assert_true(fleet_job_failed(f, id, &reason));
    assert_non_null(strstr(str_text(&reason), why));
    str_free(&reason);
}

/* A region that ends whatever works on it is left in the end, and the job goes on only if it is asked for. */
static void given_up(void **state)
{
    (void)state;
    enum { TRIES = 5 };
    Fleet *f = opened();
    uint64_t id = added(f, "all");
    FleetRegion r = {0};
    Str left = text("left"), none = {0};
    for (unsigned round = 0; round < 2; round++) {
        assert_true(fleet_claim(f, id, job.version, "w", 600, &r));
        str_free(&r.bytes);
        assert_true(
            fleet_checkpoint(f, &r, &(FleetCheckpoint){.left = &left, .lease = -1})); /* counts anew */
        for (unsigned i = 0; i < TRIES; i++) {
            assert_false(fleet_job_failed(f, id, &none));
            assert_true(fleet_claim(f, id, job.version, "worker 7", -1, &r));
            str_free(&r.bytes);
        }
        assert_false(fleet_claim(f, id, job.version, "w", -1, &r));
        assert_failed(f, id, "the last of them worker 7");
        assert_true(fleet_job_go_on(f, id, 0));
    }
    str_free(&left);
    fleet_job_finish(f, id);
    fleet_close(f);
}

static void note_failed(void *context, const FleetJob *j)
{
    if (j->failed)
        str_add(context, j->reason);
}

static void failed(void **state)
{
    (void)state;
    Fleet *f = opened();
    uint64_t id = added(f, "all");
    FleetRegion r = {0};
    Str listed = {0};
    assert_true(fleet_job_fail(f, id, "no program"));
    assert_false(fleet_claim(f, id, job.version, "a", 60, &r));
    assert_failed(f, id, "no program");
    assert_true(fleet_jobs(f, note_failed, &listed));
    assert_string_equal(str_text(&listed), "no program");
    assert_true(fleet_job_pause(f, id)); /* the reason stays */
    assert_failed(f, id, "no program");
    assert_int_equal(fleet_job_find(f, &job), id);
    assert_true(fleet_job_go_on(f, id, 0));
    assert_true(fleet_claim(f, id, job.version, "a", 60, &r));
    str_free(&r.bytes);
    str_free(&listed);
    fleet_job_finish(f, id);
    fleet_close(f);
}

/* Claims draw runs, and give back what they did not make: all that are made are as many as the limit. */
static void limited(void **state)
{
    (void)state;
    Fleet *f = opened();
    FleetJob small = job;
    Str bytes = text("all"), left = text("left"), given = text("given");
    small.max_runs = 17;
    uint64_t id = fleet_job_add(f, &small, &bytes), made;
    FleetRegion a = {0}, b = {0};
    assert_true(fleet_claim(f, id, job.version, "a", 600, &a));
    assert_int_equal(a.runs, 3); /* an eighth of 17 */
    assert_true(
        fleet_checkpoint(f, &a, &(FleetCheckpoint){.left = &left, .given = &given, .runs = 1, .lease = 600}));
    assert_int_equal(a.runs, 2); /* of 16 */
    assert_true(fleet_claim(f, id, job.version, "b", -1, &b));
    assert_int_equal(b.runs, 2); /* of 14, and its claim is over at once */
    str_free(&b.bytes);
    assert_true(fleet_claim(f, id, job.version, "b", 600, &b));
    assert_int_equal(b.runs, 2); /* the same */
    FleetRegion *both[] = {&a, &b};
    for (made = 1; a.runs || b.runs;)
        for (size_t i = 0; i < COUNT_OF(both); i++) {
            FleetCheckpoint c = {.left = &left, .runs = both[i]->runs, .lease = 600};
            assert_false(fleet_is_out_of_runs(f, id));
            made += c.runs;
            assert_true(fleet_checkpoint(f, both[i], &c));
        }
    assert_int_equal(made, 17);
    assert_false(fleet_checkpoint(f, &a, &(FleetCheckpoint){.left = &left, .needs_run = true, .lease = 600}));
    assert_null(fleet_failure(f));
    assert_true(fleet_is_out_of_runs(f, id));
    str_free(&a.bytes);
    assert_false(fleet_claim(f, id, job.version, "a", 600, &a)); /* it needs a run */
    assert_true(fleet_job_go_on(f, id, 18));
    assert_false(fleet_is_out_of_runs(f, id));
    assert_true(fleet_claim(f, id, job.version, "a", 600, &a));
    assert_int_equal(a.runs, 1);
    Str *texts[] = {&a.bytes, &b.bytes, &bytes, &left, &given};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        str_free(texts[i]);
    fleet_job_finish(f, id);
    fleet_close(f);
}

static void removed(void **state)
{
    (void)state;
    Fleet *f = opened();
    uint64_t id = added(f, "all");
    bool runs;
    FleetRegion r = {0};
    assert_true(fleet_claim(f, id, job.version, "a", 600, &r));
    assert_false(fleet_job_remove(f, id, false, &runs));
    assert_true(runs);
    assert_true(fleet_job_remove(f, id, true, &runs));
    assert_false(fleet_is_done(f, id)); /* what was found is gone */
    assert_failed(f, id, "it was removed");
    assert_false(fleet_checkpoint(f, &r, &(FleetCheckpoint){0}));
    assert_false(fleet_job_remove(f, id, true, &runs));
    assert_false(runs);
    assert_null(fleet_failure(f));
    str_free(&r.bytes);
    fleet_close(f);
}

static void refused(void **state)
{
    (void)state;
    Str error = {0};
    bool unreachable;
    assert_null(fleet_open("somewhere", &error, &unreachable));
    assert_false(unreachable);
    assert_non_null(strstr(str_text(&error), "postgresql://"));
    str_free(&error);
    assert_null(fleet_open("postgresql://me:secret@/none?host=/nowhere", &error, &unreachable));
    assert_true(unreachable);
    assert_null(strstr(str_text(&error), "secret"));
    assert_null(strchr(str_text(&error), '\n'));
    str_free(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_claims),   cmocka_unit_test(claim_that_is_over),
        cmocka_unit_test(parts),        cmocka_unit_test(jobs),
        cmocka_unit_test(many_workers), cmocka_unit_test(refused),
        cmocka_unit_test(one_asks),     cmocka_unit_test(gone_connection),
        cmocka_unit_test(paused),       cmocka_unit_test(given_up),
        cmocka_unit_test(failed),       cmocka_unit_test(limited),
        cmocka_unit_test(removed),
    };
    if (!getenv("SHEAF_POSTGRES")) {
        fprintf(stderr,
                "test_fleet: SHEAF_POSTGRES names no database; tools/postgres.py test_fleet starts one\n");
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
