/* expect: fails open */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int m = 0;
    for (int i = 0; i < 10000; i++) {
        int v = __VERIFIER_nondet_int();
        if (v > m || v == -7)
            m = v;
    }
    __VERIFIER_assert(m >= 0);
    return 0;
}
