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

int g;
int f(int n)
{
    if (n == 0)
        return 0;
    g = n;
    f(n - 1);
    return g;
}
int main(void)
{
    int n = __VERIFIER_nondet_int() & 7;
    int r = f(n);
    __VERIFIER_assert(r == n);
    return 0;
}
