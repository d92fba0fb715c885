/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int i = 0, a = 0, b = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    while (i < n) {
        if (__VERIFIER_nondet_bool())
            a++;
        else
            b++;
        i++;
    }
    __VERIFIER_assert(a + b == n);
    return 0;
}
