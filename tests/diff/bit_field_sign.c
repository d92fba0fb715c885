/* a bit-field becomes signed
 * VERDICT different */
struct s {
#ifdef NEW
    signed
#else
    unsigned
#endif
        int a : 3;
    unsigned b : 5;
};
int read(unsigned x)
{
    struct s v = {0};
    v.a = x;
    v.b = x >> 3;
    return v.a * 100 + v.b;
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned i = 0; i < 256; i += 3)
        printf("%d\n", read(i));
    return 0;
}
#endif
