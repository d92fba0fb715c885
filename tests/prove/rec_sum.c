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

int sum(int n, int m)
{
    if (n <= 0)
        return m + n;
    else
        return sum(n - 1, m + 1);
}
int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 0)
        return 0;
    int r = sum(a, b);
    __VERIFIER_assert(r == a + b);
    return 0;
}
