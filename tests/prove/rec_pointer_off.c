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

void f(int *p, int n)
{
    if (n <= 0) {
        *p = 7;
        return;
    }
    f(p, n - 1);
}
int main(void)
{
    int x = 0;
    f(&x, __VERIFIER_nondet_int());
    __VERIFIER_assert(x != 7);
    return 0;
}
