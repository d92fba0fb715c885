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

unsigned f(unsigned n)
{
    if (n == 0)
        return 0;
    unsigned r = f(n - 1);
    return r < 1000 ? r + 1 : r;
}
int main(void)
{
    unsigned r = f(__VERIFIER_nondet_uint());
    __VERIFIER_assert(r <= 1000);
    return 0;
}
