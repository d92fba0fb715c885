/* test_suite.c - suite: tests as .ktest and JSON: bytes, round trips, KLEE's own files, hostile files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "suite/suite.h"
#include "suite/suite_int.h"

/* ---- samples --------------------------------------------------------------------------------- */

static SuiteTest *rich_test(void)
{
    SuiteTest *t = suite_test_new();
    vec_push(&t->argv, "prog");
    vec_push(&t->argv, "--sym-args"); /* a concrete word that looks like KLEE's */
    vec_push(&t->argv, "");
    SuiteObject *x = suite_test_add(t, SUITE_FROM_CALL, "x", "\x05\0\0\0", 4);
    x->of = "klee_int";
    x->type = (SuiteType){SUITE_INT, 4};
    suite_test_add(t, SUITE_FROM_ARGUMENT, "argv[3]", "ab\0", 3);
    suite_test_add(t, SUITE_FROM_ARGUMENT, "argv[4]", "\0\0\0", 3);
    suite_test_add(t, SUITE_FROM_STDIN, "stdin", "in\xff", 3);
    suite_test_add(t, SUITE_FROM_FILE, "in", "", 0)->of = "dir/in.txt";
    suite_test_add(t, SUITE_FROM_CALL, "stdin", "!", 1);
    suite_test_add(t, SUITE_FROM_CALL, "empty", "", 0);
    suite_test_add(t, SUITE_FROM_PARAMETER, "p", "\0\0\0\0\0\0\0\0", 8)->type = (SuiteType){SUITE_POINTER, 8};
    suite_test_add(t, SUITE_FROM_POINTEE, "*p", "0123456789abcdef", 16);
    suite_test_add(t, SUITE_FROM_GLOBAL, "g", "\x01", 1)->type = (SuiteType){SUITE_BOOL, 1};
    suite_test_add(t, SUITE_FROM_FUZZ, "Data", "", 0);
    vec_push(&t->links, (SuiteLink){7, 0, 8, 0});
    vec_push(&t->links, (SuiteLink){8, 8, 8, 4});
    vec_push(&t->inputs, "a.c");
    vec_push(&t->flags, "-DX=\"\xc3\xa4\"");
    vec_push(&t->flags, "-DY=\xff");
    vec_push(&t->checks, "overflow");
    t->entry = "f";
    t->ending = SUITE_END_FAULT;
    t->fault = "oob-write";
    t->site = "a.c:88:5";
    t->function = "push";
    t->message = "1 byte past `stack`";
    t->status = -3;
    return t;
}

static void same_texts(const StrVec *a, const StrVec *b)
{
    assert_int_equal(a->n, b->n);
    for (uint32_t i = 0; i < a->n; i++)
        assert_string_equal(a->v[i], b->v[i]);
}

static void same_inputs(const SuiteTest *a, const SuiteTest *b)
{
    same_texts(&a->argv, &b->argv);
    assert_int_equal(a->objects.n, b->objects.n);
    for (uint32_t i = 0; i < a->objects.n; i++) {
        const SuiteObject *x = &a->objects.v[i], *y = &b->objects.v[i];
        assert_int_equal(x->origin, y->origin);
        assert_int_equal(x->size, y->size);
        assert_memory_equal(x->data, y->data, x->size);
    }
    assert_int_equal(a->links.n, b->links.n);
    if (a->links.n)
        assert_memory_equal(a->links.v, b->links.v, a->links.n * sizeof *a->links.v);
}

static SuiteTest *read_ktest(const void *data, size_t size)
{
    const char *error;
    SuiteTest *t = suite_ktest_read(data, size, &error);
    if (!t)
        fail_msg("%s", error);
    return t;
}

static SuiteTest *read_json(const char *text, size_t size)
{
    Arena *a = arena_new();
    const char *error;
    SuiteTest *t = suite_json_read(a, text, size, &error);
    if (!t)
        fail_msg("%s", error);
    arena_free(a);
    return t;
}

/* ---- .ktest ---------------------------------------------------------------------------------- */

#define GOLDEN                          \
    "KTEST\0\0\0\3"                     \
    "\0\0\0\2\0\0\0\4prog\0\0\0\2-v"    \
    "\0\0\0\0\0\0\0\0"                  \
    "\0\0\0\2"                          \
    "\0\0\0\1x\0\0\0\4\xef\xbe\xad\xde" \
    "\0\0\0\3buf\0\0\0\2hi"

static void ktest_golden(void **state)
{
    (void)state;
    SuiteTest *t = suite_test_new();
    Str out = {0};
    vec_push(&t->argv, "prog");
    vec_push(&t->argv, "-v");
    suite_test_add(t, SUITE_FROM_CALL, "x", "\xef\xbe\xad\xde", 4);
    suite_test_add(t, SUITE_FROM_CALL, "buf", "hi", 2);
    suite_ktest_write(t, &out);
    assert_int_equal(out.n, sizeof GOLDEN - 1);
    assert_memory_equal(out.v, GOLDEN, sizeof GOLDEN - 1);
    SuiteTest *back = read_ktest(GOLDEN, sizeof GOLDEN - 1);
    same_inputs(t, back);
    assert_string_equal(back->objects.v[1].name, "buf");
    assert_int_equal(back->ending, SUITE_END_UNKNOWN);
    suite_test_free(t);
    suite_test_free(back);
    str_free(&out);
}

static void ktest_round_trip(void **state)
{
    (void)state;
    SuiteTest *t = rich_test();
    Str once = {0}, twice = {0};
    suite_ktest_write(t, &once);
    SuiteTest *back = read_ktest(once.v, once.n);
    same_inputs(t, back);
    assert_string_equal(back->objects.v[4].of, "dir/in.txt");
    suite_ktest_write(back, &twice);
    assert_int_equal(once.n, twice.n);
    assert_memory_equal(once.v, twice.v, once.n);
    suite_test_free(t);
    suite_test_free(back);
    str_free(&once);
    str_free(&twice);
}

static uint32_t big_endian(const char *p)
{
    const uint8_t *u = (const uint8_t *)p;
    return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

/* KLEE's reader fails on them. */
static void ktest_nothing_empty(void **state)
{
    (void)state;
    SuiteTest *t = rich_test();
    Str out = {0};
    suite_ktest_write(t, &out);
    const char *p = out.v + 9, *end = out.v + out.n;
    uint32_t words = big_endian(p);
    for (p += 4; words; words--) {
        assert_true(big_endian(p) > 0);
        p += 4 + big_endian(p);
    }
    p += 8;
    uint32_t objects = big_endian(p);
    for (p += 4; objects; objects--)
        for (int part = 0; part < 2; part++) {
            assert_true(big_endian(p) > 0);
            p += 4 + big_endian(p);
        }
    assert_ptr_equal(p, end);
    suite_test_free(t);
    str_free(&out);
}

/* Written as KLEE does: symbolic arguments between concrete ones, files and standard input with stat
 * objects. */
static void add_u32(Str *s, uint32_t x)
{
    char bytes[4] = {(char)(x >> 24), (char)(x >> 16), (char)(x >> 8), (char)x};
    str_add_n(s, bytes, 4);
}

static void add_text(Str *s, const char *text, size_t n)
{
    add_u32(s, (uint32_t)n);
    str_add_n(s, text, n);
}

static void ktest_of_klee(void **state)
{
    (void)state;
    static const char *const words[] = {"prog.bc",    "-x", "--sym-arg",   "3", "file", "-sym-args",   "0",
                                        "2",          "4",  "--sym-files", "1", "8",    "--sym-stdin", "8",
                                        "--max-fail", "1"};
    char stat[144] = {0};
    Str k = {0};
    stat[48] = 3; /* KLEE sets the size afterwards: what stands here means nothing */
    str_add(&k, "BOUT\n");
    add_u32(&k, 3);
    add_u32(&k, COUNT_OF(words));
    for (size_t i = 0; i < COUNT_OF(words); i++)
        add_text(&k, words[i], strlen(words[i]));
    add_u32(&k, 0);
    add_u32(&k, 0);
    add_u32(&k, 9);
    add_text(&k, "arg00", 5), add_text(&k, "abc\0", 4);
    add_text(&k, "n_args", 6), add_text(&k, "\1\0\0\0", 4);
    add_text(&k, "arg01", 5), add_text(&k, "de\0\0\0", 5);
    add_text(&k, "A_data", 6), add_text(&k, "12345678", 8);
    add_text(&k, "A_data_stat", 11), add_text(&k, stat, sizeof stat);
    add_text(&k, "stdin", 5), add_text(&k, "input!!!", 8);
    add_text(&k, "stdin_stat", 10), add_text(&k, stat, sizeof stat);
    add_text(&k, "model_version", 13), add_text(&k, "\1\0\0\0", 4);
    add_text(&k, "x", 1), add_text(&k, "\7", 1);
    SuiteTest *t = read_ktest(k.v, k.n);
    StrVec seen = {0}, want = {0};
    vec_push(&want, "prog.bc");
    vec_push(&want, "-x");
    vec_push(&want, "abc");
    vec_push(&want, "file");
    vec_push(&want, "de");
    suite_test_words(t, &seen);
    same_texts(&want, &seen);
    assert_int_equal(t->objects.n, 3);
    assert_int_equal(t->objects.v[0].origin, SUITE_FROM_FILE);
    assert_string_equal(t->objects.v[0].of, "A");
    assert_int_equal(t->objects.v[0].size, 8);
    assert_int_equal(t->objects.v[1].origin, SUITE_FROM_STDIN);
    assert_int_equal(t->objects.v[1].size, 8);
    assert_string_equal(t->objects.v[2].name, "x");
    suite_test_free(t);
    vec_free(&seen);
    vec_free(&want);
    str_free(&k);
}

static void expect_refused(const void *data, size_t size, const char *why)
{
    const char *error = NULL;
    assert_null(suite_ktest_read(data, size, &error));
    assert_string_equal(error, why);
}

static void ktest_refused(void **state)
{
    (void)state;
    char text[sizeof GOLDEN];
    expect_refused("", 0, "not a .ktest file");
    expect_refused("KTESX\0\0\0\3", 9, "not a .ktest file");
    expect_refused("KTEST\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 25,
                   "a version of .ktest that is not known");
    expect_refused("KTEST\0\0\0\3\xff\xff\xff\xff", 13, "more words than the file can hold");
    expect_refused("KTEST\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0", 25,
                   "more objects than the file can hold");
    expect_refused(GOLDEN "!", sizeof GOLDEN, "bytes behind its end");
    memcpy(text, GOLDEN, sizeof GOLDEN);
    text[18] = 0; /* within "prog" */
    expect_refused(text, sizeof GOLDEN - 1, "a string with a NUL in it");
    for (size_t n = 5; n < sizeof GOLDEN - 1; n++) {
        const char *error = NULL;
        assert_null(suite_ktest_read(GOLDEN, n, &error));
        assert_non_null(error);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_round_trip(void **state)
{
    (void)state;
    SuiteTest *t = rich_test();
    Str once = {0}, twice = {0};
    suite_json_write(t, &once);
    SuiteTest *back = read_json(once.v, once.n);
    same_inputs(t, back);
    same_texts(&t->inputs, &back->inputs);
    same_texts(&t->flags, &back->flags);
    same_texts(&t->checks, &back->checks);
    assert_string_equal(back->objects.v[0].of, "klee_int");
    assert_string_equal(back->objects.v[1].name, "argv[3]");
    assert_int_equal(back->objects.v[0].type.kind, SUITE_INT);
    assert_int_equal(back->objects.v[0].type.element, 4);
    assert_int_equal(back->ending, SUITE_END_FAULT);
    assert_string_equal(back->fault, "oob-write");
    assert_string_equal(back->site, "a.c:88:5");
    assert_string_equal(back->function, "push");
    assert_string_equal(back->message, t->message);
    assert_int_equal(back->status, -3);
    assert_string_equal(back->entry, "f");
    suite_json_write(back, &twice);
    assert_string_equal(str_text(&once), str_text(&twice));
    suite_test_free(t);
    suite_test_free(back);
    str_free(&once);
    str_free(&twice);
}

static void expect_json_refused(const char *text, const char *why)
{
    Arena *a = arena_new();
    const char *error = NULL;
    SuiteTest *t = suite_json_read(a, text, strlen(text), &error);
    assert_null(t);
    if (!strstr(error, why))
        fail_msg("%s: said '%s', expected '%s'", text, error, why);
    arena_free(a);
}

static void json_refused(void **state)
{
    (void)state;
    expect_json_refused("{", "line 1");
    expect_json_refused("[]", "no test of Sheaf's");
    expect_json_refused("{\"tests\": 3}", "no test of Sheaf's");
    expect_json_refused("{\"sheaf_test\": 2}", "version");
    expect_json_refused("{\"sheaf_test\": 1}", "\"objects\" must be");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [{}]}", "\"name\"");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [3]}", "\"name\"");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [{\"name\": \"x\"}]}", "\"hex\"");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [{\"name\": \"x\", \"hex\": \"0\"}]}", "\"hex\"");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [{\"name\": \"x\", \"hex\": \"0g\"}]}", "\"hex\"");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [{\"name\": \"x\", \"hex\": \"00\", \"size\": 2}]}",
                        "do not agree");
    expect_json_refused(
        "{\"sheaf_test\": 1, \"objects\": [{\"name\": \"x\", \"hex\": \"00\", \"origin\": \"moon\"}]}",
        "\"origin\"");
    expect_json_refused(
        "{\"sheaf_test\": 1, \"objects\": [{\"name\": \"x\", \"hex\": \"00\", \"type\": \"moon\"}]}",
        "\"type\"");
    expect_json_refused(
        "{\"sheaf_test\": 1, \"objects\": [{\"name\": \"x\", \"hex\": \"00\", \"element\": 256}]}",
        "out of range");
    expect_json_refused(
        "{\"sheaf_test\": 1, \"objects\": [{\"name\": \"f\", \"hex\": \"00\", \"origin\": \"file\"}]}",
        "\"of\"");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [], \"argv\": 1}", "arrays");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [], \"argv\": [1]}", "text must be");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [], \"argv\": [\"a\\u0000b\"]}", "NUL");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [], \"links\": [[1, 2, 3]]}", "four numbers");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [], \"links\": [[0, 0, 0, 0]]}",
                        "leaves its object");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [], \"links\": [[-1, 0, 0, 0]]}", "out of range");
    expect_json_refused("{\"sheaf_test\": 1, \"objects\": [], \"ending\": {\"how\": \"fall\"}}", "\"how\"");
    expect_json_refused(
        "{\"sheaf_test\": 1, \"objects\": [], \"ending\": {\"how\": \"fault\", \"kind\": \"x\"}}",
        "\"kind\"");
    expect_json_refused(
        "{\"sheaf_test\": 1, \"objects\": [], \"ending\": {\"how\": \"exit\", \"status\": 4294967296}}",
        "\"status\"");
}

/* ---- hostile files --------------------------------------------------------------------------- */

/* Whatever the bytes: a test that every writer takes, or an error. */
static void feed(const char *data, size_t size, bool json)
{
    Arena *a = arena_new();
    const char *error = NULL;
    Str out = {0};
    SuiteTest *t = json ? suite_json_read(a, data, size, &error) : suite_ktest_read(data, size, &error);
    assert_true(!t == (error != NULL));
    if (t) {
        suite_test_print(t, &out);
        suite_xml_write(t, &out);
        suite_json_write(t, &out);
        suite_ktest_write(t, &out);
        SuiteTest *again = suite_ktest_read(out.v, out.n, &error);
        assert_non_null(again);
        suite_test_free(again);
    }
    suite_test_free(t);
    str_free(&out);
    arena_free(a);
}

static void hostile(bool json)
{
    SuiteTest *t = rich_test();
    Str text = {0};
    Rng rng;
    if (json)
        suite_json_write(t, &text);
    else
        suite_ktest_write(t, &text);
    suite_test_free(t);
    for (uint32_t n = 0; n <= text.n; n++)
        feed(text.v, n, json);
    for (uint32_t bit = 0; bit < text.n * 8; bit++) {
        text.v[bit / 8] ^= (char)(1 << bit % 8);
        feed(text.v, text.n, json);
        text.v[bit / 8] ^= (char)(1 << bit % 8);
    }
    rng_seed(&rng, 7);
    for (int round = 0; round < 2000; round++) {
        char *copy = mem_alloc(text.n); /* exactly, so that a sanitizer sees a read beyond it */
        memcpy(copy, text.v, text.n);
        for (uint64_t k = 1 + rng_below(&rng, 8); k; k--)
            copy[rng_below(&rng, text.n)] = (char)rng_next(&rng);
        feed(copy, text.n, json);
        mem_free(copy);
    }
    str_free(&text);
}

static void hostile_ktest(void **state)
{
    (void)state;
    hostile(false);
}

static void hostile_json(void **state)
{
    (void)state;
    hostile(true);
}

/* ---- values and print ------------------------------------------------------------------------ */

static void value_is(SuiteType type, const void *data, size_t size, uint32_t index, const char *want)
{
    SuiteTest *t = suite_test_new();
    Str out = {0};
    suite_test_add(t, SUITE_FROM_CALL, "x", data, size)->type = type;
    assert_true(suite_object_value(&t->objects.v[0], index, &out));
    assert_string_equal(str_text(&out), want);
    suite_test_free(t);
    str_free(&out);
}

static void values(void **state)
{
    (void)state;
    double half = 0.5;
    float third = 1.0f / 3;
    value_is((SuiteType){SUITE_INT, 4}, "\xff\xff\xff\xff", 4, 0, "-1");
    value_is((SuiteType){SUITE_UINT, 4}, "\xff\xff\xff\xff", 4, 0, "4294967295");
    value_is((SuiteType){SUITE_INT, 2}, "\1\0\0\x80", 4, 1, "-32768");
    value_is((SuiteType){SUITE_INT, 0}, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, 0, "-1");
    value_is((SuiteType){SUITE_INT, 16}, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 16, 0,
             "-170141183460469231731687303715884105728");
    value_is((SuiteType){SUITE_CHAR, 1}, "a'\n", 3, 0, "'a'");
    value_is((SuiteType){SUITE_CHAR, 1}, "a'\n", 3, 1, "'\\''");
    value_is((SuiteType){SUITE_CHAR, 1}, "a'\n", 3, 2, "'\\n'");
    value_is((SuiteType){SUITE_CHAR, 1}, "\0", 1, 0, "'\\0'");
    value_is((SuiteType){SUITE_BOOL, 1}, "\1", 1, 0, "1");
    value_is((SuiteType){SUITE_FLOAT, 8}, &half, 8, 0, "0.5");
    value_is((SuiteType){SUITE_FLOAT, 4}, &third, 4, 0, "0.333333343");
    value_is((SuiteType){SUITE_POINTER, 8}, "\0\0\0\0\0\0\0\0", 8, 0, "NULL");
    value_is((SuiteType){SUITE_INT, 4}, "\1\2\3", 3, 2, "3"); /* no whole number of elements: bytes */
}

static void printed(void **state)
{
    (void)state;
    SuiteTest *t = rich_test();
    Str out = {0};
    suite_test_print(t, &out);
    assert_string_equal(str_text(&out),
                        "program  a.c\n"
                        "flags    -DX=\\\"\\303\\244\\\" -DY=\\377\n"
                        "checks   overflow\n"
                        "entry    f\n"
                        "argv     \"prog\" \"--sym-args\" \"\" \"ab\" \"\"\n"
                        "inputs   11\n"
                        "  x        5   (4 bytes, call klee_int)\n"
                        "  argv[3]  \"ab\\000\"   (3 bytes, argument)\n"
                        "  argv[4]  \"\\000\\000\\000\"   (3 bytes, argument)\n"
                        "  stdin    \"in\\377\"   (3 bytes, stdin)\n"
                        "  in       empty   (0 bytes, file dir/in.txt)\n"
                        "  stdin#2  \"!\"  21  int 33   (1 byte)\n"
                        "  empty    empty   (0 bytes)\n"
                        "  p        -> *p   (8 bytes, parameter)\n"
                        "  *p       \"01234567\\000\\000\\000\\000\\000\\000\\000\\000\"  [8] -> *p + 4   "
                        "(16 bytes, pointee)\n"
                        "  g        1   (1 byte, global)\n"
                        "  Data     empty   (0 bytes, fuzz)\n"
                        "ending   fault oob-write at a.c:88:5 in push: 1 byte past `stack`\n");
    suite_test_free(t);
    str_free(&out);
}

/* ---- packed ---------------------------------------------------------------------------------- */

static void same_json(const SuiteTest *a, const SuiteTest *b)
{
    Str x = {0}, y = {0};
    suite_json_write(a, &x);
    suite_json_write(b, &y);
    assert_string_equal(str_text(&x), str_text(&y));
    str_free(&x);
    str_free(&y);
}

static SuiteTest *packed_again(const SuiteTest *t, const SuiteTest *base, size_t *size)
{
    Str bytes = {0};
    suite_test_pack(t, base, &bytes);
    *size = bytes.n;
    SuiteTest *again = suite_test_unpack(str_text(&bytes), bytes.n, base);
    assert_non_null(again);
    str_free(&bytes);
    return again;
}

static void pack(void **state)
{
    (void)state;
    size_t whole, alike, less;
    SuiteTest *base = rich_test(), *other = rich_test();
    base->objects.v[0].fields = &(SuiteField){0, 32, SUITE_INT, "x.y"};
    base->objects.v[0].nfields = 1;
    base->covers_error = true;
    SuiteTest *again = packed_again(base, NULL, &whole);
    same_json(base, again);
    assert_true(again->covers_error);
    SuiteTest *twice = packed_again(base, again, &alike);
    same_json(base, twice);
    assert_true(alike * 3 < whole); /* what is as in the base takes no place */
    other->objects.v[3].size = 2;
    other->objects.n -= 2; /* fewer than the base has */
    other->flags.n--;
    other->ending = SUITE_END_EXIT;
    other->fault = "";
    SuiteTest *differs = packed_again(other, again, &less);
    same_json(other, differs);
    assert_int_equal(differs->objects.v[0].nfields, 0);
    suite_test_free(base), suite_test_free(other), suite_test_free(again);
    suite_test_free(twice), suite_test_free(differs);
}

/* Every shorter one is refused; with one byte changed, it is refused or a test. */
static void pack_damaged(void **state)
{
    (void)state;
    SuiteTest *base = rich_test(), *other = rich_test();
    other->objects.v[0].data = (const uint8_t *)"\x06\0\0\0";
    for (int whole = 0; whole < 2; whole++) {
        Str bytes = {0};
        suite_test_pack(other, whole ? NULL : base, &bytes);
        for (uint32_t n = 0; n < bytes.n; n++)
            assert_null(suite_test_unpack(str_text(&bytes), n, base));
        for (uint32_t i = 0; i < bytes.n; i++)
            for (int bit = 0; bit < 8; bit++) {
                bytes.v[i] ^= (char)(1 << bit);
                SuiteTest *t = suite_test_unpack(str_text(&bytes), bytes.n, base);
                if (t) {
                    Str text = {0};
                    suite_test_print(t, &text);
                    str_free(&text);
                }
                suite_test_free(t);
                bytes.v[i] ^= (char)(1 << bit);
            }
        str_free(&bytes);
    }
    suite_test_free(base), suite_test_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ktest_golden),
        cmocka_unit_test(ktest_round_trip),
        cmocka_unit_test(ktest_nothing_empty),
        cmocka_unit_test(ktest_of_klee),
        cmocka_unit_test(ktest_refused),
        cmocka_unit_test(json_round_trip),
        cmocka_unit_test(json_refused),
        cmocka_unit_test(hostile_ktest),
        cmocka_unit_test(hostile_json),
        cmocka_unit_test(values),
        cmocka_unit_test(printed),
        cmocka_unit_test(pack),
        cmocka_unit_test(pack_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
