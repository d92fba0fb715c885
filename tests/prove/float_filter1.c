/* expect: unreachable open */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);

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
    double E0, E1, S;
    int i;
    E1 = 0;
    S = 0;
    for (i = 0; i <= 1000000; i++) {
        E0 = __VERIFIER_nondet_double();
        if (!(E0 >= -1.0 && E0 <= 1.0))
            return 0;
        if (__VERIFIER_nondet_int()) {
            S = 0;
        } else {
            S = 0.999 * S + E0 - E1;
        }
        E1 = E0;
        __VERIFIER_assert(S >= -10000.0 && S <= 10000.0);
    }
    return 0;
}
