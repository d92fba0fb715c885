/* test_base_json.c - base: the JSON writer and reader, alone and against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

/* ---- writing --------------------------------------------------------------------------------- */

static void write_sample(JsonOut *j)
{
    json_object_begin(j, NULL);
    json_string(j, "name", "a \"b\"\\\n\x01\x7f");
    json_int(j, "low", INT64_MIN);
    json_uint(j, "high", UINT64_MAX);
    json_double(j, "ratio", 0.1);
    json_double(j, "none", NAN);
    json_bool(j, "yes", true);
    json_string(j, "nothing", NULL);
    json_hex(j, "bytes", "\x00\xff\x1a", 3);
    json_object_begin(j, "empty");
    json_object_end(j);
    json_array_begin(j, "list");
    json_int(j, NULL, 1);
    json_array_begin(j, NULL);
    json_array_end(j);
    json_object_begin(j, NULL);
    json_bool(j, "no", false);
    json_object_end(j);
    json_array_end(j);
    json_object_end(j);
}

static void writer_indented(void **state)
{
    (void)state;
    JsonOut j = {0};
    write_sample(&j);
    assert_string_equal(str_text(&j.text), "{\n"
                                           "  \"name\": \"a \\\"b\\\"\\\\\\n\\u0001\\u007f\",\n"
                                           "  \"low\": -9223372036854775808,\n"
                                           "  \"high\": 18446744073709551615,\n"
                                           "  \"ratio\": 0.1,\n"
                                           "  \"none\": null,\n"
                                           "  \"yes\": true,\n"
                                           "  \"nothing\": null,\n"
                                           "  \"bytes\": \"00ff1a\",\n"
                                           "  \"empty\": {},\n"
                                           "  \"list\": [\n"
                                           "    1,\n"
                                           "    [],\n"
                                           "    {\n"
                                           "      \"no\": false\n"
                                           "    }\n"
                                           "  ]\n"
                                           "}");
    str_free(&j.text);
}

static void writer_compact_lines(void **state)
{
    (void)state;
    JsonOut j = {.compact = true};
    json_object_begin(&j, NULL);
    json_int(&j, "a", 1);
    json_array_begin(&j, "b");
    json_int(&j, NULL, 2);
    json_int(&j, NULL, 3);
    json_array_end(&j);
    json_object_end(&j);
    json_object_begin(&j, NULL);
    json_object_end(&j);
    str_add_char(&j.text, '\n');
    json_int(&j, NULL, 4);
    assert_string_equal(str_text(&j.text), "{\"a\":1,\"b\":[2,3]}\n{}\n4");
    str_free(&j.text);
}

static void writer_mends_utf8(void **state)
{
    (void)state;
#define BAD "\xef\xbf\xbd"
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"\xe2\x82\xac\xf0\x9f\x8c\xbe", "\xe2\x82\xac\xf0\x9f\x8c\xbe"},
        {"\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80", "\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80"},
        {"a\xff"
         "b\x80",
         "a" BAD "b" BAD},
        {"\xc3", BAD},
        {"\xe2\x82", BAD BAD},
        {"\xc0\x80", BAD BAD}, /* overlong */
        {"\xe0\x9f\xbf", BAD BAD BAD},
        {"\xf0\x8f\xbf\xbf", BAD BAD BAD BAD},
        {"\xed\xa0\x80", BAD BAD BAD},         /* a surrogate */
        {"\xf4\x90\x80\x80", BAD BAD BAD BAD}, /* beyond U+10FFFF */
        {"\xf5\x80\x80\x80", BAD BAD BAD BAD},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        JsonOut j = {0};
        Str wanted = {0};
        json_string(&j, NULL, cases[i].in);
        str_printf(&wanted, "\"%s\"", cases[i].out);
        assert_string_equal(str_text(&j.text), str_text(&wanted));
        str_free(&j.text);
        str_free(&wanted);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* From a block of exactly this size, so that the sanitizer sees a read past the end. */
static Json *parse_n(Arena *a, const char *text, size_t size, const char **error)
{
    char *block = mem_alloc(size);
    memcpy(block, text, size);
    Json *value = json_parse(a, block, size, error);
    mem_free(block);
    assert_int_equal(value == NULL, *error != NULL);
    return value;
}

static void reader_values(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *error;
    const char text[] =
        " {\"n\" : null, \"t\":true,\"f\":false , \"i\":-12,\n\t\"d\":1.5e2,\"s\":\"a\\u0000b\\u20ac\\ud83c"
        "\\udf3e\\/\", \"l\":[1,[2],{}], \"\":\"empty\", \"n\":7}\r\n";
    const Json *v = parse_n(a, text, sizeof text - 1, &error);
    assert_non_null(v);
    assert_int_equal(v->kind, JSON_OBJECT);
    assert_int_equal(v->count, 9);
    assert_int_equal(json_member(v, "n")->kind, JSON_NULL); /* the first of two */
    assert_true(json_member(v, "t")->boolean);
    assert_false(json_member(v, "f")->boolean);
    assert_int_equal(json_member(v, "f")->kind, JSON_BOOL);
    assert_int_equal(json_integer(json_member(v, "i"), 0), -12);
    assert_true(json_member(v, "i")->is_integer);
    assert_string_equal(json_member(v, "i")->string, "-12");
    assert_true(json_member(v, "d")->number == 150);
    assert_false(json_member(v, "d")->is_integer);
    assert_int_equal(json_member(v, "d")->integer, 150);
    const Json *s = json_member(v, "s");
    assert_int_equal(s->string_size, 11);
    assert_memory_equal(s->string, "a\0b\xe2\x82\xac\xf0\x9f\x8c\xbe/", 12);
    const Json *list = json_member(v, "l");
    assert_int_equal(list->count, 3);
    assert_int_equal(list->first->next->first->integer, 2);
    assert_int_equal(list->first->next->next->kind, JSON_OBJECT);
    assert_null(list->first->next->next->next);
    assert_string_equal(json_text(json_member(v, ""), NULL), "empty");
    assert_null(json_member(v, "none"));
    assert_null(json_member(list, "n"));
    assert_null(json_member(NULL, "n"));
    assert_string_equal(json_text(NULL, "else"), "else");
    assert_string_equal(json_text(list, "else"), "else");
    assert_int_equal(json_integer(NULL, 5), 5);
    assert_int_equal(json_integer(s, 5), 5);
    arena_free(a);
}

static void reader_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
        int64_t integer;
        bool is_integer;
    } cases[] = {
        {"0", 0, 0, true},
        {"-0", 0, 0, true},
        {"9223372036854775807", 0x1p63, INT64_MAX, true},
        {"-9223372036854775808", -0x1p63, INT64_MIN, true},
        {"9223372036854775808", 0x1p63, INT64_MAX, false},
        {"-9223372036854775809", -0x1p63, INT64_MIN, false},
        {"1e18", 1e18, 1000000000000000000, false},
        {"1e300", 1e300, INT64_MAX, false},
        {"-1e300", -1e300, INT64_MIN, false},
        {"-2.75", -2.75, -2, false},
        {"1E+2", 100, 100, false},
        {"1e-400", 0, 0, false},
        {"1.7976931348623157e308", 1.7976931348623157e308, INT64_MAX, false},
    };
    Arena *a = arena_new();
    const char *error;
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        const Json *v = parse_n(a, cases[i].text, strlen(cases[i].text), &error);
        assert_non_null(v);
        assert_true(v->number == cases[i].number);
        assert_int_equal(v->integer, cases[i].integer);
        assert_int_equal(v->is_integer, cases[i].is_integer);
    }
    arena_free(a);
}

static void reader_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "line 1: expected a value, found the end"},
        {" \n ", "line 2: expected a value, found the end"},
        {"{", "line 1: expected a string, found the end"},
        {"[", "line 1: expected a value, found the end"},
        {"]", "line 1: expected a value"},
        {"[1,]", "line 1: expected a value"},
        {"[,1]", "line 1: expected a value"},
        {"[1 2]", "line 1: expected ',' or ']'"},
        {"[1}", "line 1: expected ',' or ']'"},
        {"{\"a\":1,}", "line 1: expected a string"},
        {"{\"a\"\n\n1}", "line 3: expected ':'"},
        {"{a:1}", "line 1: expected a string"},
        {"{\"a\":1 \"b\":2}", "line 1: expected ',' or '}'"},
        {"{\"a\\u0000b\":1}", "line 1: a member name with a NUL in it"},
        {"1 2", "line 1: expected nothing more"},
        {"{}x", "line 1: expected nothing more"},
        {"tru", "line 1: expected a value"},
        {"truE", "line 1: expected a value"},
        {"nulll", "line 1: expected nothing more"},
        {"NaN", "line 1: expected a value"},
        {"Infinity", "line 1: expected a value"},
        {"01", "line 1: expected nothing more"},
        {"-", "line 1: expected a value, found the end"},
        {"+1", "line 1: expected a value"},
        {".5", "line 1: expected a value"},
        {"1.", "line 1: expected a digit, found the end"},
        {"1.e5", "line 1: expected a digit"},
        {"1e", "line 1: expected a digit, found the end"},
        {"1e+", "line 1: expected a digit, found the end"},
        {"1e+-1", "line 1: expected a digit"},
        {"0x10", "line 1: expected nothing more"},
        {"1e999", "line 1: a number beyond the range of double, found the end"},
        {"\"", "line 1: expected '\"', found the end"},
        {"\"abc", "line 1: expected '\"', found the end"},
        {"\"\\", "line 1: no such escape, found the end"},
        {"\"\\\"", "line 1: expected '\"', found the end"},
        {"\"\\x41\"", "line 1: no such escape"},
        {"\"\\'\"", "line 1: no such escape"},
        {"\"\\u\"", "line 1: expected four hexadecimal digits behind \\u"},
        {"\"\\u12", "line 1: expected four hexadecimal digits behind \\u, found the end"},
        {"\"\\u12g4\"", "line 1: expected four hexadecimal digits behind \\u"},
        {"\"\\u+123\"", "line 1: expected four hexadecimal digits behind \\u"},
        {"\"\\ud800\"", "line 1: a high surrogate without its low one"},
        {"\"\\ud800x\"", "line 1: a high surrogate without its low one"},
        {"\"\\ud800\\n\"", "line 1: a high surrogate without its low one"},
        {"\"\\ud800\\ud800\"", "line 1: a high surrogate without its low one"},
        {"\"\\ud800\\u\"", "line 1: expected four hexadecimal digits behind \\u"},
        {"\"\\udc00\"", "line 1: a low surrogate without its high one"},
        {"\"\\ud800\\u0041\"", "line 1: a high surrogate without its low one"},
        {"\"a\nb\"", "line 1: a control character in a string"},
        {"\"\x1f\"", "line 1: a control character in a string"},
        {"\"\xff\"", "line 1: a string that is not UTF-8"},
        {"\"\xc3\"", "line 1: a string that is not UTF-8"},
        {"\"\xed\xa0\x80\"", "line 1: a string that is not UTF-8"},
        {"\xef\xbb\xbf{}", "line 1: expected a value"},
        {"// c\n1", "line 1: expected a value"},
        {"'a'", "line 1: expected a value"},
        {"\f1", "line 1: expected a value"},
    };
    Arena *a = arena_new();
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        const char *error = NULL;
        if (parse_n(a, cases[i].text, strlen(cases[i].text), &error))
            fail_msg("accepted: %s", cases[i].text);
        assert_string_equal(error, cases[i].error);
    }
    const char *error;
    assert_null(parse_n(a, "1\0", 2, &error));
    assert_null(parse_n(a, "\"a\0b\"", 5, &error));
    assert_null(json_parse(a, "]", 1, NULL));
    arena_free(a);
}

static void reader_bounds_nesting(void **state)
{
    (void)state;
    for (int objects = 0; objects < 2; objects++)
        for (uint32_t depth = 1; depth <= 1000000;
             depth = depth < 250 || depth > 260 ? depth * 2 : depth + 1) {
            Arena *a = arena_new();
            Str text = {0};
            for (uint32_t i = 0; i < depth; i++)
                str_add(&text, objects ? "{\"k\":" : "[");
            str_add_char(&text, '1');
            for (uint32_t i = 0; i < depth; i++)
                str_add_char(&text, objects ? '}' : ']');
            const char *error;
            bool ok = parse_n(a, text.v, text.n, &error);
            assert_int_equal(ok, depth <= 256);
            if (!ok)
                assert_string_equal(error, "line 1: nested too deeply");
            str_free(&text);
            arena_free(a);
        }
}

static void reader_long_numbers(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Str text = {0};
    const char *error;
    str_add(&text, "0.");
    for (int i = 0; i < 1000000; i++)
        str_add_char(&text, '3');
    const Json *v = parse_n(a, text.v, text.n, &error);
    assert_true(v && v->number == 1.0 / 3);
    vec_clear(&text);
    for (int i = 0; i < 1000000; i++)
        str_add_char(&text, '9');
    assert_null(parse_n(a, text.v, text.n, &error));
    assert_null(parse_n(a, "1e99999999999999999999999", 25, &error));
    v = parse_n(a, "1e-99999999999999999999999", 26, &error);
    assert_true(v && v->number == 0);
    str_free(&text);
    arena_free(a);
}

/* ---- both ------------------------------------------------------------------------------------ */

static void copy_out(JsonOut *j, const Json *v)
{
    switch (v->kind) {
    case JSON_NULL: json_string(j, v->key, NULL); break;
    case JSON_BOOL: json_bool(j, v->key, v->boolean); break;
    case JSON_NUMBER:
        if (v->is_integer)
            json_int(j, v->key, v->integer);
        else
            json_double(j, v->key, v->number);
        break;
    case JSON_STRING: json_string_n(j, v->key, v->string, v->string_size); break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        (v->kind == JSON_ARRAY ? json_array_begin : json_object_begin)(j, v->key);
        for (const Json *child = v->first; child; child = child->next)
            copy_out(j, child);
        (v->kind == JSON_ARRAY ? json_array_end : json_object_end)(j);
    }
}

/* A random value; the strings are of any bytes. */
static void random_value(Rng *rng, JsonOut *j, const char *key, unsigned depth)
{
    char text[12];
    union {
        uint64_t bits;
        double value;
    } number = {rng_next(rng)};
    size_t size = rng_below(rng, sizeof text);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)(rng_below(rng, 2) ? rng_next(rng) : 0x20 + rng_below(rng, 0x60));
    uint64_t children = rng_below(rng, 6);
    switch (rng_below(rng, depth < 6 ? 8 : 5)) {
    case 0: json_string(j, key, NULL); break;
    case 1: json_bool(j, key, rng_below(rng, 2)); break;
    case 2: json_int(j, key, (int64_t)rng_next(rng) >> rng_below(rng, 64)); break;
    case 3: json_double(j, key, number.value); break;
    case 4: json_string_n(j, key, text, size); break;
    case 5:
        json_array_begin(j, key);
        while (children--)
            random_value(rng, j, NULL, depth + 1);
        json_array_end(j);
        break;
    default:
        json_object_begin(j, key);
        while (children--) {
            char name[4] = {(char)(1 + rng_below(rng, 255)), (char)rng_below(rng, 256)};
            random_value(rng, j, name, depth + 1);
        }
        json_object_end(j);
    }
}

static void round_trip(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 11);
    for (int round = 0; round < 3000; round++) {
        Arena *a = arena_new();
        JsonOut out = {.compact = round & 1}, again = {.compact = round & 1};
        const char *error;
        random_value(&rng, &out, NULL, 0);
        const Json *v = parse_n(a, out.text.v, out.text.n, &error);
        if (!v)
            fail_msg("%s: %s", error, out.text.v);
        copy_out(&again, v);
        assert_string_equal(out.text.v, again.text.v);
        str_free(&out.text);
        str_free(&again.text);
        arena_free(a);
    }
}

static void doubles_round_trip(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 12);
    Arena *a = arena_new();
    for (int i = 0; i < 20000; i++) {
        union {
            uint64_t bits;
            double value;
        } number = {rng_next(&rng)};
        if (!isfinite(number.value))
            continue;
        JsonOut j = {0};
        const char *error;
        json_double(&j, NULL, number.value);
        const Json *v = parse_n(a, j.text.v, j.text.n, &error);
        assert_true(v && v->number == number.value);
        str_free(&j.text);
    }
    arena_free(a);
}

/* Every prefix of a document, and documents with a byte changed, are refused or read, never more. */
static void truncated_and_mangled(void **state)
{
    (void)state;
    JsonOut j = {0};
    const char *error;
    write_sample(&j);
    json_string(&j, NULL, NULL);
    for (uint32_t size = 0; size + 5 < j.text.n; size++) {
        Arena *a = arena_new();
        assert_null(parse_n(a, j.text.v, size, &error));
        arena_free(a);
    }
    Rng rng;
    rng_seed(&rng, 13);
    static const char interesting[] = "{}[]\",:\\u0eE+-.dD\x00\x1f\x80\xff\n";
    for (int round = 0; round < 20000; round++) {
        Arena *a = arena_new();
        char *text = memcpy(mem_alloc(j.text.n), j.text.v, j.text.n);
        for (uint64_t k = 1 + rng_below(&rng, 3); k; k--)
            text[rng_below(&rng, j.text.n)] = interesting[rng_below(&rng, sizeof interesting)];
        parse_n(a, text, j.text.n, &error);
        mem_free(text);
        arena_free(a);
    }
    str_free(&j.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer_indented),
        cmocka_unit_test(writer_compact_lines),
        cmocka_unit_test(writer_mends_utf8),
        cmocka_unit_test(reader_values),
        cmocka_unit_test(reader_numbers),
        cmocka_unit_test(reader_refuses),
        cmocka_unit_test(reader_bounds_nesting),
        cmocka_unit_test(reader_long_numbers),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(doubles_round_trip),
        cmocka_unit_test(truncated_and_mangled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
