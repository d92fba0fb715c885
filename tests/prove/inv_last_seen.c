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
    int x = 0, m = 0, n = __VERIFIER_nondet_int();
    while (x < n) {
        if (__VERIFIER_nondet_int())
            m = x;
        x = x + 1;
    }
    __VERIFIER_assert((m >= 0 || n <= 0));
    __VERIFIER_assert(m < n || n <= 0);
    return 0;
}
