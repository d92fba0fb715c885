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
    if (N <= 0 || N > 100000)
        return 0;
    int a[N], i, s = 0;
    for (i = 0; i < N; i++)
        a[i] = 0;
    for (i = 0; i < N; i++)
        s += a[i];
    __VERIFIER_assert(s == 0);
    return 0;
}
