/* bytes of a union in the other order
 * VERDICT different */
union word { unsigned w; unsigned char b[4]; };
unsigned swap(unsigned x)
{
    union word u, v;
    u.w = x;
#ifdef NEW
    for (int i = 0; i < 4; i++)
        v.b[i] = u.b[3 - i];
#else
    for (int i = 0; i < 4; i++)
        v.b[i] = u.b[i ^ 2];
#endif
    return v.w;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned x = 0; x < 1000; x++)
        printf("%u\n", swap(x * 77777u));
    return 0;
}
#endif
