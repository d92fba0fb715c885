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

#define N 1000
int main(void)
{
    int a[N], i, x = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    i = 0;
    while (i < N && a[i] != x)
        i++;
    int k;
    for (k = 0; k < i; k++)
        __VERIFIER_assert(a[k] != x);
    return 0;
}
