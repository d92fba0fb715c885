/* expect: proved */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = 0;
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < n)
            j++;
        k += j == n;
        __VERIFIER_assert(k == i + 1);
    }
    return 0;
}
