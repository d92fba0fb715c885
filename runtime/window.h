/* window.h - strings with symbolic bytes, as one value.
 *
 * A walk along a string decides at each symbolic byte whether the string goes on. The functions here ask the
 * machine for windows (src/vm/core/prim.def): runs of bytes that are all inside of the object, in some of
 * which the string may end. Of a window they compute one value, from its end to its beginning, so that each
 * place is a choice by its own bytes and by nothing else. Only whether the string has ended by the end of the
 * window is decided, and that is no question if a byte there surely is its end. What they leave is walked
 * byte by byte: symbolic pointers, uninitialised bytes, and what is behind the end of the object, so that a
 * string without a NUL fails where it always did. */
#ifndef SHEAF_RUNTIME_WINDOW_H
#define SHEAF_RUNTIME_WINDOW_H

#include "internal.h"

#define WINDOW_FN static inline __attribute__((always_inline))

WINDOW_FN size_t window_skip(size_t window) { return window >> 32; }

WINDOW_FN size_t window_seen(size_t window) { return window & 0xffffffff; }

/* Compares at most *n bytes of two strings. True: *difference is the answer. False: the pointers stand where
 * the strings are still equal, and *n bytes from there on are left. */
WINDOW_FN bool string_compared(const char **a, const char **b, size_t *n, bool folded, int *difference)
{
    bool ended = false;
    while (*n && !ended) {
        size_t window = __sheaf_window_pair(*a, *b, *n, 0, folded), skip = window_skip(window),
               seen = window_seen(window);
        *a += skip, *b += skip, *n -= skip;
        if (!seen)
            break;
        ended = seen == *n;
        *difference = 0;
        for (size_t i = seen; i-- > 0;) {
            int x = __sheaf_peek(*a + i), y = __sheaf_peek(*b + i);
            x = folded ? ascii_lower(x) : x, y = folded ? ascii_lower(y) : y;
            bool ends = (x != y) | (x == 0);
            *difference = ends ? x - y : *difference;
            ended |= ends;
        }
        if (!ended)
            *a += seen, *b += seen, *n -= seen;
    }
    return ended;
}

/* Compares n bytes, which are not 0 and few: true if they are in one window, up to the last of them. */
WINDOW_FN bool bytes_compared(const unsigned char *a, const unsigned char *b, size_t n, int *difference)
{
    size_t window = __sheaf_window_pair(a, b, n, -1, false), skip = window_skip(window),
           seen = window_seen(window);
    if (!seen || skip + seen != n)
        return false;
    *difference = 0;
    for (size_t i = n; i-- > skip;) {
        int x = __sheaf_peek(a + i), y = __sheaf_peek(b + i);
        *difference = x != y ? x - y : *difference;
    }
    return true;
}

/* The first of at most *most bytes that is c, or of a string if `end` is 0 (-1: of any bytes), where the
 * bytes are known and c is not: "is this one of those". Where the bytes are symbolic, each place where c may
 * be is a path: what is done with it depends on the place. True: *found is where it is, or NULL. False: it is
 * not before *s, and *most bytes are left. */
WINDOW_FN bool byte_found(const unsigned char **s, size_t *most, int end, int c, const unsigned char **found)
{
    bool ended = false;
    while (*most && !ended) {
        size_t seen = __sheaf_window(*s, *most, end, c);
        if (!seen)
            break;
        ended = seen == *most;
        *found = NULL;
        for (size_t i = seen; i-- > 0;) {
            int here = (*s)[i];
            bool ends = here == end;
            *found = here == c ? *s + i : ends ? NULL : *found;
            ended |= (here == c) | ends;
        }
        if (!ended)
            *s += seen, *most -= seen;
    }
    return ended;
}

WINDOW_FN int string_compare_folded(const char *a, const char *b, size_t n)
{
    int difference = 0;
    if (string_compared(&a, &b, &n, true, &difference))
        return difference;
    for (size_t i = 0; i < n; i++) {
        int x = ascii_lower((unsigned char)a[i]), y = ascii_lower((unsigned char)b[i]);
        if ((x != y) | (x == 0))
            return x - y;
    }
    return 0;
}

#endif
