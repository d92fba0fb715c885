/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = 0, y = 0, z = 0;
    while (__VERIFIER_nondet_bool()) {
        if (x > 10000)
            break;
        x += 1;
        y += 3;
        z += 5;
    }
    __VERIFIER_assert(z == x + x + y);
    return 0;
}
