/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

struct Account { int paid, times; };
static void pay(struct Account *a, int amount)
{
    a->paid += amount;
    a->times++;
}

int main(void)
{
    struct Account a = { 0, 0 };
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            pay(&a, 5);
        if (a.paid > 1000)
            break;
    }
    __VERIFIER_assert(a.paid == 5 * a.times);
    return 0;
}
