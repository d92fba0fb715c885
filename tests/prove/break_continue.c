/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int i = 0, seen = 0;
    while (i < 1000) {
        i++;
        if (__VERIFIER_nondet_bool())
            continue;
        if (__VERIFIER_nondet_bool()) {
            seen = 1;
            break;
        }
    }
    __VERIFIER_assert(seen || i == 1000);
    return 0;
}
