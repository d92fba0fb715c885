/* expect: reached */
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

void t(int n, int f)
{
    int a[n];
    int i;
    if (f)
        for (i = 0; i < n; i++)
            a[i] = 1;
    else
        for (i = 0; i < n; i++)
            a[i] = 2;
    for (i = 0; i < n; i++)
        __VERIFIER_assert(a[i] == 1);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    t(n, 1);
    t(n, __VERIFIER_nondet_int());
    return 0;
}
