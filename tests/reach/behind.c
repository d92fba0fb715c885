/* Lines behind loops that no input reaches: a proof needs what holds in the loop. */
#include <sheaf.h>

int main(void)
{
    int n, a, i, total = 0;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_symbolic(&a, sizeof a, "a");
    if (n < 0 || n > 1000 || a < 10)
        return 0;
    for (i = 0; i < n; i++) {
        total += 2;
        if (i > 1500)
            return 1;
    }
    if (total < 0)
        return 2;
    if (a == 5)
        return 3;
    while (n != 3)
        sheaf_symbolic(&n, sizeof n, "more");
    if (a < n)
        return 4;
    return 5;
}
