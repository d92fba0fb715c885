/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned char state = 0;
    while (1) {
        switch (state) {
        case 0: state = __VERIFIER_nondet_bool() ? 1 : 2; break;
        case 1: state = 2; break;
        case 2: state = 0; break;
        default: __VERIFIER_assert(0);
        }
    }
    return 0;
}
