/* the place in a ring by a mask
 * VERDICT same */
struct ring { unsigned char b[8]; unsigned head, tail; };
int put(struct ring *r, unsigned char c)
{
    if (r->head - r->tail >= 8) return 0;
#ifdef NEW
    r->b[r->head & 7] = c;
    r->head += 1;
#else
    r->b[r->head++ % 8] = c;
#endif
    return 1;
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { struct ring r = {0}; for (int i = 0; i < 10; i++) printf("%d\n", put(&r, i)); printf("%d\n", r.b[3]); }
#endif
