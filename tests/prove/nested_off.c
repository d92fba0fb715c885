/* expect: fails */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10)
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            __VERIFIER_assert(i + j < 9);
    return 0;
}
