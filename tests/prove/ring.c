/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int buffer[16], head = 0, used = 0;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool() && used < 16) {
            buffer[(head + used) % 16] = 1;
            used++;
        } else if (used > 0) {
            buffer[head] = 0;
            head = (head + 1) % 16;
            used--;
        }
    }
    __VERIFIER_assert(used >= 0 && used <= 16);
    return 0;
}
