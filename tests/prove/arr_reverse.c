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

#define N 100000
int main(void)
{
    int a[N], b[N], i;
    for (i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++)
        b[i] = a[N - i - 1];
    for (i = 0; i < N; i++)
        __VERIFIER_assert(a[i] == b[N - i - 1]);
    return 0;
}
