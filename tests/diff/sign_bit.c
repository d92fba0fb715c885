/* the sign is taken from the bits: minus zero
 * VERDICT different */
union u {
    float f;
    unsigned w;
};
int negative(float x)
{
#ifdef NEW
    union u v = {.f = x};
    return v.w >> 31;
#else
    return x < 0;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    float t[] = {0, -0.0f, 1, -1};
    for (int i = 0; i < 4; i++)
        printf("%d\n", negative(t[i]));
    return 0;
}
#endif
