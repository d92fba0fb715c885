/* expect: proved open */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), n = 0;
    while (x) {
        x >>= 1;
        n++;
    }
    __VERIFIER_assert(n <= 32);
    return 0;
}
