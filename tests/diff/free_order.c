/* two objects are freed in another order. Open: both pointers may lead to one object
 * VERDICT same */
#include <stdlib.h>
struct s { char *a, *b; };
void drop(struct s *s)
{
#ifdef NEW
    free(s->b);
    free(s->a);
#else
    free(s->a);
    free(s->b);
#endif
    free(s);
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { struct s *s = malloc(sizeof *s); s->a = malloc(1); s->b = NULL; drop(s); puts("x"); }
#endif
