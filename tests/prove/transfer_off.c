/* expect: fails */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = 1, total = x;
    if (x > 20)
        return 0;
    while (x > 0) {
        x--;
        y++;
    }
    __VERIFIER_assert(y == total);
    return 0;
}
