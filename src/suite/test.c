/* test.c - a test in memory, and its words. */
#include "suite/suite_int.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const ending_words[] = {
#define SUITE_ENDING(NAME, word) word,
#include "suite/suite.def"
};
static const char *const origin_words[] = {
#define SUITE_ORIGIN(NAME, word) word,
#include "suite/suite.def"
};
static const char *const kind_words[] = {
#define SUITE_KIND(NAME, word) word,
#include "suite/suite.def"
};
static const char *const verdict_words[] = {
#define SUITE_VERDICT(NAME, word) word,
#include "suite/suite.def"
};
static const struct {
    SuiteKind kind;
    uint8_t bytes;
    const char *name;
} type_names[] = {
#define SUITE_TYPE(KIND, bytes, c_name) {SUITE_##KIND, bytes, c_name},
#include "suite/suite.def"
};
static const struct {
    const char *suffix;
    SuiteType type;
} nondet_types[] = {
#define SUITE_NONDET(suffix, KIND, bytes) {suffix, {SUITE_##KIND, bytes}},
#include "suite/suite.def"
};
static const char *const fault_suffixes[] = {
#define FAULT(NAME, suffix, message, cwe, check) suffix,
#include "vm/fault.def"
#undef FAULT
};

static bool find_word(const char *const *words, size_t n, const char *word, size_t *at)
{
    for (*at = 0; *at < n; ++*at)
        if (!strcmp(words[*at], word))
            return true;
    return false;
}

const char *suite_ending_word(SuiteEnding ending) { return ending_words[ending]; }
const char *suite_origin_word(SuiteOrigin origin) { return origin_words[origin]; }
const char *suite_kind_word(SuiteKind kind) { return kind_words[kind]; }
const char *suite_verdict_word(SuiteVerdict verdict) { return verdict_words[verdict]; }

bool suite_ending_by_word(const char *word, SuiteEnding *out)
{
    size_t at;
    bool found = find_word(ending_words, COUNT_OF(ending_words), word, &at);
    if (found)
        *out = (SuiteEnding)at;
    return found;
}

bool suite_origin_by_word(const char *word, SuiteOrigin *out)
{
    size_t at;
    bool found = find_word(origin_words, COUNT_OF(origin_words), word, &at);
    if (found)
        *out = (SuiteOrigin)at;
    return found;
}

bool suite_kind_by_word(const char *word, SuiteKind *out)
{
    size_t at;
    bool found = find_word(kind_words, COUNT_OF(kind_words), word, &at);
    if (found)
        *out = (SuiteKind)at;
    return found;
}

bool suite_fault_known(const char *suffix)
{
    size_t at;
    return find_word(fault_suffixes, COUNT_OF(fault_suffixes), suffix, &at);
}

SuiteTest *suite_test_new(void)
{
    Arena *arena = arena_new();
    SuiteTest *t = arena_alloc(arena, sizeof *t);
    t->arena = arena;
    t->fault = t->site = t->function = t->message = t->path = t->program = "";
    t->entry = "main";
    return t;
}

void suite_test_free(SuiteTest *t)
{
    if (!t)
        return;
    vec_free(&t->argv);
    vec_free(&t->objects);
    vec_free(&t->links);
    vec_free(&t->inputs);
    vec_free(&t->flags);
    vec_free(&t->checks);
    vec_free(&t->made);
    arena_free(t->arena);
}

bool suite_test_has_status(const SuiteTest *t, const char *entry)
{
    bool ends = t->ending == SUITE_END_RETURN || t->ending == SUITE_END_EXIT;
    if (suite_entry_is_plain(entry))
        return ends;
    return t->ending == SUITE_END_EXIT && t->site[0] &&
           !text_starts_with(t->site, "runtime/"); /* its own, not the start-up's */
}

bool suite_test_is_cut_short(const SuiteTest *t)
{
    return t->ending == SUITE_END_UNSUPPORTED || t->ending == SUITE_END_EXTERNAL ||
           t->ending == SUITE_END_LIMIT || t->ending == SUITE_END_INTERRUPTED;
}

bool suite_entry_is_plain(const char *entry)
{
    return !strcmp(entry, "main") || !strcmp(entry, "LLVMFuzzerTestOneInput");
}

SuiteObject *suite_test_add(SuiteTest *t, SuiteOrigin origin, const char *name, const void *data, size_t size)
{
    uint8_t *copy = arena_alloc(t->arena, size + 1); /* never NULL, and a NUL behind it for what reads text */
    if (size)
        memcpy(copy, data, size);
    SuiteObject object = {.name = arena_strdup(t->arena, name[0] ? name : "unnamed"),
                          .data = copy,
                          .size = (uint32_t)size,
                          .origin = origin,
                          .of = ""};
    vec_push(&t->objects, object);
    return &vec_last(&t->objects);
}

void suite_test_words(const SuiteTest *t, StrVec *out)
{
    vec_clear(out);
    for (uint32_t i = 0; i < t->argv.n; i++)
        vec_push(out, t->argv.v[i]);
    for (uint32_t i = 0; i < t->objects.n; i++)
        if (t->objects.v[i].origin == SUITE_FROM_ARGUMENT)
            vec_push(out, (const char *)t->objects.v[i].data); /* ends at its NUL, or at ours */
}

void suite_test_check_links(SuiteTest *t)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->links.n; i++) {
        const SuiteLink *l = &t->links.v[i];
        bool sound = l->object < t->objects.n && l->target < t->objects.n &&
                     t->objects.v[l->object].size >= sizeof(void *) &&
                     l->offset <= t->objects.v[l->object].size - sizeof(void *) &&
                     l->delta <= t->objects.v[l->target].size;
        if (sound)
            t->links.v[kept++] = *l;
    }
    t->links.n = kept;
}

SuiteType suite_object_type(const SuiteObject *o)
{
    static const char prefix[] = "__VERIFIER_nondet_";
    const char *call = text_starts_with(o->of, prefix) ? o->of : o->name;
    if (o->type.kind != SUITE_BYTES || !text_starts_with(call, prefix))
        return o->type;
    for (size_t i = 0; i < COUNT_OF(nondet_types); i++)
        if (!strcmp(call + sizeof prefix - 1, nondet_types[i].suffix) &&
            nondet_types[i].type.element == o->size)
            return nondet_types[i].type;
    return o->type;
}

uint32_t suite_element_size(const SuiteObject *o)
{
    SuiteType type = suite_object_type(o);
    if (type.kind == SUITE_BYTES)
        return 1;
    uint32_t element = type.element ? type.element : o->size;
    return suite_type_name(type, element) && element <= o->size && o->size % element == 0 ? element : 1;
}

bool suite_object_is_environment(const SuiteObject *o)
{
    return o->origin == SUITE_FROM_CALL && text_starts_with(o->name, "env.");
}

bool suite_test_has_environment(const SuiteTest *t)
{
    bool has = false;
    for (uint32_t i = 0; i < t->objects.n; i++)
        has |= suite_object_is_environment(&t->objects.v[i]);
    return has;
}

bool suite_test_has_callbacks(const SuiteTest *t)
{
    bool has = false;
    for (uint32_t i = 0; i < t->objects.n; i++)
        has |= t->objects.v[i].origin == SUITE_FROM_CALLBACK;
    return has;
}

uint32_t suite_object_elements(const SuiteObject *o) { return o->size / suite_element_size(o); }

const char *suite_type_name(SuiteType type, uint32_t size)
{
    uint32_t element = type.element ? type.element : size;
    for (size_t i = 0; i < COUNT_OF(type_names); i++)
        if (type_names[i].kind == type.kind && type_names[i].bytes == element)
            return type_names[i].name;
    return NULL;
}

bool suite_site_split(const char *site, size_t *file, uint32_t *line)
{
    /* from the right: ":line" or ":line:column" */
    const char *end = site + strlen(site), *numbers[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        const char *p = end;
        while (p > site && p[-1] >= '0' && p[-1] <= '9')
            p--;
        if (p == end || p - 1 <= site || p[-1] != ':')
            break;
        numbers[i] = p;
        end = p - 1;
    }
    const char *number = numbers[1] ? numbers[1] : numbers[0];
    if (!number)
        return false;
    *file = (size_t)(number - 1 - site);
    unsigned long value = strtoul(number, NULL, 10);
    *line = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    return true;
}

const char *suite_path_here(const char *path)
{
    char here[4096];
    if (!getcwd(here, sizeof here))
        return path;
    size_t n = strlen(here);
    return !strncmp(path, here, n) && path[n] == '/' ? path + n + 1 : path;
}

bool suite_utf8(const char *text, size_t n)
{
    const unsigned char *u = (const unsigned char *)text;
    for (size_t i = 0; i < n;) {
        size_t more = u[i] < 0x80   ? 0
                      : u[i] < 0xc2 ? 4
                      : u[i] < 0xe0 ? 1
                      : u[i] < 0xf0 ? 2
                      : u[i] < 0xf5 ? 3
                                    : 4;
        if (more > 3 || more > n - i - 1)
            return false;
        uint32_t value = more ? u[i] & (0x3fu >> more) : u[i];
        for (size_t k = 1; k <= more; k++) {
            if ((u[i + k] & 0xc0) != 0x80)
                return false;
            value = value << 6 | (u[i + k] & 0x3f);
        }
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (value < least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
            return false;
        i += more + 1;
    }
    return true;
}

void suite_c_escape(const void *data, size_t n, Str *out)
{
    const unsigned char *u = data;
    for (size_t i = 0; i < n; i++) {
        if (u[i] == '"' || u[i] == '\\' || u[i] == '?') /* '?': no trigraphs */
            str_printf(out, "\\%c", u[i]);
        else if (u[i] == '\n')
            str_add(out, "\\n");
        else if (u[i] >= 0x20 && u[i] < 0x7f)
            str_add_char(out, (char)u[i]);
        else
            str_printf(out, "\\%03o", u[i]); /* three digits always end an octal escape */
    }
}
