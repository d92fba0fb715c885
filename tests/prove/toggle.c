/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int on = 0, steps = 0;
    while (steps < 100000 && __VERIFIER_nondet_bool()) {
        on = !on;
        steps++;
    }
    __VERIFIER_assert(on == (steps & 1));
    return 0;
}
