/* expect: unreachable */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

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
    if (N <= 0 || N >= 100000)
        return 0;
    long *a = malloc(N * sizeof(long));
    int i;
    for (i = 0; i < N; i++)
        a[i] = i;
    for (i = 0; i < N; i++)
        __VERIFIER_assert(a[i] == i);
    return 0;
}
