// fault: overflow
// check: overflow
#include <stdio.h>

int main(void)
{
    int product = 1;
    for (int i = 1; i < 14; i++)
        product *= i;
    printf("%d\n", product);
    return 0;
}
