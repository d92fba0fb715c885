/* prelude.h - what a generated program is made of, natively and under Sheaf (which sees plain C).
 *
 * BRANCH(n, c)  a condition whose outcome is told     CHECK(n, c)      fails where c is 0
 * DIV(n, a, b)  a / b, fails where b is 0             AT(n, v, size, i) v[i], fails where i is outside
 * DEREF(n, p)   *p, fails where p is null             Statement n stands on line n, so a fault's line names it. */
#include <stdlib.h>

static char told[4096];
static int ntold;
static void tell(int c)
{
    if (ntold < (int)sizeof told)
        told[ntold++] = (char)c;
}
static int branch(int n, int taken)
{
    if (taken) {
        tell(n);
        tell('+');
        return 1;
    }
    tell(n);
    tell('-');
    return 0;
}
#define BRANCH(n, c) branch(n, c)

static signed char in[3];

#ifdef NATIVE
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf failed;
static int fail(int n)
{
    longjmp(failed, n);
    return 0;
}
#define CHECK(n, c) ((c) ? 0 : fail(n))
#define DIV(n, a, b) divide(n, a, b)
static int divide(int n, int a, int b) { return b == 0 ? fail(n) : a / b; }
#define AT(n, v, size, i) (v)[inside(n, size, i)]
static int inside(int n, int size, int i) { return i >= 0 && i < size ? i : fail(n); }
#define DEREF(n, p) (*(int *)target(n, p))
static void *target(int n, void *p)
{
    if (!p)
        fail(n);
    return p;
}
#else
#include <sheaf.h>
#include <unistd.h>
#define CHECK(n, c) do { if (!(c)) abort(); } while (0)
static int nought;                            /* keeps LLVM from folding a division of constants by zero to nothing */
#define DIV(n, a, b) ((a) / ((b) + nought))
#define AT(n, v, size, i) (v)[i]
#define DEREF(n, p) (*(p))
#endif
