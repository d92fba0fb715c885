/* json_in.c - the JSON reader: recursive descent, nesting bounded, one pass. */
#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"

enum { DEEPEST = 256 };

typedef struct Reader {
    Arena *arena;
    const char *begin, *at, *end;
    const char *error; /* the first one, or NULL */
    uint32_t depth;
} Reader;

static bool value_read(Reader *r, Json *out);

static bool fail(Reader *r, const char *what)
{
    if (r->error)
        return false;
    uint32_t line = 1;
    for (const char *p = r->begin; p < r->at; p++)
        line += *p == '\n';
    r->error = arena_printf(r->arena, "line %u: %s%s", line, what, r->at == r->end ? ", found the end" : "");
    return false;
}

static void skip_space(Reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool accept(Reader *r, char c)
{
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* ---- strings --------------------------------------------------------------------------------- */

static bool hex4_read(Reader *r, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        char c = r->at < r->end ? *r->at : 0;
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 16;
        if (digit > 15)
            return fail(r, "expected four hexadecimal digits behind \\u");
        *unit = *unit << 4 | digit;
    }
    return true;
}

static char *utf8_put(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

/* Behind "\u": one character, from one unit or from a surrogate pair. */
static bool unicode_read(Reader *r, char **out)
{
    uint32_t unit, low;
    if (!hex4_read(r, &unit))
        return false;
    if (unit >= 0xd800 && unit < 0xdc00) {
        if (!accept(r, '\\') || !accept(r, 'u'))
            return fail(r, "a high surrogate without its low one");
        if (!hex4_read(r, &low))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return fail(r, "a high surrogate without its low one");
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    } else if (unit >= 0xdc00 && unit <= 0xdfff) {
        return fail(r, "a low surrogate without its high one");
    }
    *out = utf8_put(*out, unit);
    return true;
}

static bool escape_read(Reader *r, char **out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = r->at < r->end ? *r->at : 0;
    const char *which = c ? strchr(names, c) : NULL;
    if (which) {
        r->at++;
        *(*out)++ = values[which - names];
        return true;
    }
    if (accept(r, 'u'))
        return unicode_read(r, out);
    return fail(r, "no such escape");
}

/* The size of the string's source up to the closing quote: what it means is never longer. */
static size_t string_extent(const Reader *r)
{
    const char *p = r->at;
    while (p < r->end && *p != '"')
        p += *p == '\\' && p + 1 < r->end ? 2 : 1;
    return (size_t)(p - r->at);
}

static bool string_read(Reader *r, const char **text, size_t *text_size)
{
    if (!accept(r, '"'))
        return fail(r, "expected a string");
    char *begin = arena_alloc(r->arena, string_extent(r) + 1), *out = begin;
    while (!accept(r, '"')) {
        if (r->at == r->end)
            return fail(r, "expected '\"'");
        if ((unsigned char)*r->at < 0x20)
            return fail(r, "a control character in a string");
        if (accept(r, '\\')) {
            if (!escape_read(r, &out))
                return false;
            continue;
        }
        size_t size = utf8_size(r->at, (size_t)(r->end - r->at));
        if (!size)
            return fail(r, "a string that is not UTF-8");
        memcpy(out, r->at, size);
        out += size;
        r->at += size;
    }
    *text = begin;
    *text_size = (size_t)(out - begin);
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool digits_skip(Reader *r)
{
    const char *begin = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return r->at > begin;
}

static int64_t truncated(double d) { return d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? INT64_MIN : (int64_t)d; }

static bool number_read(Reader *r, Json *out)
{
    const char *begin = r->at;
    bool whole = true;
    accept(r, '-');
    if (!accept(r, '0') && !digits_skip(r))
        return fail(r, "expected a value");
    if (accept(r, '.')) {
        whole = false;
        if (!digits_skip(r))
            return fail(r, "expected a digit");
    }
    if (accept(r, 'e') || accept(r, 'E')) {
        whole = false;
        if (!accept(r, '+'))
            accept(r, '-');
        if (!digits_skip(r))
            return fail(r, "expected a digit");
    }
    out->kind = JSON_NUMBER;
    out->string_size = (size_t)(r->at - begin);
    out->string = arena_strndup(r->arena, begin, out->string_size);
    out->number = strtod(out->string, NULL);
    if (!isfinite(out->number))
        return fail(r, "a number beyond the range of double");
    errno = 0;
    out->integer = whole ? strtoll(out->string, NULL, 10) : truncated(out->number);
    out->is_integer = whole && !errno;
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool member_name_read(Reader *r, Json *member)
{
    size_t size;
    if (!string_read(r, &member->key, &size))
        return false;
    if (strlen(member->key) != size)
        return fail(r, "a member name with a NUL in it"); /* key could not tell it from a shorter one */
    skip_space(r);
    return accept(r, ':') || fail(r, "expected ':'");
}

/* Behind the opening bracket. */
static bool children_read(Reader *r, Json *out, char close)
{
    Json **link = &out->first;
    skip_space(r);
    if (accept(r, close))
        return true;
    do {
        Json *child = arena_alloc(r->arena, sizeof *child);
        skip_space(r);
        if (close == '}' && !member_name_read(r, child))
            return false;
        if (!value_read(r, child))
            return false;
        *link = child;
        link = &child->next;
        out->count++;
        skip_space(r);
    } while (accept(r, ','));
    return accept(r, close) || fail(r, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
}

static bool word_read(Reader *r, Json *out, const char *word, JsonKind kind, bool boolean)
{
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return fail(r, "expected a value");
    r->at += size;
    out->kind = kind;
    out->boolean = boolean;
    return true;
}

static bool nested_read(Reader *r, Json *out, JsonKind kind, char close)
{
    if (r->depth == DEEPEST)
        return fail(r, "nested too deeply");
    r->at++;
    r->depth++;
    out->kind = kind;
    bool ok = children_read(r, out, close);
    r->depth--;
    return ok;
}

static bool value_read(Reader *r, Json *out)
{
    skip_space(r);
    switch (r->at < r->end ? *r->at : 0) {
    case '{': return nested_read(r, out, JSON_OBJECT, '}');
    case '[': return nested_read(r, out, JSON_ARRAY, ']');
    case '"': out->kind = JSON_STRING; return string_read(r, &out->string, &out->string_size);
    case 't': return word_read(r, out, "true", JSON_BOOL, true);
    case 'f': return word_read(r, out, "false", JSON_BOOL, false);
    case 'n': return word_read(r, out, "null", JSON_NULL, false);
    default: return number_read(r, out);
    }
}

Json *json_parse(Arena *a, const char *text, size_t size, const char **error)
{
    Reader r = {.arena = a, .begin = text, .at = text, .end = text + size};
    Json *root = arena_alloc(a, sizeof *root);
    bool ok = value_read(&r, root);
    if (ok) {
        skip_space(&r);
        ok = r.at == r.end || fail(&r, "expected nothing more");
    }
    if (error)
        *error = r.error;
    return ok ? root : NULL;
}

const Json *json_member(const Json *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (const Json *member = object->first; member; member = member->next)
        if (!strcmp(member->key, key))
            return member;
    return NULL;
}

const char *json_text(const Json *value, const char *otherwise)
{
    return value && value->kind == JSON_STRING ? value->string : otherwise;
}

int64_t json_integer(const Json *value, int64_t otherwise)
{
    return value && value->kind == JSON_NUMBER ? value->integer : otherwise;
}
