/* expect: unreachable */
extern void abort(void);

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
    static char c[10001];
    int n = 10000, i, j, k = 0;
    for (i = 2; i <= n; i++)
        if (!c[i]) {
            k++;
            for (j = 2 * i; j <= n; j += i)
                c[j] = 1;
        }
    __VERIFIER_assert(k == 1229);
    return 0;
}
