/* what is freed is freed by a helper, after the pointer is cleared
 * VERDICT same */
#include <stdlib.h>
#ifdef NEW
static void give_back(char **p)
{
    char *q = *p;
    *p = NULL;
    free(q);
}
void reset(char **p) { give_back(p); }
#else
void reset(char **p)
{
    free(*p);
    *p = 0;
}
#endif
#ifdef BRUTE
#include <stdio.h>
int main(void) { char *p = malloc(1); reset(&p); printf("%d\n", p == NULL); }
#endif
