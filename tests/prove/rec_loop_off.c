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
    int i;
    if (n <= 0)
        return g;
    for (i = 0; i < n; i++)
        g++;
    return f(n - 1);
}
int main(void)
{
    g = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    int r = f(n);
    __VERIFIER_assert(r != 3);
    return 0;
}
