/* test_base.c - base: memory, containers, messages, random numbers. Containers are held against naive
 * models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static void alloc_plain(void **state)
{
    (void)state;
    char *p = mem_zalloc(100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(p[i], 0);
    p[99] = 'x';
    p = mem_realloc(p, 10000);
    assert_int_equal(p[99], 'x');
    mem_free(p);
    void *none = mem_alloc(0);
    assert_non_null(none);
    none = mem_realloc(none, 0);
    assert_non_null(none);
    mem_free(none);
    mem_free(NULL);
    char *copy = mem_strdup("sheaf");
    assert_string_equal(copy, "sheaf");
    mem_free(copy);
}

static void arena_zeroed_and_apart(void **state)
{
    (void)state;
    enum { N = 3000 };
    static struct {
        unsigned char *p;
        size_t size;
    } objects[N];
    Arena *a = arena_new();
    Rng rng;
    rng_seed(&rng, 1);
    size_t total = 0;
    for (unsigned i = 0; i < N; i++) {
        size_t size = rng_below(&rng, 100) ? rng_below(&rng, 200) : rng_below(&rng, 50000);
        unsigned char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(p[k], 0);
        memset(p, (int)(i % 255 + 1), size);
        objects[i].p = p;
        objects[i].size = size;
        total += size;
    }
    for (unsigned i = 0; i < N; i++)
        for (size_t k = 0; k < objects[i].size; k++)
            assert_int_equal(objects[i].p[k], i % 255 + 1);
    assert_true(arena_bytes(a) >= total);
    assert_true(arena_bytes(a) < total * 2 + 200000);
    assert_ptr_not_equal(arena_alloc(a, 0), arena_alloc(a, 0));
    arena_free(a);
    arena_free(NULL);
}

static void arena_large_objects_waste_little(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (int i = 0; i < 100; i++) {
        arena_alloc(a, 16);
        arena_alloc(a, 3 << 20);
    }
    assert_true(arena_bytes(a) < (size_t)310 << 20);
    arena_free(a);
}

static void arena_cleared_is_zeroed_and_bounded(void **state)
{
    (void)state;
    Arena *a = arena_new();
    arena_clear(a);
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 100; i++) {
            size_t size = (size_t)(i % 10 ? 40 : 9000);
            char *p = arena_alloc(a, size);
            for (size_t k = 0; k < size; k++)
                assert_int_equal(p[k], 0);
            memset(p, 1, size);
        }
        arena_clear(a);
    }
    assert_true(arena_bytes(a) < 1 << 20);
    arena_free(a);
}

static void arena_texts(void **state)
{
    (void)state;
    Arena *a = arena_new();
    assert_string_equal(arena_strdup(a, "one"), "one");
    assert_string_equal(arena_strndup(a, "twofold", 3), "two");
    assert_string_equal(arena_strndup(a, "ab", 30), "ab");
    assert_string_equal(arena_printf(a, "%s-%d", "three", 3), "three-3");
    assert_string_equal(arena_printf(a, "%s", ""), "");
    assert_int_equal(strlen(arena_printf(a, "%5000d", 1)), 5000);
    arena_free(a);
}

/* ---- vectors --------------------------------------------------------------------------------- */

static void vec_pushes_and_pops(void **state)
{
    (void)state;
    U64Vec v = {0};
    for (uint32_t i = 0; i < 100000; i++)
        vec_push(&v, i * 3);
    assert_int_equal(v.n, 100000);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(v.v[i], i * 3);
    assert_int_equal(vec_last(&v), 299997);
    assert_int_equal(vec_pop(&v), 299997);
    assert_int_equal(v.n, 99999);
    vec_clear(&v);
    assert_int_equal(v.n, 0);
    vec_free(&v);
    assert_null(v.v);
    assert_int_equal(v.cap, 0);
}

static void vec_pushes_its_own_element(void **state)
{
    (void)state;
    U32Vec v = {0};
    vec_push(&v, 7);
    for (int i = 0; i < 1000; i++)
        vec_push(&v, vec_last(&v) + v.v[0]);
    assert_int_equal(vec_last(&v), 7007);
    vec_free(&v);
}

static void vec_of_structs(void **state)
{
    (void)state;
    struct Pair {
        int a, b;
    };
    Vec(struct Pair) v = {0};
    vec_push(&v, (struct Pair){1, 2});
    assert_int_equal(v.v[0].b, 2);
    vec_reserve(&v, 1000);
    uint32_t cap = v.cap;
    assert_true(cap >= 1000);
    vec_reserve(&v, 500);
    assert_int_equal(v.cap, cap);
    vec_free(&v);
}

/* ---- maps ------------------------------------------------------------------------------------ */

enum { UNIVERSE = 200 };
typedef struct Model {
    bool has[UNIVERSE];
    uint64_t value[UNIVERSE];
    uint32_t n;
} Model;

/* Keys at the ends of the range, neighbours, keys that differ high up only. */
static uint64_t universe_key(uint32_t i)
{
    return i < 50 ? i : i < 100 ? UINT64_MAX - (i - 50) : i < 150 ? (uint64_t)i << 56 : hash_u64(i);
}

static void map_agrees(const Map *m, const Model *model)
{
    assert_int_equal(m->n, model->n);
    for (uint32_t i = 0; i < UNIVERSE; i++) {
        uint64_t value = 12345;
        assert_int_equal(map_get(m, universe_key(i), &value), model->has[i]);
        assert_int_equal(value, model->has[i] ? model->value[i] : 12345);
        assert_int_equal(map_get_or(m, universe_key(i), 77), model->has[i] ? model->value[i] : 77);
    }
    bool seen[UNIVERSE] = {0};
    uint32_t cursor = 0, count = 0;
    for (uint64_t key, value; map_next(m, &cursor, &key, &value); count++) {
        uint32_t i = 0;
        while (i < UNIVERSE && universe_key(i) != key)
            i++;
        assert_true(i < UNIVERSE && model->has[i] && !seen[i]);
        assert_int_equal(value, model->value[i]);
        seen[i] = true;
    }
    assert_int_equal(count, model->n);
    assert_false(map_next(m, &cursor, NULL, NULL));
}

static void map_random_against_model(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Rng rng;
        rng_seed(&rng, seed);
        Map m = {0};
        Model model = {0};
        uint64_t put_share = 20 + rng_below(&rng, 60); /* some maps fill up, some stay nearly empty */
        for (int step = 0; step < 3000; step++) {
            uint32_t i = (uint32_t)rng_below(&rng, UNIVERSE);
            if (rng_below(&rng, 100) < put_share) {
                uint64_t value = rng_next(&rng);
                bool add = rng_below(&rng, 2);
                if (add) {
                    assert_int_equal(map_add(&m, universe_key(i), value), !model.has[i]);
                } else if (rng_below(&rng, 2)) {
                    map_put(&m, universe_key(i), value);
                } else {
                    uint64_t *at = map_at(&m, universe_key(i));
                    assert_int_equal(*at, model.has[i] ? model.value[i] : 0);
                    *at = value;
                }
                model.value[i] = add && model.has[i] ? model.value[i] : value;
                model.n += !model.has[i];
                model.has[i] = true;
            } else {
                assert_int_equal(map_remove(&m, universe_key(i)), model.has[i]);
                model.n -= model.has[i];
                model.has[i] = false;
            }
            if (!rng_below(&rng, 1000)) {
                map_clear(&m);
                memset(&model, 0, sizeof model);
            }
            if (step % 50 == 0)
                map_agrees(&m, &model);
        }
        map_agrees(&m, &model);
        map_free(&m);
    }
}

static void map_empty(void **state)
{
    (void)state;
    Map m = {0};
    uint32_t cursor = 0;
    assert_false(map_get(&m, 0, NULL));
    assert_false(map_get(&m, UINT64_MAX, NULL));
    assert_false(map_remove(&m, 5));
    assert_false(map_next(&m, &cursor, NULL, NULL));
    map_clear(&m);
    map_free(&m);
}

static void map_large(void **state)
{
    (void)state;
    Map m = {0};
    for (uint64_t i = 0; i < 200000; i++)
        map_put(&m, i * 4096, i);
    assert_int_equal(m.n, 200000);
    for (uint64_t i = 0; i < 200000; i++)
        assert_int_equal(map_get_or(&m, i * 4096, UINT64_MAX), i);
    assert_false(map_get(&m, 1, NULL));
    for (uint64_t i = 0; i < 200000; i += 2)
        assert_true(map_remove(&m, i * 4096));
    for (uint64_t i = 0; i < 200000; i++)
        assert_int_equal(map_get(&m, i * 4096, NULL), i % 2);
    map_free(&m);
}

/* A queue of 100 keys that wanders through a million: deleted slots must neither fill the table nor make it
 * grow. */
static void map_churn_stays_small(void **state)
{
    (void)state;
    Map m = {0};
    for (uint64_t i = 0; i < 1000000; i++) {
        map_put(&m, i, i);
        if (i >= 100)
            assert_true(map_remove(&m, i - 100));
    }
    assert_int_equal(m.n, 100);
    assert_true(m.cap <= 512);
    assert_true(m.used >= m.n && m.used < m.cap);
    map_free(&m);
}

static void hash_bytes_tells_apart(void **state)
{
    (void)state;
    char text[64] = {0};
    Map seen = {0};
    for (size_t size = 0; size <= 40; size++) { /* zeros of each size, and each with one bit set */
        uint64_t h = hash_bytes(text, size);
        assert_false(map_get(&seen, h, NULL));
        map_put(&seen, h, 1);
        for (size_t bit = 0; bit < size * 8; bit++) {
            text[bit / 8] = (char)(1 << bit % 8);
            h = hash_bytes(text, size);
            text[bit / 8] = 0;
            assert_false(map_get(&seen, h, NULL));
            map_put(&seen, h, 1);
        }
    }
    map_free(&seen);
    assert_int_equal(hash_bytes("same", 4), hash_bytes("same?", 4));
}

/* Among the names are some that would all stand in the first place, and 0. */
static void marks_against_model(void **state)
{
    (void)state;
    enum { NAMES = 5000 };
    static uint8_t model[NAMES];
    Marks m = {0};
    Rng rng;
    rng_seed(&rng, 3);
    for (uint32_t round = 0; round < 2; round++) {
        memset(model, 0, sizeof model);
        for (uint32_t k = 0; k < 8 * NAMES; k++) {
            uint32_t i = (uint32_t)(rng_next(&rng) % NAMES);
            unsigned which = (unsigned)rng_next(&rng) & 15, marks = (unsigned)rng_next(&rng) & which;
            uint64_t name = i < 64 ? (uint64_t)i << 40 : hash_u64(i);
            marks_prefetch(&m, name);
            assert_int_equal(marks_get(&m, name), model[i]);
            assert_int_equal(marks_set(&m, name, which, marks), model[i]);
            model[i] = (uint8_t)((model[i] & ~which) | marks);
            assert_int_equal(marks_get(&m, name), model[i]);
        }
        for (uint32_t i = 64; i < NAMES; i++)
            assert_int_equal(marks_get(&m, hash_u64(i)), model[i]);
        assert_true(m.n <= NAMES && m.n * 2 <= m.cap + 2);
        marks_clear(&m);
        assert_int_equal(marks_get(&m, hash_u64(100)), 0);
    }
    marks_free(&m);
    assert_int_equal(marks_get(&m, 5), 0);
}

/* ---- string maps ----------------------------------------------------------------------------- */

static void strmap_random_against_model(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        Rng rng;
        rng_seed(&rng, seed);
        StrMap m = {0};
        Model model = {0};
        for (int step = 0; step < 5000; step++) {
            uint32_t i = (uint32_t)rng_below(&rng, UNIVERSE);
            char key[300];
            snprintf(key, sizeof key, "%*x", (int)(i % 17 ? i % 5 : 250), i);
            uint64_t value = 1;
            assert_int_equal(strmap_get(&m, key, &value), model.has[i]);
            assert_int_equal(value, model.has[i] ? model.value[i] : 1);
            if (rng_below(&rng, 2)) {
                strmap_put(&m, key, model.value[i] = rng_next(&rng));
                memset(key, '?', 3); /* the map has a copy */
                model.has[i] = true;
            } else {
                assert_int_equal(strmap_remove(&m, key), model.has[i]);
                model.has[i] = false;
            }
        }
        assert_true(m.entries.n < 4 * UNIVERSE); /* dead entries do not pile up */
        strmap_free(&m);
    }
}

static void strmap_empty_key(void **state)
{
    (void)state;
    StrMap m = {0};
    assert_false(strmap_get(&m, "", NULL));
    assert_false(strmap_remove(&m, ""));
    strmap_put(&m, "", 9);
    uint64_t value;
    assert_true(strmap_get(&m, "", &value));
    assert_int_equal(value, 9);
    assert_false(strmap_get(&m, "x", NULL));
    strmap_free(&m);
    strmap_free(&m);
}

/* Keys of two words whose second word undoes the difference of the first, given how hash_bytes takes in a
 * word. */
static void make_colliding(char keys[][17], unsigned n)
{
    uint64_t start = hash_u64(17), wanted = 0;
    Rng rng;
    rng_seed(&rng, 3);
    for (unsigned made = 0; made < n;) {
        uint64_t words[2] = {rng_next(&rng), 0};
        uint64_t h = (start ^ words[0]) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;
        if (!made)
            wanted = h ^ UINT64_C(0x6162636465666768);
        words[1] = h ^ wanted;
        memcpy(keys[made], words, 16);
        keys[made][16] = 0;
        made += strlen(keys[made]) == 16;
    }
}

static void strmap_colliding_hashes(void **state)
{
    (void)state;
    enum { N = 4 };
    char keys[N][17];
    make_colliding(keys, N);
    for (unsigned i = 1; i < N; i++)
        assert_int_equal(hash_bytes(keys[0], 16), hash_bytes(keys[i], 16));
    for (unsigned gone = 0; gone < 1u << N; gone++) { /* each subset removed, first to last and back */
        StrMap m = {0};
        for (unsigned i = 0; i < N; i++)
            strmap_put(&m, keys[i], i);
        assert_int_equal(m.index.n, 1);
        for (unsigned i = 0; i < N; i++) {
            unsigned k = gone & 1 ? N - 1 - i : i;
            if (gone >> k & 1)
                assert_true(strmap_remove(&m, keys[k]));
        }
        for (unsigned i = 0; i < N; i++) {
            uint64_t value = 99;
            assert_int_equal(strmap_get(&m, keys[i], &value), !(gone >> i & 1));
            assert_int_equal(value, gone >> i & 1 ? 99 : i);
        }
        strmap_free(&m);
    }
}

static void intern_ids(void **state)
{
    (void)state;
    Intern *in = intern_new();
    assert_int_equal(intern_id(in, ""), 0);
    assert_string_equal(intern_text(in, 0), "");
    uint32_t main_id = intern_id(in, "main");
    const char *text = intern_text(in, main_id);
    assert_int_not_equal(main_id, 0);
    for (int i = 0; i < 20000; i++) {
        char name[20];
        snprintf(name, sizeof name, "v%d", i);
        assert_int_equal(intern_id(in, name), main_id + 1 + (uint32_t)i);
    }
    assert_int_equal(intern_id(in, "main"), main_id);
    assert_ptr_equal(intern_text(in, main_id), text);
    assert_string_equal(intern_text(in, intern_id(in, "v777")), "v777");
    intern_free(in);
    intern_free(NULL);
}

/* ---- bit sets -------------------------------------------------------------------------------- */

enum { BITS = 500 };

static void random_set(Rng *rng, BitSet *s, bool model[BITS])
{
    uint64_t range = 1 + rng_below(rng, BITS), n = rng_below(rng, 40);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)rng_below(rng, range);
        assert_int_equal(bitset_add(s, k), !model[k]);
        model[k] = true;
        if (!rng_below(rng, 4)) {
            k = (uint32_t)rng_below(rng, BITS);
            bitset_remove(s, k);
            model[k] = false;
        }
    }
}

static void set_agrees(const BitSet *s, const bool model[BITS])
{
    uint32_t count = 0, next = UINT32_MAX;
    for (uint32_t i = BITS; i-- > 0;) {
        count += model[i];
        next = model[i] ? i : next;
        assert_int_equal(bitset_has(s, i), model[i]);
        assert_int_equal(bitset_next(s, i), next);
    }
    assert_int_equal(bitset_count(s), count);
    assert_int_equal(bitset_next(s, BITS), UINT32_MAX);
    assert_int_equal(bitset_next(s, UINT32_MAX), UINT32_MAX);
}

static void bitset_random_against_model(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < 500; round++) {
        BitSet a = {0}, b = {0};
        bool in_a[BITS] = {0}, in_b[BITS] = {0};
        random_set(&rng, &a, in_a);
        random_set(&rng, &b, in_b);
        if (round % 3 == 0) /* so that subsets come up */
            for (uint32_t i = 0; i < BITS; i++)
                if (in_a[i] && rng_below(&rng, 30)) {
                    bitset_add(&b, i);
                    in_b[i] = true;
                }
        set_agrees(&a, in_a);
        bool meets = false, subset = true, grows = false;
        for (uint32_t i = 0; i < BITS; i++) {
            meets |= in_a[i] && in_b[i];
            subset &= !in_a[i] || in_b[i];
            grows |= in_b[i] && !in_a[i];
        }
        assert_int_equal(bitset_meets(&a, &b), meets);
        assert_int_equal(bitset_subset(&a, &b), subset);
        assert_int_equal(bitset_unite(&a, &b), grows);
        for (uint32_t i = 0; i < BITS; i++)
            in_a[i] |= in_b[i];
        set_agrees(&a, in_a);
        set_agrees(&b, in_b);
        assert_true(bitset_subset(&b, &a));
        assert_false(bitset_unite(&a, &a));
        bitset_free(&a);
        bitset_free(&b);
    }
}

static void bitset_empty(void **state)
{
    (void)state;
    BitSet a = {0}, b = {0};
    assert_false(bitset_has(&a, 3));
    bitset_remove(&a, 1000000);
    assert_int_equal(a.n, 0);
    assert_false(bitset_unite(&a, &b));
    assert_false(bitset_meets(&a, &b));
    assert_true(bitset_subset(&a, &b));
    assert_int_equal(bitset_count(&a), 0);
    assert_int_equal(bitset_next(&a, 0), UINT32_MAX);
    bitset_free(&a);
}

/* ---- random numbers, time -------------------------------------------------------------------- */

static void rng_reproducible(void **state)
{
    (void)state;
    Rng a, b, c;
    rng_seed(&a, 42);
    rng_seed(&b, 42);
    rng_seed(&c, 43);
    unsigned same = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = rng_next(&a);
        assert_int_equal(x, rng_next(&b));
        same += x == rng_next(&c);
    }
    assert_int_equal(same, 0);
}

static void rng_follows_the_published_generator(void **state)
{
    (void)state;
    Rng r = {{1, 2, 3, 4}};
    static const uint64_t first[] = {11520, 0, 1509978240, 1215971899390074240};
    for (unsigned i = 0; i < COUNT_OF(first); i++)
        assert_int_equal(rng_next(&r), first[i]);
}

static void rng_below_is_even(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, 0);
    unsigned count[7] = {0};
    for (int i = 0; i < 70000; i++)
        count[rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(count[i], 9500, 10500);
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_below(&r, 1), 0);
    uint64_t limit = UINT64_C(3) << 62; /* where a third would come up twice as often */
    unsigned third[3] = {0};
    for (int i = 0; i < 30000; i++) {
        uint64_t x = rng_below(&r, limit);
        assert_true(x < limit);
        third[x % 3]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(third[i], 9500, 10500);
}

static void clock_moves_on(void **state)
{
    (void)state;
    double before = clock_seconds();
    assert_true(before > 0);
    assert_true(clock_seconds() >= before);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Asked by the address sanitizer, if there is one: its malloc must fail as the plain one does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static void does_die(void) { die("no file '%s'", "a.c"); }
static void does_bug(void) { bug("%d is odd", 4); }
static void does_warn(void)
{
    printf("first");
    warn("slow: %s", "x");
    exit(0);
}
static void does_die_at_length(void) { die("%10000d", 1); }
static void does_ask_for_all_memory(void) { mem_free(mem_alloc(SIZE_MAX / 2)); }
static void does_ask_arena_for_too_much(void) { arena_alloc(arena_new(), SIZE_MAX - 8); }
static void does_grow_too_far(void)
{
    uint32_t cap = 8;
    mem_free(vec_grow(NULL, &cap, UINT32_MAX, 1));
}
static void does_ask_rng_below_zero(void)
{
    Rng r = {{1}};
    rng_below(&r, 0);
}
static void does_ask_for_unknown_intern(void) { intern_text(intern_new(), 1); }

/* Runs what in a child with all its output in out; returns what waitpid said. */
static int in_child(void (*what)(void), const char *abort_wish, Str *out)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        if (abort_wish)
            setenv("SHEAF_ABORT", abort_wish, 1);
        else
            unsetenv("SHEAF_ABORT");
        signal(SIGABRT, SIG_DFL);
        what();
        _exit(99);
    }
    close(ends[1]);
    char buffer[1000];
    vec_clear(out);
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        str_add_n(out, buffer, (size_t)n);
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void messages(void **state)
{
    (void)state;
    Str out = {0};
    assert_int_equal(WEXITSTATUS(in_child(does_die, NULL, &out)), EXIT_USAGE);
    assert_string_equal(str_text(&out), "sheaf: no file 'a.c'\n");
    assert_int_equal(WEXITSTATUS(in_child(does_warn, NULL, &out)), 0);
    assert_string_equal(str_text(&out), "firstsheaf: warning: slow: x\n");
    assert_int_equal(WEXITSTATUS(in_child(does_bug, NULL, &out)), EXIT_BUG);
    assert_true(text_starts_with(str_text(&out), "sheaf: bug at "));
    assert_non_null(strstr(str_text(&out), "test_base.c:"));
    assert_true(text_ends_with(str_text(&out), ": 4 is odd\n"));
    int status = in_child(does_bug, "1", &out);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_int_equal(WEXITSTATUS(in_child(does_die_at_length, NULL, &out)), EXIT_USAGE);
    assert_int_equal(out.v[out.n - 1], '\n');
    assert_in_range(out.n, 1000, 5000);
    str_free(&out);
}

static void limits_are_messages(void **state)
{
    (void)state;
    static const struct {
        void (*what)(void);
        int status;
        const char *says;
    } cases[] = {
        {does_ask_for_all_memory, EXIT_USAGE, "out of memory"},
        {does_ask_arena_for_too_much, EXIT_USAGE, "out of memory"},
        {does_grow_too_far, EXIT_USAGE, "out of memory"},
        {does_ask_rng_below_zero, EXIT_BUG, "below 0"},
        {does_ask_for_unknown_intern, EXIT_BUG, "id 1"},
    };
    Str out = {0};
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(WEXITSTATUS(in_child(cases[i].what, NULL, &out)), cases[i].status);
        assert_non_null(strstr(str_text(&out), cases[i].says));
    }
    str_free(&out);
}

/* Members of an epoch are none of the next, nor of the one that has its number after all of them. */
static void stamps_come_and_go(void **state)
{
    (void)state;
    Stamps s = {0};
    assert_false(stamps_has(&s, 0));
    stamps_clear(&s);
    assert_false(stamps_has(&s, 7));
    stamps_add(&s, 7);
    stamps_add(&s, 1000);
    assert_true(stamps_has(&s, 7) && stamps_has(&s, 1000));
    assert_false(stamps_has(&s, 8) || stamps_has(&s, 999) || stamps_has(&s, 100000));
    stamps_clear(&s);
    assert_false(stamps_has(&s, 7) || stamps_has(&s, 1000));
    stamps_add(&s, 3);
    s.epoch = UINT32_MAX;
    stamps_add(&s, 4);
    stamps_clear(&s);
    assert_false(stamps_has(&s, 3) || stamps_has(&s, 4) || stamps_has(&s, 7));
    stamps_add(&s, 2);
    assert_true(stamps_has(&s, 2) && !stamps_has(&s, 7));
    stamps_free(&s);
    assert_false(stamps_has(&s, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alloc_plain),
        cmocka_unit_test(arena_zeroed_and_apart),
        cmocka_unit_test(arena_large_objects_waste_little),
        cmocka_unit_test(arena_cleared_is_zeroed_and_bounded),
        cmocka_unit_test(arena_texts),
        cmocka_unit_test(vec_pushes_and_pops),
        cmocka_unit_test(vec_pushes_its_own_element),
        cmocka_unit_test(vec_of_structs),
        cmocka_unit_test(map_random_against_model),
        cmocka_unit_test(map_empty),
        cmocka_unit_test(marks_against_model),
        cmocka_unit_test(stamps_come_and_go),
        cmocka_unit_test(map_large),
        cmocka_unit_test(map_churn_stays_small),
        cmocka_unit_test(hash_bytes_tells_apart),
        cmocka_unit_test(strmap_random_against_model),
        cmocka_unit_test(strmap_empty_key),
        cmocka_unit_test(strmap_colliding_hashes),
        cmocka_unit_test(intern_ids),
        cmocka_unit_test(bitset_random_against_model),
        cmocka_unit_test(bitset_empty),
        cmocka_unit_test(rng_reproducible),
        cmocka_unit_test(rng_follows_the_published_generator),
        cmocka_unit_test(rng_below_is_even),
        cmocka_unit_test(clock_moves_on),
        cmocka_unit_test(messages),
        cmocka_unit_test(limits_are_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
