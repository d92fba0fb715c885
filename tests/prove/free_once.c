/* expect: proved */
/* It is freed in one iteration only. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    for (int i = 0; i < 60; i++)
        if (i == n)
            free(p);
    return 0;
}
