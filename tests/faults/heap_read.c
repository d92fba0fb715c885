// fault: oob-read
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *v = malloc(4 * sizeof *v);
    for (int i = 0; i < 4; i++)
        v[i] = i * i;
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += v[i];
    printf("%d\n", sum);
    free(v);
    return 0;
}
