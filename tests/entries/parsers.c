// Parsers with and without a state, numbers, results by pointers.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scanner {
    const char *text;
    size_t size, at;
} Scanner;

// entry: parse_bool
// for: s string; out 1 element
int parse_bool(const char *s, int *out)
{
    if (!s || !out)
        return -1;
    if (s[0] == 'y' && !s[1])
        *out = 1;
    else if (s[0] == 'n' && !s[1])
        *out = 0;
    else
        return -1;
    return 0;
}

// entry: parse_number --check overflow
// for: s string <= 3
int parse_number(const char *s)
{
    int v = 0;
    for (; s && *s >= '0' && *s <= '9'; s++)
        v = v * 10 + (*s - '0');
    return v;
}

// The place is checked against the size, and then the next one is read.
// entry: scanner_next
// for: s one object; s->text s->size bytes (NULL: none), s->size <= 3, s->at <= s->size
int scanner_next(Scanner *s)
{
    if (!s || !s->text || s->at > s->size)
        return -1;
    return s->text[s->at++]; //! oob-read
}

// entry: scanner_peek
// for: s one object; s->text s->size bytes (NULL: none), s->size <= 3, s->at <= s->size
int scanner_peek(const Scanner *s)
{
    if (!s || !s->text || s->at >= s->size)
        return -1;
    return s->text[s->at];
}

// entry: parse_pair
// for: s string <= 3; value one object
const char *parse_pair(const char *s, const char **value)
{
    const char *equals = s && value ? strchr(s, '=') : NULL;
    if (!equals)
        return NULL;
    *value = equals + 1;
    return s;
}

// entry: parse_average
// for: a n elements, n <= 3
int parse_average(const int *a, int n)
{
    int t = 0;
    for (int i = 0; a && i < n; i++)
        t += a[i] & 255;
    return t / n; //! div-zero
}

// entry: parse_index
int parse_index(unsigned i)
{
    static const int table[4] = { 1, 2, 3, 4 };
    return i <= 4 ? table[i] : 0; //! oob-read
}
