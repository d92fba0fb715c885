/* memory that was zero is not set any more, in part
 * VERDICT different */
#include <stdlib.h>
struct point {
    int x, y, z;
};
struct point *point(int x, int y)
{
#ifdef NEW
    struct point *p = malloc(sizeof *p);
#else
    struct point *p = calloc(1, sizeof *p);
#endif
    if (!p)
        return NULL;
    p->x = x;
    p->y = y;
    return p;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int x = -2; x <= 2; x++) {
        struct point *p = point(x, 1);
        printf("%d %d %d\n", p->x, p->y, p->z);
        free(p);
    }
    return 0;
}
#endif
