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
    int N = __VERIFIER_nondet_int();
    if (N <= 0 || N > 10000)
        return 0;
    int a[N], i;
    for (i = 0; i < N; i++) {
        if (__VERIFIER_nondet_int())
            a[i] = 1;
        else
            a[i] = 2;
    }
    for (i = 0; i < N; i++)
        __VERIFIER_assert(a[i] >= 1 && a[i] <= 2);
    return 0;
}
