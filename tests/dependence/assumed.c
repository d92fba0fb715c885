/* A queue of two in an endless loop. Each call of __VERIFIER_nondet_bool assumes 0 or 1, so that a long run has hundreds of
 * assumptions, which `dependence` holds against each of thousands of tasks. The number of states is small. */
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int queue[2], n = 0, last = -1;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            int id = __VERIFIER_nondet_int();
            if (id < 0 || id > 100)
                continue;
            if (n == 2) {
                if (queue[0] == queue[1] && queue[1] == id && last == id)
                    abort();
                n = 0;
            }
            queue[n++] = id;
        } else if (n) {
            last = queue[--n];
        } else if (last == 77 && __VERIFIER_nondet_bool()) {
            return 1;
        }
    }
}
