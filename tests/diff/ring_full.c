/* a full ring takes one more
 * VERDICT different */
struct ring { unsigned char b[8]; unsigned head, tail; };
int put(struct ring *r, unsigned char c)
{
#ifdef NEW
    if (r->head - r->tail > 8) return 0;
#else
    if (r->head - r->tail >= 8) return 0;
#endif
    r->b[r->head++ % 8] = c;
    return 1;
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { struct ring r = {0}; for (int i = 0; i < 10; i++) printf("%d\n", put(&r, i)); }
#endif
