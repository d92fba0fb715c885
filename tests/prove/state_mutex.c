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

int m;
void lock()
{
    __VERIFIER_assert(m == 0);
    m = 1;
}
void unlock()
{
    __VERIFIER_assert(m == 1);
    m = 0;
}
int main(void)
{
    int i;
    int n = __VERIFIER_nondet_int();
    m = 0;
    for (i = 0; i < n; i++) {
        lock();
        if (__VERIFIER_nondet_int()) {
            unlock();
            continue;
        }
        unlock();
    }
    return 0;
}
