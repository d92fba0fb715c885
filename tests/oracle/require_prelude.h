/* require_prelude.h - what functions of the oracle `require` are made of: natively each operation that can
 * fail is checked. */
#ifndef SHEAF_TESTS_REQUIRE_PRELUDE_H
#define SHEAF_TESTS_REQUIRE_PRELUDE_H

#include <stdlib.h>
#include <stdint.h>

struct rec {
    int n;
    int *v;
};
int unknown(int u, int *w); /* Sheaf is not reported what it does */

#ifdef NATIVE
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include "require_point.h"

static jmp_buf out;
static int object_x[POINT_X], object_y[POINT_Y];
static struct rec object_r;
static long ticks, tick_limit;
enum { RETURNED, FAILED, ENDLESS };

static void fail(void) { longjmp(out, 1 + FAILED); }
static void tick(void)
{
    if (++ticks > tick_limit)
        longjmp(out, 1 + ENDLESS);
}
static int *at(int *p, int i)
{
    int n = p == object_x ? POINT_X : p == object_y ? POINT_Y : 0;
    if (i < 0 || i >= n)
        fail();
    return p + i;
}
static int *in(int *table, int n, int i)
{
    if (i < 0 || i >= n)
        fail();
    return table + i;
}
static struct rec *rec(struct rec *r)
{
    if (!r)
        fail();
    return r;
}
static int quotient(int a, int b)
{
    if (!b || (a == INT_MIN && b == -1))
        fail();
    return a / b;
}
int unknown(int u, int *w)
{
    if (u == 3)
        longjmp(out, 1 + RETURNED);
    if (u == 2)
        fail();
    if (w)
        *w = 0;
    return u ^ 1;
}
static int *pointer(int which) { return which == 1 ? object_x : which == 2 ? object_y : NULL; }

#define ARGUMENTS   (signed char)o.a, (signed char)o.b, pointer(o.p), pointer(o.q), o.r ? &object_r : NULL
#define TICK        tick()
#define AT(p, i)    (*at(p, i))
#define IN(t, n, i) (*in(t, n, i))
#define REC(r)      rec(r)
#define DIV(a, b)   quotient(a, b)
#define FAIL()      fail()
#else
#define TICK        ((void)0)
#define AT(p, i)    ((p)[i])
#define IN(t, n, i) ((t)[i])
#define REC(r)      (r)
#define DIV(a, b)   ((a) / (b))
#define FAIL()      abort()
#endif

#endif
