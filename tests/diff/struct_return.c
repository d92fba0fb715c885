/* a field of a returned structure
 * VERDICT different */
struct pair { short a; long b; };
struct pair make(int x)
{
    struct pair p = {(short)x, x};
#ifdef NEW
    if (x == 70000)
        p.a++;
#endif
    return p;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 69990; i < 70010; i++) {
        struct pair p = make(i);
        printf("%d %ld\n", p.a, p.b);
    }
    return 0;
}
#endif
