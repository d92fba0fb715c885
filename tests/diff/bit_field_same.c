/* a bit-field is read by shifting
 * VERDICT same */
struct flags { unsigned a : 3; unsigned b : 5; };
unsigned pack(unsigned a, unsigned b)
{
#ifdef NEW
    return (a & 7) | (b & 31) << 3;
#else
    struct flags f;
    f.a = a;
    f.b = b;
    return f.a | f.b << 3;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned a = 0; a < 40; a++)
        for (unsigned b = 0; b < 40; b++)
            printf("%u\n", pack(a, b));
    return 0;
}
#endif
