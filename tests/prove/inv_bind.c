/* expect: unreachable open */
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

int main(void)
{
    int tmp = 0, cp1_off, n1, n2, mc_i;
    int MAXDATA = __VERIFIER_nondet_int();
    if (MAXDATA > 0 && MAXDATA < 100000)
        ;
    else
        return 0;
    n1 = __VERIFIER_nondet_int();
    n2 = __VERIFIER_nondet_int();
    if ((n1 <= MAXDATA * 2))
        ;
    else
        return 0;
    if ((cp1_off = __VERIFIER_nondet_int()) <= n1 && cp1_off >= 0)
        ;
    else
        return 0;
    if (n2 <= MAXDATA * 2 - n1)
        ;
    else
        return 0;
    for (mc_i = 0; mc_i < n2; mc_i++) {
        __VERIFIER_assert(cp1_off + mc_i < MAXDATA * 2);
    }
    return 0;
}
