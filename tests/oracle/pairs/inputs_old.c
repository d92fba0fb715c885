/* Inputs are made by calls: an instruction that is inserted must not make others of them. */
#include <sheaf.h>
#include <stdio.h>

static int scale(int x) { return 3 * x; }

static int ask(void)
{
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    return x;
}

int main(void)
{
    int a = ask(), b = ask();
    printf("%d\n", a > b ? scale(a) : b);
    return 0;
}
