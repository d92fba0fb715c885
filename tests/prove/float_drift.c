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
    double t = 0.0;
    while (__VERIFIER_nondet_int()) {
        if (t < 100.0)
            t = t + 0.1;
        __VERIFIER_assert(t <= 101.0);
    }
    return 0;
}
