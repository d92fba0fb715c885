/* utf8.h - private to base: what both the JSON writer and the reader know of UTF-8. */
#ifndef SHEAF_BASE_UTF8_H
#define SHEAF_BASE_UTF8_H

#include <stddef.h>

/* The size of the well-formed character at p (n bytes are left), or 0: neither overlong forms, surrogates,
 * values beyond U+10FFFF nor cut-off sequences are well formed. */
static inline size_t utf8_size(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;
    if (!n)
        return 0;
    size_t size = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : u[0] < 0xf5 ? 4 : 0;
    if (size > n)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] >= 0xa0) || (u[0] == 0xf0 && u[1] < 0x90) ||
        (u[0] == 0xf4 && u[1] >= 0x90))
        return 0;
    return size;
}

#endif
