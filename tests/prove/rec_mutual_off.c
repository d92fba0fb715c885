/* expect: reached */
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);

void reach_error(void)
{
    abort();
}

int odd(unsigned n);
int ev(unsigned n)
{
    if (n == 0)
        return 1;
    if (n == 9)
        reach_error();
    return odd(n - 1);
}
int odd(unsigned n)
{
    if (n == 0)
        return 0;
    return ev(n - 1);
}
int main(void)
{
    ev(__VERIFIER_nondet_uint());
    return 0;
}
