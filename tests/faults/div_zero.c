// fault: div-zero
#include <stdio.h>

static int average(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n;
}

int main(void)
{
    printf("%d\n", average((int[]){1, 2}, 2));
    printf("%d\n", average((int[]){1, 2}, 0));
    return 0;
}
