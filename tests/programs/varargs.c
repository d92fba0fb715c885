// Variadic functions: every class of argument, va_copy, passing the list on, structures by value.
#include <stdarg.h>
#include <stdio.h>

typedef struct { int a; char b; } Small;
typedef struct { double x, y; } Pair;
typedef struct { long v[5]; } Large;

static void show(const char *kinds, ...)
{
    va_list ap;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': printf("%d ", va_arg(ap, int)); break;
        case 'l': printf("%ld ", va_arg(ap, long)); break;
        case 'd': printf("%g ", va_arg(ap, double)); break;
        case 'L': printf("%Lg ", va_arg(ap, long double)); break;
        case 's': printf("%s ", va_arg(ap, char *)); break;
        case 'S': { Small s = va_arg(ap, Small); printf("{%d %c} ", s.a, s.b); break; }
        case 'P': { Pair p = va_arg(ap, Pair); printf("{%g %g} ", p.x, p.y); break; }
        case 'B': { Large b = va_arg(ap, Large); printf("{%ld..%ld} ", b.v[0], b.v[4]); break; }
        }
    va_end(ap);
    puts("");
}

static int sum(int n, va_list ap)
{
    int s = 0;
    while (n-- > 0)
        s += va_arg(ap, int);
    return s;
}

static int twice(int n, ...)
{
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    int s = sum(n, ap) * 1000 + sum(n, again);
    va_end(again);
    va_end(ap);
    return s;
}

int main(void)
{
    show("iildLs", 1, -2, 3L, 4.5, 5.25L, "six");
    show("dddddddddddiiiiiiiii", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 1, 2, 3, 4, 5, 6, 7, 8, 9);
    show("SiPdBLS", (Small){7, 'q'}, 8, (Pair){1.5, 2.5}, 9.5, (Large){{1, 2, 3, 4, 5}}, 10.5L, (Small){11, 'z'});
    printf("%d\n", twice(4, 1, 2, 3, 4));
    return 0;
}
