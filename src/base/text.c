/* text.c - strings under construction; numbers and words as text. */
#include "base/base.h"

/* ---- Str ------------------------------------------------------------------------------------- */

/* Room for n more characters and the NUL. */
static void str_room(Str *s, size_t n)
{
    if (n > UINT32_MAX - 2 - (size_t)s->n)
        die("out of memory (a string of %zu bytes)", s->n + n);
    vec_reserve(s, s->n + (uint32_t)n + 1);
}

void str_add_n(Str *s, const char *text, size_t n)
{
    str_room(s, n);
    if (n)
        memcpy(s->v + s->n, text, n);
    s->n += (uint32_t)n;
    s->v[s->n] = 0;
}

void str_add(Str *s, const char *text) { str_add_n(s, text, strlen(text)); }

void str_add_char(Str *s, char c)
{
    str_room(s, 1);
    s->v[s->n++] = c;
    s->v[s->n] = 0;
}

void str_vprintf(Str *s, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    str_room(s, 64);
    int n = vsnprintf(s->v + s->n, s->cap - s->n, fmt, args);
    if (n < 0)
        bug("a format that printf does not take: %s", fmt);
    if ((uint32_t)n >= s->cap - s->n) {
        str_room(s, (size_t)n);
        vsnprintf(s->v + s->n, s->cap - s->n, fmt, again);
    }
    va_end(again);
    s->n += (uint32_t)n;
}

void str_printf(Str *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    str_vprintf(s, fmt, args);
    va_end(args);
}

const char *str_text(const Str *s) { return s->n ? s->v : ""; }

char *str_take(Str *s)
{
    char *text = s->n ? s->v : mem_strdup("");
    if (!s->n)
        vec_free(s);
    *s = (Str){0};
    return text;
}

void str_free(Str *s) { vec_free(s); }

/* ---- numbers --------------------------------------------------------------------------------- */

void text_u128(char out[48], u128 value, bool is_signed)
{
    char digits[40];
    unsigned n = 0;
    bool negative = is_signed && value >> 127;
    if (negative)
        value = -value;
    do
        digits[n++] = (char)('0' + (unsigned)(value % 10));
    while (value /= 10);
    if (negative)
        *out++ = '-';
    while (n)
        *out++ = digits[--n];
    *out = 0;
}

static unsigned digit_value(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 10
                                  : 36;
}

bool text_parse_u128(const char *text, unsigned base, u128 *value)
{
    if (base == 1 || base > 36)
        bug("no number base: %u", base);
    bool negative = *text == '-';
    text += negative;
    if (!base) {
        char mark = *text == '0' ? (char)(text[1] | 0x20) : 0;
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : *text == '0' ? 8 : 10;
        text += base == 16 || base == 2 ? 2 : 0;
    }
    if (!*text)
        return false;
    u128 v = 0;
    for (; *text; text++) {
        unsigned digit = digit_value(*text);
        if (digit >= base || v > (~(u128)0 - digit) / base)
            return false;
        v = v * base + digit;
    }
    if (negative && v > (u128)1 << 127)
        return false;
    *value = negative ? -v : v;
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

uint32_t text_distance(const char *a, const char *b)
{
    size_t n = strlen(b);
    uint32_t *row = mem_alloc((n + 1) * sizeof *row); /* distances of the prefix of a to each prefix of b */
    for (size_t j = 0; j <= n; j++)
        row[j] = (uint32_t)j;
    for (; *a; a++) {
        uint32_t diagonal = row[0]++;
        for (size_t j = 1; j <= n; j++) {
            uint32_t best = diagonal + (*a != b[j - 1]);
            diagonal = row[j];
            if (best > row[j] + 1)
                best = row[j] + 1;
            if (best > row[j - 1] + 1)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    uint32_t distance = row[n];
    mem_free(row);
    return distance;
}

bool text_starts_with(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

bool text_ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && !memcmp(text + n - m, suffix, m);
}
