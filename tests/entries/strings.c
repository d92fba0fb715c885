// Functions on strings. Each: what is found is marked at its line, a fault of the function with !, a need of callers with ?.
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// entry: str_length
// for: s string <= 3
size_t str_length(const char *s)
{
    size_t n = 0;
    while (s[n]) //? null
        n++;
    return n;
}

// entry: str_equal
// for: a string <= 3; b string <= 3
int str_equal(const char *a, const char *b)
{
    if (!a || !b)
        return a == b;
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

// entry: str_hex_digit
// for: s string
int str_hex_digit(const char *s)
{
    if (!s || s[0] != '0')
        return -1;
    if (s[1] != 'x')
        return -1;
    return s[2] == 'f';
}

// The second character is read before the first is known to be one.
// entry: str_sign
// for: s string
int str_sign(const char *s)
{
    if (s && s[1] == '-') //! oob-read
        return -1;
    return 1;
}

// An empty string has no last character.
// entry: str_last
// for: s string <= 3
char str_last(const char *s)
{
    if (!s)
        return 0;
    return s[strlen(s) - 1]; //! oob-read
}

// entry: str_upper
// for: s string <= 3
void str_upper(char *s)
{
    for (; *s; s++) //? null
        if (*s >= 'a' && *s <= 'z')
            *s = (char)(*s - 32);
}

// Its caller must have room for one character more.
// entry: str_append
// incomplete: no call came to its end
// for: s string <= 3
void str_append(char *s, char c)
{
    size_t n = strlen(s); //? null
    s[n] = c;
    s[n + 1] = 0; //? oob-write
}

// entry: str_to_hex
// for: out 3 bytes
void str_to_hex(unsigned char v, char *out)
{
    static const char digits[] = "0123456789abcdef";
    out[0] = digits[v >> 4]; //? null
    out[1] = digits[v & 15];
    out[2] = 0;
}

// entry: str_skip
// for: s string <= 3
const char *str_skip(const char *s)
{
    while (s && *s == ' ')
        s++;
    return s;
}

// The copy has no room for the NUL.
// entry: str_copy
// for: s string <= 3
char *str_copy(const char *s)
{
    if (!s)
        return NULL;
    char *copy = malloc(strlen(s) ? strlen(s) : 1);
    if (copy)
        strcpy(copy, s); //! oob-write
    return copy;
}

// A second string, whatever it is called: it is read, so it is not where the first one ends.
// entry: str_ends_with
// for: s string <= 3; end string <= 3
int str_ends_with(const char *s, const char *end)
{
    size_t n = strlen(s); //? null
    size_t m = strlen(end); //? null
    return !strcmp(s + n - m, end); //! oob-read
}

// entry: str_begins_with
// for: ending string <= 3; s string
int str_begins_with(const char *s, const char *ending)
{
    while (*ending)           //? null
        if (*s++ != *ending++) //? null
            return 0;
    return 1;
}

// What stands before the end is the other pointer's, and is no fault of the function.
// entry: str_blanks_before
// incomplete: no call in which end leads somewhere came to its end
// for: end 3 bytes
size_t str_blanks_before(const char *s, const char *end)
{
    size_t n = 0;
    while (end > s && end[-1] == ' ') { //? oob-read
        end--;
        n++;
    }
    return n;
}
