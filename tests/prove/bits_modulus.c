/* expect: unreachable */
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);

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
    unsigned n = __VERIFIER_nondet_uint();
    const unsigned s = 8;
    const unsigned d = (1 << s) - 1;
    unsigned m;
    for (m = n; n > d; n = m)
        for (m = 0; n; n >>= s)
            m += n & d;
    m = m == d ? 0 : m;
    __VERIFIER_assert(m <= d);
    return 0;
}
