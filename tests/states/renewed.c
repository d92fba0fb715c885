/* What is known of the first input is not known of the later ones, which take its place in the same states; what is known of the one that
 * stays is. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int limit = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (limit < 1 || limit > 9 || x > 10)
        return 1;
    while (1) {
        if (x > 50)
            abort();
        if (limit > 20)
            exit(2);
        x = __VERIFIER_nondet_int();
    }
}
