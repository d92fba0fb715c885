/* a recursion that prints: its calls are not abstracted
 * VERDICT different */
#include <stdio.h>

unsigned digits(unsigned n)
{
    if (n < 10) {
        putchar('0' + n);
        return 1;
    }
#ifdef NEW
    putchar('0' + n % 10);
    return digits(n / 10) + 1;
#else
    unsigned d = digits(n / 10);
    putchar('0' + n % 10);
    return d + 1;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 0; n < 2000; n++)
        printf("\n%u\n", digits(n));
    return 0;
}
#endif
