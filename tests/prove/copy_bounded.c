/* expect: proved */
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    char from[32], to[32];
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    if (n > 32)
        n = 32;
    for (; i < n; i++)
        from[i] = __VERIFIER_nondet_char();
    for (i = 0; i < n && from[i]; i++)
        to[i] = from[i];
    __VERIFIER_assert(i <= 32);
    return 0;
}
