#include <sheaf.h>
#include <stdio.h>

static int scale(int x) { return x + x + x; }

static int ask(void)
{
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    return x;
}

int main(void)
{
    int zero = scale(0), a = ask();
    int b = ask() + zero;
    if (a > b)
        printf("%d\n", scale(a));
    else
        printf("%d\n", b);
    return 0;
}
