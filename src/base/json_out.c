/* json_out.c - the JSON writer. */
#include "base/base.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"

static void line_break(JsonOut *j)
{
    if (j->compact)
        return;
    str_add_char(&j->text, '\n');
    for (uint32_t i = 0; i < j->depth; i++)
        str_add(&j->text, "  ");
}

static void quote_char(Str *out, unsigned char c)
{
    static const char short_form[0x20] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    if (c == '"' || c == '\\')
        str_printf(out, "\\%c", c);
    else if (c < 0x20 && short_form[c])
        str_printf(out, "\\%c", short_form[c]);
    else if (c < 0x20 || c == 0x7f)
        str_printf(out, "\\u%04x", c);
    else
        str_add_char(out, (char)c);
}

static void quote(Str *out, const char *text, size_t n)
{
    str_add_char(out, '"');
    for (size_t i = 0; i < n;) {
        size_t size = utf8_size(text + i, n - i);
        if (size == 1)
            quote_char(out, (unsigned char)text[i]);
        else if (size)
            str_add_n(out, text + i, size);
        else
            str_add(out, "\xef\xbf\xbd");
        i += size ? size : 1;
    }
    str_add_char(out, '"');
}

/* All that comes before a value: comma, line break, key. Values outside everything stand on lines of their
 * own. */
static void before(JsonOut *j, const char *key)
{
    if (j->depth) {
        if (!j->first)
            str_add_char(&j->text, ',');
        line_break(j);
    } else if (j->text.n && j->text.v[j->text.n - 1] != '\n') {
        str_add_char(&j->text, '\n');
    }
    j->first = false;
    if (key) {
        quote(&j->text, key, strlen(key));
        str_add(&j->text, j->compact ? ":" : ": ");
    }
}

static void begin(JsonOut *j, const char *key, char bracket)
{
    before(j, key);
    str_add_char(&j->text, bracket);
    j->depth++;
    j->first = true;
}

static void end(JsonOut *j, char bracket)
{
    if (!j->depth)
        bug("JSON: '%c' without a beginning", bracket);
    j->depth--;
    if (!j->first)
        line_break(j);
    j->first = false;
    str_add_char(&j->text, bracket);
}

void json_object_begin(JsonOut *j, const char *key) { begin(j, key, '{'); }

void json_object_end(JsonOut *j) { end(j, '}'); }

void json_array_begin(JsonOut *j, const char *key) { begin(j, key, '['); }

void json_array_end(JsonOut *j) { end(j, ']'); }

void json_string_n(JsonOut *j, const char *key, const char *value, size_t n)
{
    before(j, key);
    if (value)
        quote(&j->text, value, n);
    else
        str_add(&j->text, "null");
}

void json_string(JsonOut *j, const char *key, const char *value)
{
    json_string_n(j, key, value, value ? strlen(value) : 0);
}

void json_hex(JsonOut *j, const char *key, const void *data, size_t n)
{
    const unsigned char *bytes = data;
    before(j, key);
    str_add_char(&j->text, '"');
    for (size_t i = 0; i < n; i++) {
        str_add_char(&j->text, "0123456789abcdef"[bytes[i] >> 4]);
        str_add_char(&j->text, "0123456789abcdef"[bytes[i] & 15]);
    }
    str_add_char(&j->text, '"');
}

void json_int(JsonOut *j, const char *key, int64_t value)
{
    before(j, key);
    str_printf(&j->text, "%" PRId64, value);
}

void json_uint(JsonOut *j, const char *key, uint64_t value)
{
    before(j, key);
    str_printf(&j->text, "%" PRIu64, value);
}

/* The fewest digits that read back as the same number. */
void json_double(JsonOut *j, const char *key, double value)
{
    char text[40] = "null";
    before(j, key);
    for (int digits = 15; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    str_add(&j->text, text);
}

void json_bool(JsonOut *j, const char *key, bool value)
{
    before(j, key);
    str_add(&j->text, value ? "true" : "false");
}
