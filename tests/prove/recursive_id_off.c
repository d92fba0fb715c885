/* expect: fails */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

static unsigned id(unsigned n)
{
    return n == 0 ? 0 : n == 3 ? 4 : id(n - 1) + 1;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assert(id(n) == n);
    return 0;
}
