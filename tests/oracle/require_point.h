/* require_point.h - what a function of the oracle `require` is called with; shared by the oracle and the
 * native program.
 *
 * A point is a function of the seed and its number alone. */
#ifndef SHEAF_TESTS_REQUIRE_POINT_H
#define SHEAF_TESTS_REQUIRE_POINT_H

#include <stdint.h>

enum {
    POINTS = 200, /* for each function */
    POINT_TABLE = 4,
    POINT_X = 1,
    POINT_Y = 3
}; /* elements of the global table, and of the two objects that pointers lead to */

typedef struct Point {
    int a, b, g; /* two parameters and a global, of 8 bits */
    int table[POINT_TABLE], x[POINT_X], y[POINT_Y];
    int p, q, v; /* pointers: 0 null, 1 to x, 2 to y */
    int r, n;    /* a structure: 0 null, 1 there; its members are n and v */
} Point;

static inline uint64_t point_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline int point_value(uint64_t *state)
{
    static const signed char values[] = {0, 1, 2, 3, 4, 5, 7, 16, 100, 127, -1, -2, -5, -128};
    return point_next(state) % 4 ? (int)(point_next(state) % 6) - 1
                                 : values[point_next(state) % sizeof values];
}

static inline Point point_make(uint64_t seed, uint32_t number)
{
    uint64_t state = seed * 1000003 + number;
    Point p = {.a = point_value(&state),
               .b = point_value(&state),
               .g = point_value(&state),
               .n = point_value(&state)};
    for (int i = 0; i < POINT_TABLE; i++)
        p.table[i] = point_value(&state);
    for (int i = 0; i < POINT_X; i++)
        p.x[i] = point_value(&state);
    for (int i = 0; i < POINT_Y; i++)
        p.y[i] = point_value(&state);
    p.p = point_next(&state) % 8 ? (int)(1 + point_next(&state) % 2) : 0;
    p.q = point_next(&state) % 8 ? (int)(1 + point_next(&state) % 2) : 0;
    p.v = point_next(&state) % 8 ? (int)(1 + point_next(&state) % 2) : 0;
    p.r = point_next(&state) % 8 != 0;
    return p;
}

#endif
