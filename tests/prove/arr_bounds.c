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
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int a[n];
    int i;
    for (i = 0; i < n; i++)
        a[i] = 0;
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < n)
        __VERIFIER_assert(a[k] == 0);
    return 0;
}
