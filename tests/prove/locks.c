/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int l1 = 0, l2 = 0, l3 = 0;
    while (__VERIFIER_nondet_bool()) {
        int p1 = __VERIFIER_nondet_bool(), p2 = __VERIFIER_nondet_bool(), p3 = __VERIFIER_nondet_bool();
        l1 = l2 = l3 = 0;
        if (p1)
            l1 = 1;
        if (p2)
            l2 = 1;
        if (p3)
            l3 = 1;
        if (p1) {
            __VERIFIER_assert(l1 == 1);
            l1 = 0;
        }
        if (p2) {
            __VERIFIER_assert(l2 == 1);
            l2 = 0;
        }
        if (p3) {
            __VERIFIER_assert(l3 == 1);
            l3 = 0;
        }
    }
    return 0;
}
