/* a field added to a structure
 * VERDICT same */
struct Point {
    int x;
#ifdef NEW
    int colour;
#endif
    int y;
};
static int weigh(const struct Point *p)
{
    return p->x * 2 + p->y;
}
/* Of a point on the diagonal, or beside it. */
int weight(int at, int beside)
{
    struct Point p = {.x = at & 255, .y = (at & 255) + (beside & 1)};
    return weigh(&p);
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -20; a <= 20; a++)
        for (int b = -20; b <= 20; b++)
            printf("%d\n", weight(a, b));
    return 0;
}
#endif
