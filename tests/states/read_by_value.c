/* Members that overlap, a record that is passed by value, pointers as variable arguments. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
union U {
    int w;
    unsigned char b[4];
};
struct P {
    union U u;
    int *p;
    short s[2];
};
static struct P by_value(struct P p)
{
    p.u.b[1] = 7;
    if (p.p)
        p.s[0]++;
    return p;
}
static int sum(int n, ...)
{
    va_list v;
    va_start(v, n);
    int r = 0;
    while (n--)
        r += *va_arg(v, int *);
    va_end(v);
    return r;
}
int main(void)
{
    int x = 0, y = 0;
    struct P p = {{0}, 0, {0, 0}};
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        p.u.w = 0;
        if (c == 'a')
            p.p = &x;
        else if (c == 'b')
            p.p = &y;
        if (c == 'c')
            p.u.b[2] = 1;
        struct P q = by_value(p);
        if (q.p)
            ++*q.p;
        if (q.u.w == 0x10700)
            p.s[1]++;
    }
    if (sum(2, &x, &y) == 3 && x == 1)
        abort();
    if (p.s[1] == 2 && p.p == &y)
        abort();
    return 0;
}
