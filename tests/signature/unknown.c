// A function that is not defined may print or exit: what is printed after it is not known.
#include <sheaf.h>
#include <stdio.h>

extern void mystery(int x);

int main(void)
{
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    if (x > 3)
        mystery(x);
    printf("%d\n", x + 1);
    return 0;
}
