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
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i, j, k = 0;
    if (!(10 <= n && n <= 1000))
        return 0;
    if (!(10 <= m && m <= 1000))
        return 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            k++;
    __VERIFIER_assert(k >= 100);
    return 0;
}
