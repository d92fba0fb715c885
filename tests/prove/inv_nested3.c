/* expect: unreachable */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    abort();
}
void __VERIFIER_assert(int cond)
{
    if (!(cond)) {
    ERROR : {
        reach_error();
        abort();
    }
    }
    return;
}

int main(void)
{
    int i, j, k, n = __VERIFIER_nondet_int(), l = __VERIFIER_nondet_int();
    if (!(l > 0 && l < 1000000))
        return 0;
    for (k = 1; k < n; k++) {
        for (i = l; i < n; i++) {
            __VERIFIER_assert(1 <= i);
        }
        if (__VERIFIER_nondet_int())
            l = l + 1;
        if (l >= 1000000)
            return 0;
        for (i = l; i < n; i++)
            __VERIFIER_assert(1 <= i);
    }
    return 0;
}
