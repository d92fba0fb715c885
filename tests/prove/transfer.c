/* expect: proved */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = 0, total = x;
    while (x > 0) {
        x--;
        y++;
    }
    __VERIFIER_assert(y == total);
    return 0;
}
