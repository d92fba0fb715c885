/* expect: reached */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    abort();
}

int f(int n)
{
    if (n <= 0)
        return 0;
    int r = f(n - 1);
    if (r == 4)
        reach_error();
    return r + 1;
}
int main(void)
{
    f(__VERIFIER_nondet_int() & 7);
    return 0;
}
