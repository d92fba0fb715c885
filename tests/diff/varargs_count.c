/* one variable argument more is read
 * VERDICT different */
#include <stdarg.h>
static int sum(int n, ...)
{
    int total = 0;
    va_list rest;
    va_start(rest, n);
#ifdef NEW
    for (int i = 0; i < n; i++)
#else
    for (int i = 1; i < n; i++)
#endif
        total += va_arg(rest, int);
    va_end(rest);
    return total;
}
int three(int a, int b, int c)
{
    return sum(3, a, b, c);
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            printf("%d\n", three(a, b, 5));
    return 0;
}
#endif
