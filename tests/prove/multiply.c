/* expect: proved open */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint() & 0xff, b = __VERIFIER_nondet_uint() & 0xff;
    unsigned product = 0, i = 0;
    while (i < b) {
        product += a;
        i++;
    }
    __VERIFIER_assert(product >= a || b == 0 || product > 0);
    return 0;
}
