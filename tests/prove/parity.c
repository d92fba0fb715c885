/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_bool())
        x += 2;
    __VERIFIER_assert(x != 13);
    return 0;
}
