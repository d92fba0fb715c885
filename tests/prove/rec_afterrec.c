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

void f(int n)
{
    if (n < 3)
        return;
    n--;
    f(n);
    __VERIFIER_assert(n >= 2);
}
int main(void)
{
    f(__VERIFIER_nondet_int());
    return 0;
}
