/* free takes a null pointer: no need to ask
 * VERDICT same */
#include <stdlib.h>
struct s { char *p; int n; };
void drop(struct s *s)
{
#ifdef NEW
    if (s->p)
        free(s->p);
#else
    free(s->p);
#endif
    s->p = NULL;
    s->n = 0;
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    struct s a = {malloc(3), 3}, b = {0, 2};
    drop(&a); drop(&b);
    printf("%d %d\n", a.n, b.n);
}
#endif
