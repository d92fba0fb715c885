// cflags: -std=gnu89 -Wno-deprecated-non-prototype -Wno-implicit-function-declaration
// Old-style definitions and calls without prototypes; default promotions.
#include <stdio.h>

int add(a, b, c)
    char a;
    float b;
    long c;
{
    return a + (int)b + (int)c;
}

int implicit();

main()
{
    printf("%d\n", add('\1', 2.5, 3L));
    printf("%d\n", implicit(4, 5));
    return 0;
}

int implicit(x, y) { return x * y; }
