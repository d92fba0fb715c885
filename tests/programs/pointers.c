// Pointers: to pointers, to arrays, to functions; differences, comparisons, casts to integers and back, void pointers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct record { char tag; int values[3]; struct { short a, b; } inner; };

static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*choose(int which))(int, int) { return which ? add : sub; }

static void swap_any(void *a, void *b, size_t n)
{
    unsigned char *x = a, *y = b;
    while (n--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

int main(void)
{
    int m[3][4], (*row)[4] = m, *flat = &m[0][0], **pp = &flat;
    for (int i = 0; i < 12; i++)
        (*pp)[i] = i * i;
    printf("%d %d %td %td\n", row[1][2], (*(row + 2))[3], &m[2][3] - &m[0][0], (char *)&m[1] - (char *)m);
    printf("%zu %zu %zu\n", offsetof(struct record, values[2]), offsetof(struct record, inner.b), sizeof(struct record));
    struct record r = {'r', {1, 2, 3}, {4, 5}}, *p = &r;
    short *b = (short *)((char *)p + offsetof(struct record, inner.b));
    *b += 10;
    printf("%d %d\n", r.inner.b, p->values[2]);
    uintptr_t word = (uintptr_t)&r.values[1];
    *(int *)(word + sizeof(int)) = 99;
    printf("%d %d\n", r.values[2], (int)((word & 3) == 0));
    printf("%d %d\n", apply(choose(1), 7, 5), apply(choose(0), 7, 5));
    double x = 1.5, y = -2.5;
    swap_any(&x, &y, sizeof x);
    printf("%g %g\n", x, y);
    const char *words[] = {"alpha", "beta", "gamma", NULL}, **w = words;
    while (*w)
        printf("%c%s ", **w, *w + 1), w++;
    printf("%td %d\n", w - words, &words[1] < &words[2]);
    return 0;
}
