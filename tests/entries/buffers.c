// Arrays with their lengths.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// entry: buf_sum
// for: a n elements, n <= 3
int buf_sum(const int *a, int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t ^= a[i]; //? null
    return t;
}

// One element too many.
// entry: buf_max
// for: a count elements, count <= 3
int buf_max(const int *a, size_t count)
{
    int m = 0;
    for (size_t i = 0; i <= count; i++)
        if (a[i] > m) //? null //! oob-read
            m = a[i];
    return m;
}

// entry: buf_first
// for: data size bytes, size <= 3
int buf_first(const uint8_t *data, size_t size)
{
    if (!data)
        return -1;
    return data[0] + (size > 7); //! oob-read
}

// entry: buf_copy
// for: to n bytes, n <= 3; from n bytes, n <= 3
void buf_copy(void *to, const void *from, size_t n)
{
    const char *f = from;
    char *t = to;
    for (size_t i = 0; i < n; i++)
        t[i] = f[i]; //? null
}

// entry: buf_find
// for: data len bytes, len <= 3
int buf_find(const unsigned char *data, unsigned len, unsigned char what)
{
    for (unsigned i = 0; i < len; i++)
        if (data[i] == what) //? null
            return (int)i;
    return -1;
}

// The last one of none.
// entry: buf_last
// for: a n elements, n <= 3
int buf_last(const short *a, unsigned n)
{
    if (!a)
        return 0;
    return a[n - 1]; //! oob-read
}

// entry: buf_fill
// for: out n elements, n <= 3
void buf_fill(int *out, int n, int value)
{
    for (int i = 0; i < n; i++)
        out[i] = value; //? null
}

// entry: buf_dot
// for: a 3 elements; b 3 elements
double buf_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; //? null
}

// entry: buf_read16
// for: p 2 bytes
unsigned buf_read16(const uint8_t *p)
{
    return (unsigned)(p[0] | p[1] << 8); //? null
}

// entry: buf_divide
// for: quotient 1 element
int buf_divide(int a, int b, int *quotient)
{
    if (!quotient)
        return -1;
    *quotient = a / b; //! div-zero div-overflow
    return 0;
}
