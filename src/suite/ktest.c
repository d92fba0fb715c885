/* ktest.c - KLEE's test files: "KTEST", u32 version, words, two numbers of old, objects; all integers
 * big-endian.
 *
 * Names. Arguments, standard input and files are written as KLEE's POSIX runtime names them, so that KLEE's
 * tools know them: n_args and arg00, arg01, ...; stdin and stdin_stat; NAME_data and NAME_data_stat (struct
 * stat of x86-64, which nothing is read from: KLEE leaves the size in it open). Other objects keep their
 * names.
 *
 * KLEE's reader fails on strings and objects without bytes: an empty object is written as one zero byte. What
 * names and bytes alone do not say goes into a last object, "sheaf_shape", lines of text; i, t are
 * positions in the file:
 *
 *     argv N              the first N words are concrete arguments; the others are KLEE's options for
 * symbolic ones origin i WORD       object i came from there (suite.def), although its name does not say so
 *     empty i             object i has no bytes
 *     link i OFFSET t DELTA
 */
#include "suite/suite_int.h"

#include <ctype.h>
#include <stdlib.h>

#define SHAPE "sheaf_shape"
enum {
    STAT_SIZE = 144,
    STAT_LINKS_AT = 16,
    STAT_MODE_AT = 24,
    STAT_SIZE_AT = 48,
    STAT_BLOCK_AT = 56,
    VERSION = 3
};

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct Writer {
    Str *out;
    Str objects, shape;
    uint32_t count; /* objects so far */
    U32Vec place;   /* of each object of the test */
} Writer;

static void put_u32(Str *out, uint32_t x)
{
    char bytes[4] = {(char)(x >> 24), (char)(x >> 16), (char)(x >> 8), (char)x};
    str_add_n(out, bytes, 4);
}

static void put_string(Str *out, const char *text)
{
    size_t n = strlen(text);
    put_u32(out, n ? (uint32_t)n : 1);
    str_add_n(out, n ? text : " ", n ? n : 1);
}

static void put_object(Writer *w, const char *name, const void *data, uint32_t size, bool may_be_empty)
{
    put_string(&w->objects, name);
    put_u32(&w->objects, size || may_be_empty ? size : 1);
    if (size)
        str_add_n(&w->objects, data, size);
    else if (!may_be_empty)
        str_add_n(&w->objects, "", 1);
    w->count++;
}

static void put_le(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* What KLEE's runtime asks of a file: a regular one of this size. */
static void put_stat(Writer *w, const char *name, uint32_t size)
{
    uint8_t stat[STAT_SIZE] = {0};
    Str full = {0};
    put_le(stat + STAT_LINKS_AT, 1, 8);
    put_le(stat + STAT_MODE_AT, 0100644, 4);
    put_le(stat + STAT_SIZE_AT, size, 8);
    put_le(stat + STAT_BLOCK_AT, 4096, 8);
    str_printf(&full, "%s_stat", name);
    put_object(w, str_text(&full), stat, STAT_SIZE, false);
    str_free(&full);
}

static bool ends_in(const char *text, const char *ending, size_t *stem)
{
    size_t n = strlen(text), m = strlen(ending);
    *stem = n > m ? n - m : 0;
    return n > m && !strcmp(text + n - m, ending);
}

/* arg00, arg7 */
static bool is_argument(const char *name)
{
    if (strncmp(name, "arg", 3) || !name[3])
        return false;
    for (const char *p = name + 3; *p; p++)
        if (!isdigit((unsigned char)*p))
            return false;
    return true;
}

/* Would a reader without the shape take a call's object for something else? */
static bool is_reserved(const char *name)
{
    static const char *const names[] = {"n_args", "stdin", "stdout", "model_version", SHAPE};
    size_t stem;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return is_argument(name) || ends_in(name, "_data", &stem) || ends_in(name, "-data", &stem) ||
           ends_in(name, "_stat", &stem) || ends_in(name, "-stat", &stem);
}

static void write_object(Writer *w, const SuiteObject *o, uint32_t argument)
{
    Str name = {0};
    switch (o->origin) {
    case SUITE_FROM_ARGUMENT: str_printf(&name, "arg%02u", argument); break;
    case SUITE_FROM_STDIN: str_add(&name, "stdin"); break;
    case SUITE_FROM_FILE: str_printf(&name, "%s_data", o->of); break;
    default: str_add(&name, o->name); break;
    }
    bool sized = o->origin == SUITE_FROM_STDIN || o->origin == SUITE_FROM_FILE;
    bool implied =
        sized || o->origin == SUITE_FROM_ARGUMENT || (o->origin == SUITE_FROM_CALL && !is_reserved(o->name));
    if (!implied)
        str_printf(&w->shape, "origin %u %s\n", w->count, suite_origin_word(o->origin));
    if (!o->size)
        str_printf(&w->shape, "empty %u\n", w->count);
    put_object(w, str_text(&name), o->data, o->size, false);
    if (sized)
        put_stat(w, str_text(&name), o->size);
    str_free(&name);
}

static void write_links(Writer *w, const SuiteTest *t)
{
    for (uint32_t i = 0; i < t->links.n; i++) {
        const SuiteLink *l = &t->links.v[i];
        str_printf(&w->shape, "link %u %u %u %u\n", w->place.v[l->object], l->offset, w->place.v[l->target],
                   l->delta);
    }
}

static bool is_klee_option(const char *word)
{
    const char *name = word + (word[0] == '-') + (word[0] == '-' && word[1] == '-');
    return word[0] == '-' && (text_starts_with(name, "sym-") || !strcmp(name, "max-fail") ||
                              !strcmp(name, "fd-fail") || !strcmp(name, "save-all-writes"));
}

/* The words: concrete arguments, then what makes KLEE's replay take the rest from objects. */
static void write_words(Writer *w, const SuiteTest *t, uint32_t arguments, uint32_t longest,
                        const SuiteObject *input)
{
    uint32_t extra = (arguments ? 4 : 0) + (input ? 2 : 0);
    char number[16];
    put_u32(w->out, t->argv.n + extra);
    bool implied = !extra;
    for (uint32_t i = 0; i < t->argv.n; i++) {
        put_string(w->out, t->argv.v[i]);
        implied = implied && t->argv.v[i][0] && !is_klee_option(t->argv.v[i]);
    }
    if (!implied)
        str_printf(&w->shape, "argv %u\n", t->argv.n);
    for (uint32_t i = 0; i < t->argv.n; i++)
        if (!t->argv.v[i][0])
            str_printf(&w->shape, "word %u\n", i);
    if (arguments) {
        put_string(w->out, "--sym-args");
        snprintf(number, sizeof number, "%u", arguments);
        put_string(w->out, number);
        put_string(w->out, number);
        snprintf(number, sizeof number, "%u", longest);
        put_string(w->out, number);
    }
    if (input) {
        put_string(w->out, "--sym-stdin");
        snprintf(number, sizeof number, "%u", input->size);
        put_string(w->out, number);
    }
}

static void write_all(Writer *w)
{
    if (w->shape.n)
        put_object(w, SHAPE, w->shape.v, w->shape.n, false);
    put_u32(w->out, 0); /* symbolic words of old */
    put_u32(w->out, 0);
    put_u32(w->out, w->count);
    if (w->objects.n)
        str_add_n(w->out, w->objects.v, w->objects.n);
    str_free(&w->objects);
    str_free(&w->shape);
    vec_free(&w->place);
}

void suite_ktest_write(const SuiteTest *t, Str *out)
{
    Writer w = {.out = out};
    const SuiteObject *input = NULL;
    uint32_t arguments = 0, longest = 1, written = 0;
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const SuiteObject *o = &t->objects.v[i];
        if (o->origin == SUITE_FROM_STDIN)
            input = o;
        if (o->origin != SUITE_FROM_ARGUMENT)
            continue;
        arguments++;
        longest = o->size > longest + 1 ? o->size - 1 : longest;
    }
    vec_clear(out);
    str_add(out, "KTEST");
    put_u32(out, VERSION);
    write_words(&w, t, arguments, longest, input);
    for (uint32_t i = 0; i < t->objects.n; i++) {
        if (t->objects.v[i].origin == SUITE_FROM_ARGUMENT && !written) {
            uint8_t count[4];
            put_le(count, arguments, 4);
            put_object(&w, "n_args", count, 4, false);
        }
        vec_push(&w.place, w.count);
        write_object(&w, &t->objects.v[i], written);
        written += t->objects.v[i].origin == SUITE_FROM_ARGUMENT;
    }
    write_links(&w, t);
    write_all(&w);
}

void suite_ktest_write_native(const SuiteTest *t, Str *out)
{
    Writer w = {.out = out};
    vec_clear(out);
    str_add(out, "KTEST");
    put_u32(out, VERSION);
    put_u32(out, 0);
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const SuiteObject *o = &t->objects.v[i];
        vec_push(&w.place, w.count);
        str_printf(&w.shape, "origin %u %s\n", w.count, suite_origin_word(o->origin));
        put_object(&w, o->name, o->data, o->size, true);
    }
    write_links(&w, t);
    write_all(&w);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct Raw { /* an object as it stands in the file */
    const char *name;
    const uint8_t *data;
    uint32_t size;
    bool given, empty, used; /* origin said; not for the test itself */
    SuiteOrigin origin;
    uint32_t place; /* in the test, UINT32_MAX: not in it */
} Raw;

typedef struct Reader {
    const uint8_t *p, *end;
    const char *error; /* the first */
    SuiteTest *t;
    StrVec words;
    Vec(Raw) raw;
    bool argv_told;
    uint32_t argv_count;
} Reader;

static void fail(Reader *r, const char *why)
{
    if (!r->error)
        r->error = why;
}

static uint32_t get_u32(Reader *r)
{
    if (r->error || r->end - r->p < 4) {
        fail(r, "cut off");
        return 0;
    }
    uint32_t x = (uint32_t)r->p[0] << 24 | (uint32_t)r->p[1] << 16 | (uint32_t)r->p[2] << 8 | r->p[3];
    r->p += 4;
    return x;
}

/* The next n bytes, in place. */
static const uint8_t *get_bytes(Reader *r, uint32_t n)
{
    if (r->error || (size_t)(r->end - r->p) < n) {
        fail(r, "cut off");
        return NULL;
    }
    const uint8_t *at = r->p;
    r->p += n;
    return at;
}

static const char *get_string(Reader *r)
{
    uint32_t n = get_u32(r);
    const uint8_t *bytes = get_bytes(r, n);
    if (!bytes)
        return "";
    if (memchr(bytes, 0, n))
        fail(r, "a string with a NUL in it");
    return arena_strndup(r->t->arena, (const char *)bytes, n);
}

/* A count of things that take at least `least` bytes each, so that no number makes us allocate more than the
 * file. */
static uint32_t get_count(Reader *r, uint32_t least, const char *what)
{
    uint32_t n = get_u32(r);
    if (!r->error && (n > SUITE_OBJECT_LIMIT || n > (size_t)(r->end - r->p) / least))
        fail(r, what);
    return r->error ? 0 : n;
}

static void read_raw(Reader *r)
{
    if (r->end - r->p < 5 || (memcmp(r->p, "KTEST", 5) && memcmp(r->p, "BOUT\n", 5))) {
        fail(r, "not a .ktest file");
        return;
    }
    r->p += 5;
    uint32_t version = get_u32(r);
    if (!r->error && (version < 1 || version > VERSION)) {
        fail(r, "a version of .ktest that is not known");
        return;
    }
    uint32_t words = get_count(r, 4, "more words than the file can hold");
    for (uint32_t i = 0; i < words && !r->error; i++)
        vec_push(&r->words, get_string(r));
    if (version >= 2) {
        get_u32(r);
        get_u32(r);
    }
    uint32_t objects = get_count(r, 8, "more objects than the file can hold");
    for (uint32_t i = 0; i < objects && !r->error; i++) {
        Raw raw = {.name = get_string(r), .place = UINT32_MAX};
        raw.size = get_u32(r);
        raw.data = get_bytes(r, raw.size);
        vec_push(&r->raw, raw);
    }
    if (!r->error && r->p != r->end)
        fail(r, "bytes behind its end");
}

static Raw *raw_at(Reader *r, uint32_t i) { return i < r->raw.n ? &r->raw.v[i] : NULL; }

static Raw *find_raw(Reader *r, uint32_t from, const char *name, size_t stem, const char *ending)
{
    for (uint32_t i = from; i < r->raw.n && i < from + 2; i++) /* KLEE writes it right behind the data */
        if (!strncmp(r->raw.v[i].name, name, stem) && !strcmp(r->raw.v[i].name + stem, ending))
            return &r->raw.v[i];
    return NULL;
}

typedef char Line[64];

/* Copies the next line, at most so much of it that sscanf costs the same for each. */
static bool next_line(const char **text, Line line)
{
    if (!*text || !**text)
        return false;
    size_t n = strcspn(*text, "\n");
    snprintf(line, sizeof(Line), "%.*s", n < sizeof(Line) ? (int)n : (int)sizeof(Line) - 1, *text);
    *text += n + ((*text)[n] == '\n');
    return true;
}

/* Lines that are not understood are passed over: a later version may have more. Links are for later. */
static void read_shape(Reader *r, const char *text)
{
    char word[16];
    unsigned a, b;
    Line line;
    while (next_line(&text, line)) {
        Raw *raw;
        SuiteOrigin origin;
        if (sscanf(line, "origin %9u %15[a-z]", &a, word) == 2 && suite_origin_by_word(word, &origin) &&
            (raw = raw_at(r, a))) {
            raw->given = true;
            raw->origin = origin;
        } else if (sscanf(line, "empty %9u", &a) == 1 && (raw = raw_at(r, a))) {
            raw->empty = true;
        } else if (sscanf(line, "argv %9u", &b) == 1) {
            r->argv_told = true;
            r->argv_count = b;
        } else if (sscanf(line, "word %9u", &a) == 1 && a < r->words.n) {
            r->words.v[a] = "";
        }
    }
}

static void read_links(Reader *r, const char *text)
{
    unsigned from, offset, to, delta;
    Line line;
    while (next_line(&text, line)) {
        if (sscanf(line, "link %9u %9u %9u %9u", &from, &offset, &to, &delta) != 4)
            continue;
        const Raw *a = raw_at(r, from), *b = raw_at(r, to);
        if (a && b && r->t->links.n < SUITE_OBJECT_LIMIT)
            vec_push(&r->t->links, (SuiteLink){a->place, offset, b->place, delta});
    }
    suite_test_check_links(r->t);
}

static void add_object(Reader *r, Raw *raw, SuiteOrigin origin, const char *of, uint32_t size)
{
    raw->place = r->t->objects.n;
    suite_test_add(r->t, origin, raw->name, raw->data, raw->empty ? 0 : size)->of = of;
}

/* NAME_data with NAME_data_stat behind it. */
static bool take_file(Reader *r, uint32_t i)
{
    Raw *raw = &r->raw.v[i];
    size_t stem, full = strlen(raw->name);
    if (!ends_in(raw->name, "_data", &stem) && !ends_in(raw->name, "-data", &stem))
        return false;
    Raw *stat = find_raw(r, i + 1, raw->name, full, "_stat");
    stat = stat ? stat : find_raw(r, i + 1, raw->name, full, "-stat");
    if (!stat)
        return false;
    stat->used = true;
    add_object(r, raw, SUITE_FROM_FILE, arena_strndup(r->t->arena, raw->name, stem), raw->size);
    return true;
}

static void take_stdin(Reader *r, uint32_t i)
{
    Raw *raw = &r->raw.v[i], *stat = find_raw(r, i + 1, "stdin", 5, "_stat");
    stat = stat ? stat : find_raw(r, i + 1, "stdin", 5, "-stat");
    if (stat)
        stat->used = true;
    add_object(r, raw, SUITE_FROM_STDIN, "", raw->size);
}

static void take_object(Reader *r, uint32_t i)
{
    Raw *raw = &r->raw.v[i];
    if (raw->used)
        return;
    if (raw->given) {
        add_object(r, raw, raw->origin, raw->origin == SUITE_FROM_FILE ? raw->name : "", raw->size);
    } else if (!strcmp(raw->name, "stdin")) {
        take_stdin(r, i);
    } else if (is_argument(raw->name)) {
        add_object(r, raw, SUITE_FROM_ARGUMENT, "", raw->size);
    } else if (!take_file(r, i)) {
        bool runtime = !strcmp(raw->name, "n_args") || !strcmp(raw->name, "model_version") ||
                       !strcmp(raw->name, "stdout") || !strcmp(raw->name, "stdout_stat") ||
                       !strcmp(raw->name, "stdout-stat");
        if (!runtime)
            add_object(r, raw, SUITE_FROM_CALL, "", raw->size);
    }
}

/* KLEE mixes concrete words and options that stand for symbolic ones: with the objects put in their places
 * all are concrete. Each `--sym-args` consumes as many objects as its own n_args says. */
static void expand_klee_words(Reader *r)
{
    uint32_t next = 0, counts = 0, made = 0;
    for (uint32_t i = 0; i < r->words.n; i++) {
        const char *word = r->words.v[i], *name = word + strspn(word, "-");
        uint32_t take = 0;
        if (!is_klee_option(word)) {
            vec_push(&r->t->argv, word);
            continue;
        }
        if (!strcmp(name, "sym-arg")) {
            take = 1;
            i += 1;
        } else if (!strcmp(name, "sym-args")) {
            uint32_t seen = 0;
            for (uint32_t k = 0; k < r->raw.n; k++)
                if (text_starts_with(r->raw.v[k].name, "n_args") && r->raw.v[k].size == 4 && seen++ == counts)
                    take = r->raw.v[k].data[0];
            counts++;
            i += 3;
        } else if (!strcmp(name, "sym-files")) {
            i += 2;
        } else if (!strcmp(name, "sym-stdin") || !strcmp(name, "sym-file") || !strcmp(name, "max-fail")) {
            i += 1;
        }
        for (; take && next < r->t->objects.n; next++)
            if (r->t->objects.v[next].origin == SUITE_FROM_ARGUMENT) {
                vec_push(&r->t->argv, (const char *)r->t->objects.v[next].data);
                take--;
                made++;
            }
    }
    if (!made)
        return;
    uint32_t kept = 0, dropped = 0;
    for (uint32_t i = 0; i < r->t->objects.n; i++)
        if (r->t->objects.v[i].origin != SUITE_FROM_ARGUMENT || dropped++ >= made)
            r->t->objects.v[kept++] = r->t->objects.v[i];
    r->t->objects.n = kept;
    vec_clear(&r->t->links); /* KLEE has none, and they would point to other objects now */
}

static void read_words(Reader *r)
{
    if (!r->argv_told) {
        expand_klee_words(r);
        return;
    }
    for (uint32_t i = 0; i < r->words.n && i < r->argv_count; i++)
        vec_push(&r->t->argv, r->words.v[i]);
}

SuiteTest *suite_ktest_read(const void *data, size_t size, const char **error)
{
    Reader r = {.p = data, .end = (const uint8_t *)data + size, .t = suite_test_new()};
    read_raw(&r);
    if (!r.error) {
        const char *shape = NULL;
        if (r.raw.n && !strcmp(vec_last(&r.raw).name, SHAPE)) {
            Raw last = vec_pop(&r.raw);
            shape = arena_strndup(r.t->arena, (const char *)last.data, last.size);
            read_shape(&r, shape);
        }
        for (uint32_t i = 0; i < r.raw.n; i++)
            take_object(&r, i);
        read_links(&r, shape);
        read_words(&r);
    }
    vec_free(&r.words);
    vec_free(&r.raw);
    *error = r.error;
    if (!r.error)
        return r.t;
    suite_test_free(r.t);
    return NULL;
}
