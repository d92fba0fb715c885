/* a size is rounded up before it is checked, and wraps
 * VERDICT different */
#include <stddef.h>
static unsigned char pool[64];
static size_t used;
void *grab(size_t n)
{
#ifdef NEW
    n = (n + 7) & ~(size_t)7;
    if (used + n > sizeof pool) return NULL;
#else
    if (n > sizeof pool - used) return NULL;
    n = (n + 7) & ~(size_t)7;
    if (n > sizeof pool - used) return NULL;
#endif
    void *p = pool + used;
    used += n;
    return p;
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { printf("%d\n", grab(16) != NULL); printf("%d\n", grab((size_t)-8) != NULL); printf("%d\n", grab((size_t)-1) != NULL); }
#endif
