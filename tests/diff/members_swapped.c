/* members of a structure of the file change their places
 * VERDICT same */
struct p { 
#ifdef NEW
    int y, x;
#else
    int x, y;
#endif
};
static int norm(const struct p *p) { return (p->x < 0 ? -p->x : p->x) + (p->y < 0 ? -p->y : p->y); }
int taxi(int a, int b)
{
    struct p p;
    p.x = a & 255;
    p.y = b & 255;
    return norm(&p);
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { for (int i = -300; i < 300; i += 7) printf("%d\n", taxi(i, i * 3)); }
#endif
