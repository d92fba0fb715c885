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

void h(int *a, int n)
{
    if (n < 0)
        return;
    a[n] = 1;
    h(a, n - 1);
}
int main(void)
{
    int a[4] = {0, 0, 0, 0};
    h(a, __VERIFIER_nondet_int() & 3);
    __VERIFIER_assert(a[2] == 0);
    return 0;
}
