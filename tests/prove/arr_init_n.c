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
    int a[N];
    int i;
    for (i = 0; i < N; i++)
        a[i] = 5;
    for (i = 0; i < N; i++)
        __VERIFIER_assert(a[i] == 5);
    return 0;
}
