/* expect: unreachable */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    abort();
}
void __VERIFIER_assert(int cond)
{
    if (!(cond)) {
    ERROR : {
        reach_error();
        abort();
    }
    }
    return;
}

int main(void)
{
    int lock = 0;
    int old, new = __VERIFIER_nondet_int();
    do {
        __VERIFIER_assert(lock == 0);
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) {
            __VERIFIER_assert(lock == 1);
            lock = 0;
            new ++;
        }
    } while (new != old);
    __VERIFIER_assert(lock == 1);
    return 0;
}
