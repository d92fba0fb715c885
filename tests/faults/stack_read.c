// fault: oob-read
#include <stdio.h>

static int total(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

int main(void)
{
    int v[5] = {1, 2, 3, 4, 5};
    printf("%d\n", total(v, 6));
    return 0;
}
