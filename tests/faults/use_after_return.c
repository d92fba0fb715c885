// fault: use-after-return
#include <stdio.h>

static int *leak(int x)
{
    int local[4] = {x, x, x, x}, *volatile p = local;
    return p;
}

int main(void)
{
    int *p = leak(5);
    printf("%d\n", p[1]);
    return 0;
}
