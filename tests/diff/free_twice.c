/* two pointers to one object: it is freed once
 * VERDICT different */
#include <stdlib.h>
struct s { char *a, *b; };
void drop(struct s *s)
{
    free(s->a);
#ifdef NEW
    if (s->b != s->a)
#endif
    free(s->b);
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { struct s s; s.a = s.b = malloc(1); drop(&s); puts("x"); }
#endif
