/* prelude.h - what a generated program is made of, natively and under Sheaf (which sees plain C).
 *
 * BRANCH(n, c)   a condition whose outcome is reported      CHECK(n, c)        fails where c is 0
 * DIV(n, a, b)   a / b, fails where b is 0              AT(n, v, size, i)  v[i], fails where i is outside
 * DEREF(n, p)    *p, fails where p is null              CALL(n, f)         f, fails where it is null
 * LENGTH(n, size, i)  i, fails where it is beyond size  TEXT(n, size, s)   s, fails where its bytes are more
 * than size USE(n, h, dead), FREE(n, h, dead)                     fail where the cell h was freed; dead says
 * so natively EXIT(status)   ends the program                       PRINT(...), OUTPUT(x)  what the program
 * prints, and its output FAILS(n, bad)  what follows fails where bad is not 0  NOTE(x)            x natively
 * only: what FAILS must know ASSUME(c)      ends the program where c is 0, which is no input then HERE(n)
 * this statement is reached              GOES(c)            c, the condition of a loop, which natively goes
 * round for so long only READ(), ASKED()  the next byte of input, read or an input of its own; -1 if there is
 * none     ONCE(x)  a static variable, 0 at first BEGIN()        of the program, for these four Statement n
 * stands on line n, so a fault's line names it. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char reported[4096];
static int nreported;
static void tell(int c)
{
    if (nreported < (int)sizeof reported)
        reported[nreported++] = (char)c;
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
#ifdef QUIET /* what branches tell would tie them all together */
#define BRANCH(n, c) (c)
#else
#define BRANCH(n, c) branch(n, c)
#endif

static signed char in[3];

/* What the wider grammar's programs share. */
typedef struct Pair {
    int x;
    signed char c;
    short y;
    int v[2];
} Pair;
typedef struct Node {
    int value;
    struct Node *next;
} Node;
typedef struct Element {
    int v, w;
    struct Element *next;
    int t[2];
} Element;
static Pair turned(Pair p)
{
    Pair q = {p.y, p.c, (short)p.x, {p.v[1], p.v[0]}};
    return q;
}
static int sum(int n, ...)
{
    int total = 0;
    va_list rest;
    va_start(rest, n);
    for (int i = 0; i < n; i++)
        total += va_arg(rest, int);
    va_end(rest);
    return total;
}
static int smaller(int a, int b) { return a < b ? a : b; }
static int mixed(int a, int b) { return (a ^ b) & 7; }
static int same(int a, int b) { return a == b; }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int recursion(int n, int x)
{
    if (n <= 0)
        return x;
    return recursion(n - 1, x + n) + (x > 2);
}
static jmp_buf back;

/* What they hand pointers to. */
typedef struct Cell {
    int *to, x;
} Cell;
static void put(int *p, int x) { *p = x & 15; }
static void put_other(int *p, int x)
{
    if (x > 1)
        *p = x & 7;
}
static void put_if(int *p, int c, int x)
{
    if (c > 0)
        put(p, x);
}
static void put_deep(int n, int *p, int *q, int x)
{
    if (n <= 0)
        put(p, x);
    else
        put_deep(n - 1, q, p, x);
}
static void put_last(int *end, int c)
{
    if (c > 0)
        end[-1] = 9;
}
static void put_cell(Cell *c) { put(c->to, c->x); }
static void put_through(void (*f)(int *, int), int *p, int x) { f(p, x); }
static void put_text(char *to, int x) { snprintf(to, 4, "%d", x & 15); }
static int *either(int *p, int *q, int c) { return c > 0 ? p : q; }
static void swap(int *p, int *q)
{
    int t = *p;
    *p = *q;
    *q = t;
}
static int *fresh(int x)
{
    int *p = malloc(sizeof *p);
    *p = x;
    return p;
}
static void release(int *p) { free(p); }

/* What programs fail by (failures.c). */
typedef struct Ops {
    int (*f)(int, int);
    int limit;
} Ops;
typedef struct Link {
    struct Link *next;
    int value, dead; /* dead: natively, where nothing is freed */
} Link;
static Link *linked(int value, Link *next)
{
    Link *l = malloc(sizeof *l);
    l->next = next;
    l->value = value;
    l->dead = 0;
    return l;
}

/* What programs do with strings (strings.c): which sign a comparison has, and where a search ended, z being
 * searched. */
#define SIGN(x)              \
    ({                       \
        int x_ = (x);        \
        (x_ > 0) - (x_ < 0); \
    })
#define PLACE(text, found)                     \
    ({                                         \
        const char *z = (text), *f_ = (found); \
        f_ ? (int)(f_ - z) : 7;                \
    })

#ifdef NATIVE
enum { LEFT = 256 }; /* behind the numbers of statements: an exit and its status */
static jmp_buf failed;
static char printed[4096];
static int nprinted, output, has_output;
static int fail(int n)
{
    longjmp(failed, n);
    return 0;
}
#define CHECK(n, c)  ((c) ? 0 : fail(n))
#define DIV(n, a, b) divide(n, a, b)
static int divide(int n, int a, int b) { return b == 0 ? fail(n) : a / b; }
#define AT(n, v, size, i) (v)[inside(n, size, i)]
static int inside(int n, int size, int i) { return i >= 0 && i < size ? i : fail(n); }
#define DEREF(n, p) (*(__typeof__(p))target(n, p))
static void *target(int n, void *p)
{
    if (!p)
        fail(n);
    return p;
}
#define CALL(n, f)         ((f) ? (f) : (fail(n), (f)))
#define LENGTH(n, size, i) length(n, size, i)
static size_t length(int n, int size, int i) { return (size_t)(i <= size ? i : fail(n)); }
#define TEXT(n, size, s) (strlen(s) < (size) ? (s) : (fail(n), (s)))
#define USE(n, h, dead)  (*((dead) ? (fail(n), (h)) : (h)))
#define FREE(n, h, dead) ((dead) ? fail(n) : ((dead) = 1))
/* Are three bytes without a NUL compared with more than that? Is a byte looked for that is not among them? */
static int overruns(const char *u, const char *w, int n)
{
    for (int i = 0; i < 3; i++)
        if (i >= n || u[i] != w[i] || !u[i])
            return 0;
    return n > 3;
}
static int lacks(const char *u, char c)
{
    for (int i = 0; i < 3; i++)
        if (u[i] == c || !u[i])
            return 0;
    return 1;
}
/* Do they read as a number that goes on behind them? */
static int unended(const char *u)
{
    int i = 0;
    while (i < 3 && isspace((unsigned char)u[i]))
        i++;
    i += i < 3 && (u[i] == '-' || u[i] == '+');
    while (i < 3 && isdigit((unsigned char)u[i]))
        i++;
    return i == 3;
}
enum { LARGE = 16 }; /* of the stack; natively there must be room for two */
#define FAILS(n, bad) \
    if (bad)          \
        fail(n);
#define NOTE(x) ((void)(x))
#define ASSUME(c)    \
    do {             \
        if (!(c))    \
            EXIT(0); \
    } while (0)
#define OPENED()         ((FILE *)0)
#define INTO(f, c)       ((void)0)
#define PUT(text, n)     (memcpy(printed + nprinted, text, (size_t)(n)), nprinted += (n))
#define SHUT(n, f, shut) ((shut) ? fail(n) : ((shut) = 1))
#define DROP(n, l)       ((l)->dead ? fail(n) : ((l)->dead = 1))
#define EXIT(status)     longjmp(failed, LEFT + (status))
#define PRINT(...)       (nprinted += snprintf(printed + nprinted, sizeof printed - (size_t)nprinted, __VA_ARGS__))
#define OUTPUT(x)        (output = (x), has_output = 1)
static char reached[128];
static int rounds, nread, era;
#define BEGIN() (memset(reached, 0, sizeof reached), rounds = nread = 0, era++)
#define HERE(n) (reached[n] ? (void)0 : (reached[n] = 1, tell(n), tell('.')))
#define GOES(c) ((c) && (++rounds < 5000 || (EXIT(0), 0)))
#define READ()  (nread < 3 ? in[nread++] & 255 : -1)
#define ASKED() READ()
#define ONCE(x)               \
    static int x, era_of_##x; \
    if (era_of_##x != era)    \
    x = 0, era_of_##x = era
#else
#include <sheaf.h>
#include <unistd.h>
#define CHECK(n, c)  \
    do {             \
        if (!(c))    \
            abort(); \
    } while (0)
static int nought; /* keeps LLVM from folding a division of constants by zero to nothing */
#define DIV(n, a, b)       ((a) / ((b) + nought))
#define AT(n, v, size, i)  (v)[i]
#define DEREF(n, p)        (*(p))
#define CALL(n, f)         (f)
#define LENGTH(n, size, i) ((size_t)(i))
#define TEXT(n, size, s)   (s)
#define USE(n, h, dead)    (*(h))
#define FREE(n, h, dead)   free(h)
enum { LARGE = 5000000 };
#define FAILS(n, bad)
#define NOTE(x)    ((void)0)
#define ASSUME(c)  sheaf_assume(c)
#define OPENED()   tmpfile()
#define INTO(f, c) fputc(c, f)
#define PUT(text, n)                       \
    ((void)*(const volatile char *)(text), \
     write(1, text, (size_t)(n))) /* of a null pointer write alone makes an error, no fault */
#define SHUT(n, f, shut) fclose(f)
#define DROP(n, l)       free(l)
#define EXIT(status)     exit(status)
#define PRINT(...)       printf(__VA_ARGS__)
#define BEGIN()          ((void)0)
static void here(int n) { (void)n; }
#define HERE(n)          here(n)
#define GOES(c)          (c)
static int next(void)
{
    int c = getchar();
    sheaf_assume((c == -1) | (((signed char)c >= -2) & ((signed char)c <= 2)));
    return c;
}
static int asked(void)
{
    static int n;
    signed char c;
    if (n == 3)
        return -1;
    n++;
    sheaf_symbolic(&c, 1, "c");
    sheaf_assume((c >= -2) & (c <= 2));
    return c & 255;
}
#define READ()           next()
#define ASKED()          asked()
#define ONCE(x)          static int x
#define OUTPUT(x)                                       \
    do {                                                \
        int output = (x);                               \
        sheaf_output(&output, sizeof output, "output"); \
    } while (0)
#endif
