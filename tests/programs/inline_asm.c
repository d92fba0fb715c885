// Empty assembly as a barrier and as an optimisation fence: no instruction, operands tied.
#include <stdio.h>

int main(void)
{
    int x = 5;
    long y = 7;
    __asm__ volatile("" : : : "memory");
    __asm__("" : "+r"(x));
    __asm__ volatile("" : "=r"(y) : "0"(y));
    printf("%d %ld\n", x, y);
    return 0;
}
