// Globals: initialisers with addresses, function tables, tentative definitions, statics in functions, designated parts.
#include <stdio.h>

extern int later;
static int *to_later = &later;
int tentative;
int later = 17;
static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static int cells[10] = {[3] = 33, [7 ... 9] = 5};
static int *middle = &cells[5], *end = cells + 10;
static char text[] = "array", *literal = "pointer";
static const double constants[] = {1.5, -0.0, 3e100};
static union { int i; char c[8]; } u = {.c = "union"};
static struct { const char *name; int (*f)(int); int *where; } table[] = {{"inc", inc, &cells[3]}, {"dbl", dbl, &later}};
static long difference = (char *)&cells[4] - (char *)&cells[1];

static int counter(void)
{
    static int n = 100;
    return n++;
}

int main(void)
{
    *to_later += 1;
    printf("%d %d\n", later, tentative);
    for (int i = 0; i < 2; i++)
        printf("%s %d\n", table[i].name, table[i].f(*table[i].where));
    printf("%d %td %d\n", middle[3], end - middle, cells[0]);
    text[0] = 'A';
    printf("%s %s %zu\n", text, literal, sizeof text);
    printf("%g %g %g %s %ld\n", constants[0], constants[1], constants[2], u.c, difference);
    counter();
    counter();
    return counter();
}
