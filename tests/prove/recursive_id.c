/* expect: proved open */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

static unsigned id(unsigned n)
{
    return n == 0 ? 0 : id(n - 1) + 1;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    __VERIFIER_assert(id(n) == n);
    return 0;
}
