/* memory.c - the mem* half of string.h, and its relatives in strings.h. */
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "window.h"

void *memcpy(void *restrict to, const void *restrict from, size_t n) { return __builtin_memcpy(to, from, n); }

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    return (char *)__builtin_memcpy(to, from, n) + n;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    return (char *)__builtin_memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }

void *memset(void *to, int c, size_t n) { return __builtin_memset(to, c, n); }

void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

void bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

void explicit_bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }

/* The difference of the first bytes that differ, without a decision for each byte: a run over symbolic bytes
 * learns "equal or not", not where, and of the last bytes not even that. Blocks bound what a difference near
 * the start of long buffers costs. */
static int compare(const unsigned char *a, const unsigned char *b, size_t n)
{
    enum { BLOCK = 32 };
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t end = n - done < BLOCK ? n : done + BLOCK;
        int difference = 0;
        if (end == n && bytes_compared(a + done, b + done, n - done, &difference))
            return difference;
        for (size_t i = done; i < end; i++) {
            int here = a[i] - b[i];
            difference = difference ? difference : here;
        }
        if (difference)
            return difference;
    }
    return 0;
}

int memcmp(const void *a, const void *b, size_t n) { return compare(a, b, n); }

int bcmp(const void *a, const void *b, size_t n) { return compare(a, b, n); }

int __memcmpeq(const void *a, const void *b, size_t n) { return compare(a, b, n); }

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s, *found = NULL;
    if (byte_found(&p, &n, -1, (unsigned char)c, &found))
        return (void *)found;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return NULL;
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = n; i-- > 0;)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return NULL;
}

void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

void *__rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (size_t i = 0; i < n; i++) {
        d[i] = s[i];
        if (s[i] == (unsigned char)c)
            return d + i + 1;
    }
    return NULL;
}

/* A place is decided as a whole; of a long needle the first byte decides alone, which costs runs over
 * symbolic bytes a decision and saves the others most of the work. */
void *__sheaf_find(const void *hay, size_t nhay, const void *needle, size_t nneedle)
{
    enum { SHORT = 4 };
    const unsigned char *h = hay, *x = needle;
    if (nneedle == 0)
        return (void *)h;
    for (size_t i = 0; nhay - i >= nneedle && i < nhay; i++)
        if ((nneedle <= SHORT || h[i] == x[0]) && compare(h + i, x, nneedle) == 0)
            return (void *)(h + i);
    return NULL;
}

void *memmem(const void *hay, size_t nhay, const void *needle, size_t nneedle)
{
    return __sheaf_find(hay, nhay, needle, nneedle);
}

void *memfrob(void *s, size_t n)
{
    unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        p[i] ^= 42;
    return s;
}

void swab(const void *restrict from, void *restrict to, ssize_t n)
{
    const char *s = from;
    char *d = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char first = s[i];
        d[i] = s[i + 1];
        d[i + 1] = first;
    }
}

/* 1 + the number of the lowest bit that is set, by halves: no decision, no loop. */
static int find_first_set(unsigned long x)
{
    int at = 1;
    for (int half = 32; half > 0; half /= 2) {
        int skip = (x & ((1ul << half) - 1)) == 0 ? half : 0;
        x >>= skip;
        at += skip;
    }
    return x & 1 ? at : 0;
}

int ffs(int x) { return find_first_set((unsigned)x); }

int ffsl(long x) { return find_first_set((unsigned long)x); }

int ffsll(long long x) { return find_first_set((unsigned long)x); }
