/* expect: proved open */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = 0, y = 50, n = __VERIFIER_nondet_int();
    while (x < n && x < 100) {
        x++;
        if (x > 50)
            y++;
    }
    __VERIFIER_assert(y <= 100);
    return 0;
}
