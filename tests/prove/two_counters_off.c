/* expect: fails */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    while (i < n && i < 100) {
        i++;
        j += i == 5 ? 3 : 2;
    }
    __VERIFIER_assert(j == 2 * i);
    return 0;
}
