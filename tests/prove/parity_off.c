/* expect: fails */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_bool())
        x += 3;
    __VERIFIER_assert(x != 9);
    return 0;
}
