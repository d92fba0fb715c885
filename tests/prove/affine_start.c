/* expect: proved */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 7;
    int x0 = x;
    if (x < -1000 || x > 1000)
        return 0;
    for (int i = 0; i < 100000; i++) {
        if (x > 100000)
            break;
        x += 4;
        y += 2;
    }
    __VERIFIER_assert(x - x0 == 2 * (y - 7));
    return 0;
}
