/* expect: proved open */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

static unsigned sum(unsigned n)
{
    return n == 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    __VERIFIER_assert(sum(n) >= n);
    return 0;
}
