/* expect: fails */
/* What was freed in one iteration is freed in the next. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    for (int i = 0; i < 60; i++)
        if (n > 5)
            free(p);
    return 0;
}
