// Which length belongs to which pointer, and whose fault it is to go beyond.
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// The size is the room where the first leads; the second is a string, read to its end.
// entry: copy_string
// for: dst size bytes, size <= 3; src string <= 3
// passes: src != NULL; src != NULL; dst != NULL; dst != NULL
size_t copy_string(char *dst, const char *src, size_t size)
{
    size_t i;
    for (i = 0; i + 1 < size && src[i]; i++) //? null
        dst[i] = src[i]; //? null
    if (size)
        dst[i] = 0; //? null
    while (src[i]) //? null
        i++;
    return i;
}

// One more than there is room for.
// entry: copy_string_off
// for: dst size bytes, size <= 3; src string
void copy_string_off(char *dst, const char *src, size_t size)
{
    size_t i;
    for (i = 0; i < size && src[i]; i++) //? null
        dst[i] = src[i]; //? null
    dst[i] = 0; //! oob-write //? null
}

// What is encoded has its length; how much room its result needs is another matter.
// entry: hex
// for: src len bytes, len <= 3; dst 256 bytes
void hex(char *dst, const char *src, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        dst[2 * i] = (char)('a' + (src[i] >> 4 & 15)); //? null
        dst[2 * i + 1] = (char)('a' + (src[i] & 15));
    }
}

// A string is one whatever number stands beside it.
// entry: length_and
// for: s string <= 3
// passes: s != NULL
int length_and(const char *s, int n)
{
    return (int)strlen(s) ^ n; //? null
}

// But bytes of a given length may have zeros among them.
// entry: count_zeros
// for: s n bytes, n <= 3
// passes: s != NULL
int count_zeros(const char *s, size_t n)
{
    int zeros = 0;
    for (size_t i = 0; i < n; i++)
        zeros += s[i] == 0; //? null
    return zeros;
}

typedef struct Values {
    int count;
    int *vals;
} Values;

// One too many is read.
// entry: sum_values
// for: v one object; v->vals v->count elements (NULL: none), 0 <= v->count <= 3
int sum_values(const Values *v)
{
    int t = 0;
    for (int i = 0; i <= v->count; i++) //? null
        t ^= v->vals[i]; //! oob-read //? null
    return t;
}

// There may be room behind what is used.
// entry: add_value
// for: v one object; v->vals v->count elements (NULL: none), 0 <= v->count <= 3
// incomplete: no call came to its end
void add_value(Values *v, int x)
{
    v->vals[v->count++] = x; //? null oob-write
}

// No stream is the caller's to avoid, however it is read.
// entry: read_number
// for: in stream <= 3 bytes
// passes: in != NULL
int read_number(FILE *in)
{
    int x = 0;
    return fscanf(in, "%d", &x) == 1 ? x : -1; //? null
}

// It is called without more arguments.
// entry: sum_all
// for: no arguments for '...'
// passes: arguments for '...'
int sum_all(int n, ...)
{
    va_list args;
    int t = 0;
    va_start(args, n);
    for (int i = 0; i < n; i++)
        t ^= va_arg(args, int); //? oob-read
    va_end(args);
    return t;
}
