/* expect: unreachable open */
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
    int n = __VERIFIER_nondet_int(), i;
    long sum = 0;
    if (!(1 <= n && n <= 1000))
        return 0;
    for (i = 1; i <= n; i++)
        sum = sum + i;
    __VERIFIER_assert(2 * sum == (long)n * (n + 1));
    return 0;
}
