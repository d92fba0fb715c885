/* expect: fails */
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int buffer[16], head = 0, used = 0;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool() && used <= 16) {
            buffer[head + used] = 1;
            used++;
        } else if (used > 0) {
            head = (head + 1) % 16;
            used--;
        }
    }
    return 0;
}
