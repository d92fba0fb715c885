// fault: shift
// check: shift
#include <stdio.h>

int main(void)
{
    unsigned sum = 0;
    for (int bit = 0; bit <= 32; bit++)
        sum ^= 1u << bit;
    printf("%x\n", sum);
    return 0;
}
