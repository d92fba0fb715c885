/* expect: proved */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        return 0;
    while (x > 0)
        x--;
    __VERIFIER_assert(x == 0);
    return 0;
}
