/* expect: unreachable */
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

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

int foo()
{
    return 0;
}
int main(void)
{
    int x1 = __VERIFIER_nondet_uint(), x2 = __VERIFIER_nondet_uint(), x3 = __VERIFIER_nondet_uint();
    int d1 = 1, d2 = 1, d3 = 1;
    int c1 = __VERIFIER_nondet_bool(), c2 = __VERIFIER_nondet_bool();
    if (x1 < 0 || x2 < 0 || x3 < 0)
        return 0;
    while (x1 > 0 && x2 > 0 && x3 > 0) {
        if (c1)
            x1 = x1 - d1;
        else if (c2)
            x2 = x2 - d2;
        else
            x3 = x3 - d3;
        c1 = __VERIFIER_nondet_bool();
        c2 = __VERIFIER_nondet_bool();
    }
    __VERIFIER_assert(x1 == 0 || x2 == 0 || x3 == 0);
    return 0;
}
