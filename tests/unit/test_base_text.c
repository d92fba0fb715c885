/* test_base_text.c - base: strings, numbers as text, files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

/* ---- Str ------------------------------------------------------------------------------------- */

static void str_building(void **state)
{
    (void)state;
    Str s = {0};
    assert_string_equal(str_text(&s), "");
    str_add(&s, "a");
    str_add(&s, "");
    str_add_n(&s, "bcX", 2);
    str_add_n(&s, NULL, 0);
    str_add_char(&s, 'd');
    str_printf(&s, "%d", 42);
    assert_string_equal(s.v, "abcd42");
    assert_int_equal(s.n, 6);
    str_add_n(&s, "\0z", 2);
    assert_int_equal(s.n, 8);
    assert_memory_equal(s.v, "abcd42\0z", 9);
    vec_clear(&s);
    assert_string_equal(str_text(&s), "");
    str_free(&s);
}

static void str_printf_of_each_length(void **state)
{
    (void)state;
    for (int have = 0; have < 70; have += 7)
        for (int n = 0; n < 300; n++) {
            Str s = {0};
            for (int i = 0; i < have; i++)
                str_add_char(&s, '.');
            str_printf(&s, "%*s", n, "");
            assert_int_equal(s.n, have + n);
            assert_int_equal(strlen(str_text(&s)), have + n);
            str_free(&s);
        }
}

static void str_taking(void **state)
{
    (void)state;
    Str s = {0};
    char *text = str_take(&s);
    assert_string_equal(text, "");
    mem_free(text);
    str_add(&s, "kept");
    text = str_take(&s);
    assert_string_equal(text, "kept");
    assert_null(s.v);
    mem_free(text);
    str_add(&s, "x");
    vec_clear(&s);
    text = str_take(&s);
    assert_string_equal(text, "");
    mem_free(text);
}

/* ---- numbers --------------------------------------------------------------------------------- */

#define U128_MAX (~(u128)0)
#define TOP      ((u128)1 << 127)

static void u128_written(void **state)
{
    (void)state;
    char out[48];
    static const struct {
        u128 value;
        const char *as_unsigned, *as_signed;
    } cases[] = {
        {0, "0", "0"},
        {10, "10", "10"},
        {UINT64_MAX, "18446744073709551615", "18446744073709551615"},
        {(u128)UINT64_MAX + 1, "18446744073709551616", "18446744073709551616"},
        {TOP - 1, "170141183460469231731687303715884105727", "170141183460469231731687303715884105727"},
        {TOP, "170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"},
        {U128_MAX, "340282366920938463463374607431768211455", "-1"},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        text_u128(out, cases[i].value, false);
        assert_string_equal(out, cases[i].as_unsigned);
        text_u128(out, cases[i].value, true);
        assert_string_equal(out, cases[i].as_signed);
    }
}

static void u128_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned base;
        bool ok;
        u128 value;
    } cases[] = {
        {"0", 10, true, 0},
        {"00012", 10, true, 12},
        {"", 10, false, 0},
        {"", 0, false, 0},
        {"-", 10, false, 0},
        {"--1", 10, false, 0},
        {"+1", 10, false, 0},
        {" 1", 10, false, 0},
        {"1 ", 10, false, 0},
        {"1_0", 10, false, 0},
        {"-0", 10, true, 0},
        {"-1", 10, true, U128_MAX},
        {"340282366920938463463374607431768211455", 10, true, U128_MAX},
        {"340282366920938463463374607431768211456", 10, false, 0},
        {"340282366920938463463374607431768211460", 10, false, 0},
        {"3402823669209384634633746074317682114550", 10, false, 0},
        {"00340282366920938463463374607431768211455", 10, true, U128_MAX},
        {"-170141183460469231731687303715884105728", 10, true, TOP},
        {"-170141183460469231731687303715884105729", 10, false, 0},
        {"ffffffffffffffffffffffffffffffff", 16, true, U128_MAX},
        {"FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFf", 16, true, U128_MAX},
        {"100000000000000000000000000000000", 16, false, 0},
        {"g", 16, false, 0},
        {"0x1", 16, false, 0},
        {"102", 2, false, 0},
        {"101", 2, true, 5},
        {"zZ", 36, true, 35 * 36 + 35},
        {"0x1F", 0, true, 31},
        {"0X1f", 0, true, 31},
        {"-0x10", 0, true, -(u128)16},
        {"0x", 0, false, 0},
        {"0x-1", 0, false, 0},
        {"0b101", 0, true, 5},
        {"0b", 0, false, 0},
        {"0b2", 0, false, 0},
        {"017", 0, true, 15},
        {"018", 0, false, 0},
        {"0", 0, true, 0},
        {"10", 0, true, 10},
        {"0x100000000000000000000000000000000", 0, false, 0},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        u128 value = 4711;
        if (text_parse_u128(cases[i].text, cases[i].base, &value) != cases[i].ok)
            fail_msg("'%s' in base %u", cases[i].text, cases[i].base);
        assert_true(value == (cases[i].ok ? cases[i].value : 4711));
    }
}

static void u128_round_trip(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 8);
    for (int i = 0; i < 20000; i++) {
        u128 value = ((u128)rng_next(&rng) << 64 | rng_next(&rng)) >> rng_below(&rng, 128), back = 0;
        char out[48];
        bool is_signed = i & 1;
        if (is_signed && rng_below(&rng, 2))
            value = -value;
        text_u128(out, value, is_signed);
        assert_true(text_parse_u128(out, 10, &back));
        assert_true(back == value);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static void distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        uint32_t distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "abc", 0},
        {"abc", "abd", 1},
        {"abc", "ab", 1},
        {"abc", "xabc", 1},
        {"kitten", "sitting", 3},
        {"flaw", "lawn", 2},
        {"ab", "ba", 2},
        {"max-steps", "max-step", 1},
        {"aaaa", "bbbb", 4},
        {"intention", "execution", 5},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(text_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(text_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void beginnings_and_ends(void **state)
{
    (void)state;
    assert_true(text_starts_with("sheaf", "she"));
    assert_true(text_starts_with("sheaf", ""));
    assert_true(text_starts_with("", ""));
    assert_false(text_starts_with("she", "sheaf"));
    assert_true(text_ends_with("prog.bc", ".bc"));
    assert_true(text_ends_with("prog.bc", ""));
    assert_false(text_ends_with("bc", ".bc"));
    assert_false(text_ends_with("prog.bcx", ".bc"));
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct Place {
    char dir[64];
    char path[100];
} Place;

static int place_make(void **state)
{
    Place *p = mem_zalloc(sizeof *p);
    strcpy(p->dir, "/tmp/sheaf-test-XXXXXX");
    if (!mkdtemp(p->dir))
        return -1;
    snprintf(p->path, sizeof p->path, "%s/file", p->dir);
    *state = p;
    return 0;
}

/* How many files are in the directory; removes them if asked to. */
static unsigned entries(const Place *p, bool clear)
{
    unsigned n = 0;
    DIR *dir = opendir(p->dir);
    for (struct dirent *e; (e = readdir(dir));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        n++;
        if (clear && unlinkat(dirfd(dir), e->d_name, 0))
            unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
    return n;
}

static int place_remove(void **state)
{
    Place *p = *state;
    entries(p, true);
    rmdir(p->dir);
    mem_free(p);
    return 0;
}

static void file_round_trip(void **state)
{
    Place *p = *state;
    Rng rng;
    rng_seed(&rng, 2);
    Str out = {0};
    str_add(&out, "to be replaced");
    static const size_t sizes[] = {0, 1, 4095, 65535, 65536, 65537, 300000};
    for (unsigned i = 0; i < COUNT_OF(sizes); i++) {
        char *data = mem_alloc(sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++)
            data[k] = (char)rng_next(&rng);
        assert_true(file_write_atomic(p->path, data, sizes[i]));
        assert_true(file_read(p->path, sizes[i], &out));
        assert_int_equal(out.n, sizes[i]);
        assert_memory_equal(out.v, data, sizes[i]);
        assert_int_equal(out.v[out.n], 0);
        if (sizes[i]) {
            errno = 0;
            assert_false(file_read(p->path, sizes[i] - 1, &out));
            assert_int_equal(errno, EFBIG);
            assert_int_equal(out.n, 0);
        }
        mem_free(data);
    }
    str_free(&out);
    assert_int_equal(entries(p, false), 1); /* nothing left beside it */
}

static void file_errors(void **state)
{
    Place *p = *state;
    Str out = {0};
    assert_false(file_exists(p->path));
    assert_false(file_read(p->path, 100, &out));
    assert_int_equal(errno, ENOENT);
    assert_false(file_read(p->dir, 100, &out));
    assert_int_equal(errno, EISDIR);
    assert_string_equal(str_text(&out), "");
    assert_false(file_read("/dev/zero", 100000, &out));
    assert_int_equal(errno, EFBIG);
    char below[200];
    snprintf(below, sizeof below, "%s/none/file", p->dir);
    assert_false(file_write_atomic(below, "x", 1));
    assert_int_equal(errno, ENOENT);
    assert_false(file_write_atomic(p->dir, "x", 1));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(entries(p, false), 0);
    assert_true(file_exists(p->dir));
    str_free(&out);
}

static void file_write_keeps_mode_and_link(void **state)
{
    Place *p = *state;
    char link[200];
    struct stat st;
    snprintf(link, sizeof link, "%s/link", p->dir);
    assert_true(file_write_atomic(p->path, "old", 3));
    assert_int_equal(chmod(p->path, 0640), 0);
    assert_int_equal(symlink("file", link), 0);
    assert_true(file_write_atomic(link, "newer", 5));
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(p->path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(st.st_size, 5);
    assert_int_equal(entries(p, false), 2);
}

/* A reader that opened the file before sees the old text to its end: the new one is another file. */
static void file_write_leaves_readers_alone(void **state)
{
    Place *p = *state;
    assert_true(file_write_atomic(p->path, "old text", 8));
    FILE *reader = fopen(p->path, "r");
    char text[20] = {0};
    assert_int_equal(fread(text, 1, 4, reader), 4);
    assert_true(file_write_atomic(p->path, "NEW", 3));
    rewind(reader);
    assert_int_equal(fread(text, 1, sizeof text, reader), 8);
    assert_string_equal(text, "old text");
    fclose(reader);
}

static void file_write_to_device(void **state)
{
    (void)state;
    struct stat st;
    assert_true(file_write_atomic("/dev/null", "x", 1));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_false(file_write_atomic("/dev/full", "x", 1));
    assert_int_equal(errno, ENOSPC);
}

/* Many files of one directory: whatever stood under either name is gone, a failure leaves nothing. */
static void file_write_in_directory(void **state)
{
    Place *p = *state;
    Str out = {0};
    int dir = open(p->dir, O_RDONLY | O_DIRECTORY);
    assert_true(dir >= 0);
    assert_true(file_write_atomic(p->path, "an older and longer text", 24));
    assert_true(file_write_at(dir, "left", "left2", "leftover of another", 19));
    assert_true(file_write_at(dir, "file", "left", "new", 3));
    assert_true(file_read(p->path, 10, &out));
    assert_string_equal(str_text(&out), "new");
    assert_int_equal(entries(p, false), 1);
    assert_false(file_write_at(dir, "none/file", "left", "x", 1));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(entries(p, false), 1);
    close(dir);
    str_free(&out);
}

/* Another writer's leftovers of the same process id do not stand in the way. */
static void file_write_beside_leftover(void **state)
{
    Place *p = *state;
    char leftover[200];
    snprintf(leftover, sizeof leftover, "%s.%ld-0.tmp", p->path, (long)getpid());
    assert_true(file_write_atomic(leftover, "mine", 4));
    assert_true(file_write_atomic(p->path, "x", 1));
    Str out = {0};
    assert_true(file_read(leftover, 10, &out));
    assert_string_equal(str_text(&out), "mine");
    str_free(&out);
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(str_building),
        cmocka_unit_test(str_printf_of_each_length),
        cmocka_unit_test(str_taking),
        cmocka_unit_test(u128_written),
        cmocka_unit_test(u128_parsed),
        cmocka_unit_test(u128_round_trip),
        cmocka_unit_test(distances),
        cmocka_unit_test(beginnings_and_ends),
        WITH_PLACE(file_round_trip),
        WITH_PLACE(file_errors),
        WITH_PLACE(file_write_keeps_mode_and_link),
        WITH_PLACE(file_write_leaves_readers_alone),
        cmocka_unit_test(file_write_to_device),
        WITH_PLACE(file_write_beside_leftover),
        WITH_PLACE(file_write_in_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
