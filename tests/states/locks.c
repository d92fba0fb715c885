/* Eight locks that have nothing to do with each other, in a loop without end: what is taken is released. With -DWRONG one is not. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int use(int wanted, int *lock)
{
    if (wanted)
        *lock = 1;
    return wanted;
}

static void drop(int wanted, int *lock)
{
    if (!wanted)
        return;
    if (*lock != 1)
        abort();
    *lock = 0;
}

int main(void)
{
    int p[8], lock[8] = {0};
    for (int i = 0; i < 8; i++)
        p[i] = __VERIFIER_nondet_int();
    while (1) {
        if (!__VERIFIER_nondet_int())
            break;
        for (int i = 0; i < 8; i++) {
            lock[i] = 0;
            use(p[i], &lock[i]);
        }
#ifdef WRONG
        if (__VERIFIER_nondet_int() == 17)
            lock[5] = 0;
#endif
        for (int i = 0; i < 8; i++)
            drop(p[i], &lock[i]);
    }
    return 0;
}
