/* the error path forgets to free what it was given
 * VERDICT different */
#include <stdlib.h>
int take(char *p, int n)
{
    if (n < 0) {
#ifndef NEW
        free(p);
#endif
        return -1;
    }
    int r = p ? p[0] : 0;
    free(p);
    return r;
}
#ifdef BRUTE
#include <stdio.h>
extern int __asan_address_is_poisoned(void const volatile *);
int main(void) { char *p = calloc(1, 1); take(p, -1); printf("%d\n", __asan_address_is_poisoned(p)); }
#endif
