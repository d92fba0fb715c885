/* print.c - tests as people read them. */
#include "suite/suite_int.h"

#include <math.h>

enum { SHOWN_ELEMENTS = 16, SHOWN_TEXT = 256, SHOWN_BYTES = 64, POINTER_BYTES = 8 };

u128 suite_object_bits(const SuiteObject *o, uint32_t index)
{
    uint32_t element = suite_element_size(o);
    u128 bits = 0;
    for (uint32_t i = element; i-- > 0;)
        bits = bits << 8 | o->data[(size_t)index * element + i];
    return bits;
}

static void print_float(const SuiteObject *o, uint32_t index, Str *out)
{
    uint32_t element = suite_element_size(o);
    const uint8_t *at = o->data + (size_t)index * element;
    float f;
    double d;
    long double l;
    if (element == sizeof f) {
        memcpy(&f, at, sizeof f);
        str_printf(out, "%.9g", (double)f);
    } else if (element == sizeof d) {
        memcpy(&d, at, sizeof d);
        str_printf(out, "%.17g", d);
    } else {
        memcpy(&l, at, sizeof l);
        str_printf(out, "%.21Lg", l);
    }
}

void suite_object_number(const SuiteObject *o, uint32_t index, Str *out)
{
    SuiteKind kind = suite_object_type(o).kind;
    uint32_t element = suite_element_size(o);
    u128 bits = suite_object_bits(o, index);
    bool is_signed = kind == SUITE_INT || kind == SUITE_CHAR;
    char digits[48];
    if (kind == SUITE_FLOAT && element >= sizeof(float)) {
        print_float(o, index, out);
        return;
    }
    if (is_signed && element < 16 && bits >> (8 * element - 1))
        bits |= ~(u128)0 << 8 * element;
    text_u128(digits, bits, is_signed);
    str_add(out, digits);
}

bool suite_object_value(const SuiteObject *o, uint32_t index, Str *out)
{
    if (index >= suite_object_elements(o))
        return false;
    SuiteKind kind = suite_object_type(o).kind;
    u128 bits = suite_object_bits(o, index);
    if (kind == SUITE_POINTER) {
        if (bits)
            str_printf(out, "0x%llx", (unsigned long long)bits);
        else
            str_add(out, "NULL");
    } else if (kind == SUITE_CHAR && bits == '\'') {
        str_add(out, "'\\''");
    } else if (kind == SUITE_CHAR) {
        uint8_t c = (uint8_t)bits;
        str_add_char(out, '\'');
        if (c)
            suite_c_escape(&c, 1, out);
        else
            str_add(out, "\\0");
        str_add_char(out, '\'');
    } else {
        suite_object_number(o, index, out);
    }
    return true;
}

static bool is_texty(const SuiteObject *o)
{
    uint32_t plain = 0, n = o->size;
    while (n && !o->data[n - 1]) /* padding */
        n--;
    for (uint32_t i = 0; i < n; i++)
        plain += (o->data[i] >= 0x20 && o->data[i] < 0x7f) || o->data[i] == '\n' || o->data[i] == '\t';
    return n && n * 2 >= o->size && plain * 4 >= n * 3;
}

static void print_text(const uint8_t *data, uint32_t n, Str *out)
{
    str_add_char(out, '"');
    suite_c_escape(data, n < SHOWN_TEXT ? n : SHOWN_TEXT, out);
    str_add(out, n <= SHOWN_TEXT ? "\"" : "\"...");
}

static void print_hex(const SuiteObject *o, Str *out)
{
    for (uint32_t i = 0; i < o->size && i < SHOWN_BYTES; i++)
        str_printf(out, "%s%02x", i && i % 4 == 0 ? " " : "", o->data[i]);
    if (o->size > SHOWN_BYTES)
        str_add(out, " ...");
}

static bool is_stream(const SuiteObject *o)
{
    return o->origin == SUITE_FROM_ARGUMENT || o->origin == SUITE_FROM_STDIN ||
           o->origin == SUITE_FROM_FILE || o->origin == SUITE_FROM_FUZZ || o->origin == SUITE_FROM_STREAM;
}

/* Without a type four bytes may be a number as well as text: both are shown. */
static void print_untyped(const SuiteObject *o, Str *out)
{
    bool word = o->size == 1 || o->size == 2 || o->size == 4 || o->size == 8;
    bool text = is_stream(o) || is_texty(o);
    if (text)
        print_text(o->data, o->size, out);
    if (is_stream(o) || (text && !word))
        return;
    str_add(out, text ? "  " : "");
    print_hex(o, out);
    if (word) {
        SuiteObject number = *o;
        number.type = (SuiteType){SUITE_INT, (uint8_t)o->size};
        str_add(out, "  int ");
        suite_object_number(&number, 0, out);
    }
}

static void print_links(const SuiteTest *t, uint32_t object, Str *out)
{
    bool only = t->objects.v[object].size == POINTER_BYTES;
    for (uint32_t i = 0; i < t->links.n; i++) {
        const SuiteLink *l = &t->links.v[i];
        if (l->object != object)
            continue;
        if (!only)
            str_printf(out, "  [%u] ", l->offset);
        str_printf(out, "-> %s", t->objects.v[l->target].name);
        if (l->delta)
            str_printf(out, " + %u", l->delta);
    }
}

static void print_value(const SuiteObject *o, Str *out)
{
    SuiteKind kind = suite_object_type(o).kind;
    uint32_t n = suite_object_elements(o);
    if (!o->size) {
        str_add(out, "empty");
    } else if (kind == SUITE_BYTES) {
        print_untyped(o, out);
    } else if (kind == SUITE_CHAR && n > 1) {
        print_text(o->data, o->size, out);
    } else {
        str_add(out, n > 1 ? "{" : "");
        for (uint32_t i = 0; i < n && i < SHOWN_ELEMENTS; i++) {
            str_add(out, i ? ", " : "");
            suite_object_value(o, i, out);
        }
        str_add(out, n > SHOWN_ELEMENTS ? ", ...}" : n > 1 ? "}" : "");
    }
}

/* What the object holds beside pointers to other objects: their addresses are numbers of the machine that
 * made the test. The caller frees the bytes. True: there is nothing but such a pointer. */
static bool without_links(const SuiteTest *t, uint32_t object, SuiteObject *out)
{
    *out = t->objects.v[object];
    uint8_t *data = mem_alloc(out->size + 1);
    bool only = false;
    if (out->size)
        memcpy(data, out->data, out->size);
    for (uint32_t i = 0; i < t->links.n; i++) {
        const SuiteLink *l = &t->links.v[i];
        if (l->object != object || l->offset + POINTER_BYTES > out->size)
            continue;
        memset(data + l->offset, 0, POINTER_BYTES);
        only |= out->size == POINTER_BYTES;
    }
    out->data = data;
    return only;
}

static void print_contents(const SuiteTest *t, uint32_t object, Str *out)
{
    SuiteObject o;
    if (!without_links(t, object, &o))
        print_value(&o, out);
    mem_free(o.data);
}

/* By their names, if the test has them. */
static bool print_members(const SuiteTest *t, uint32_t object, Str *out)
{
    SuiteObject o;
    without_links(t, object, &o);
    bool named = suite_fields_print(t, object, &o, out);
    mem_free(o.data);
    return named;
}

/* The names of the objects as people read them, in the arena: the second x is x#2, as in signatures. */
static void object_names(const SuiteTest *t, Arena *a, StrVec *out)
{
    StrMap seen = {0};
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const char *name = t->objects.v[i].name;
        uint64_t before = 0;
        Str text = {0};
        strmap_get(&seen, name, &before);
        strmap_put(&seen, name, before + 1);
        suite_c_escape(name, strlen(name), &text);
        if (before)
            str_printf(&text, "#%llu", (unsigned long long)before + 1);
        vec_push(out, arena_strndup(a, str_text(&text), text.n));
        str_free(&text);
    }
    strmap_free(&seen);
}

static void print_object(const SuiteTest *t, uint32_t i, const char *name, int column, Str *out)
{
    const SuiteObject *o = &t->objects.v[i];
    str_printf(out, "  %-*s  ", column, name);
    if (o->origin == SUITE_FROM_CALLBACK) {
        str_add(out, "a function   (callback)\n");
        return;
    }
    if (!print_members(t, i, out)) {
        print_contents(t, i, out);
        print_links(t, i, out);
    }
    str_printf(out, "   (%u byte%s", o->size, o->size == 1 ? "" : "s");
    if (o->origin != SUITE_FROM_CALL || o->of[0]) {
        str_printf(out, ", %s", suite_origin_word(o->origin));
        if (o->of[0] && strcmp(o->of, o->name)) {
            str_add_char(out, ' ');
            suite_c_escape(o->of, strlen(o->of), out);
        }
    }
    str_add(out, ")\n");
}

static void print_ending(const SuiteTest *t, Str *out)
{
    str_printf(out, "ending   %s", suite_ending_word(t->ending));
    if (t->ending == SUITE_END_FAULT)
        str_printf(out, " %s", t->fault);
    else if (t->ending == SUITE_END_RETURN || t->ending == SUITE_END_EXIT)
        str_printf(out, " %d", t->status);
    if (t->site[0]) {
        str_add(out, " at ");
        suite_c_escape(t->site, strlen(t->site), out);
    }
    if (t->function[0]) {
        str_add(out, " in ");
        suite_c_escape(t->function, strlen(t->function), out);
    }
    if (t->message[0]) {
        str_add(out, ": ");
        suite_c_escape(t->message, strlen(t->message), out);
    }
    str_add_char(out, '\n');
}

static void print_words(const char *heading, const StrVec *words, bool quoted, Str *out)
{
    if (!words->n)
        return;
    str_printf(out, "%-8s", heading);
    for (uint32_t i = 0; i < words->n; i++) {
        str_add(out, quoted ? " \"" : " ");
        suite_c_escape(words->v[i], strlen(words->v[i]), out);
        str_add(out, quoted ? "\"" : "");
    }
    str_add_char(out, '\n');
}

void suite_test_print(const SuiteTest *t, Str *out)
{
    StrVec words = {0}, names = {0};
    Arena *arena = arena_new();
    int column = 4;
    suite_test_words(t, &words);
    object_names(t, arena, &names);
    print_words("program", &t->inputs, false, out);
    print_words("flags", &t->flags, false, out);
    print_words("checks", &t->checks, false, out);
    if (strcmp(t->entry, "main")) {
        str_add(out, "entry    ");
        suite_c_escape(t->entry, strlen(t->entry), out);
        for (uint32_t i = 0; i < t->made.n; i++) {
            str_add(out, "\nmade     ");
            suite_c_escape(t->made.v[i], strlen(t->made.v[i]), out);
        }
        str_add_char(out, '\n');
    }
    print_words("argv", &words, true, out);
    for (uint32_t i = 0; i < t->objects.n; i++) {
        int n = (int)strlen(names.v[i]);
        column = n > column && n <= 40 ? n : column;
    }
    str_printf(out, "inputs   %u\n", t->objects.n);
    for (uint32_t i = 0; i < t->objects.n; i++)
        print_object(t, i, names.v[i], column, out);
    if (t->ending != SUITE_END_UNKNOWN)
        print_ending(t, out);
    vec_free(&words);
    vec_free(&names);
    arena_free(arena);
}
