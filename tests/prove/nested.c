/* expect: proved */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int n = __VERIFIER_nondet_int(), total = 0;
    if (n < 0 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            __VERIFIER_assert(j < n - 1);
            total++;
        }
    return total > 5;
}
