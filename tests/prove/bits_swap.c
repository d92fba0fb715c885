/* expect: unreachable */
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);

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
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), x = a, y = b;
    x ^= y;
    y ^= x;
    x ^= y;
    __VERIFIER_assert(x == b && y == a);
    return 0;
}
