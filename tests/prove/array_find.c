/* expect: proved */
extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    char a[100];
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 1 || n > 100)
        return 0;
    for (i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_char();
    a[n - 1] = 0;
    for (i = 0; a[i]; i++)
        __VERIFIER_assert(i < n);
    return 0;
}
