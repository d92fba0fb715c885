/* Powers with integer exponents, which clang calls its own library for. */
#include <stdio.h>

int main(void)
{
    volatile double d = 1.1;
    volatile float f = -2.5f;
    volatile long double l = 3.3L;
    for (int i = -9; i < 12; i++)
        printf("%a %a %La\n", __builtin_powi(d, i), __builtin_powif(f, i), __builtin_powil(l, i));
    return 0;
}
