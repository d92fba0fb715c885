/* expect: proved */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    if (n < 0)
        return 0;
    while (i < n) {
        i++;
        j += 2;
        if (j > 1000000)
            return 0;
    }
    __VERIFIER_assert(j == 2 * i);
    return 0;
}
