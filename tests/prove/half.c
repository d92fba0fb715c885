/* expect: proved open */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = 0, i = 0;
    if (n < 0 || n > 100000)
        return 0;
    while (i < 2 * n) {
        if (i % 2 == 0)
            k++;
        i++;
    }
    __VERIFIER_assert(k == n);
    return 0;
}
