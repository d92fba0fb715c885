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

int gcd(int a, int b)
{
    if (a <= 0 || b <= 0)
        return 0;
    if (a == b)
        return a;
    if (a > b)
        return gcd(a - b, b);
    return gcd(a, b - a);
}
int main(void)
{
    int m = __VERIFIER_nondet_int();
    if (m <= 0 || m > 2147483647)
        return 0;
    int n = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    int z = gcd(m, n);
    __VERIFIER_assert(!(z < 1 && m > 0 && n > 0));
    return 0;
}
