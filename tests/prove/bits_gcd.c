/* expect: unreachable */
extern void abort(void);
extern char __VERIFIER_nondet_char(void);

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

signed char gcd_test(signed char a, signed char b)
{
    signed char t;
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    while (b != 0) {
        t = b;
        b = a % b;
        a = t;
    }
    return a;
}
int main(void)
{
    signed char x = __VERIFIER_nondet_char(), y = __VERIFIER_nondet_char();
    if (y > 0 && x % y == 0) {
        signed char g = gcd_test(x, y);
        __VERIFIER_assert(g == y);
    }
    return 0;
}
