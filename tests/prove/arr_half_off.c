/* expect: reached */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

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

void fill(int *a, int n, int v)
{
    for (int i = 0; i < n; i++)
        a[i] = v;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *a = malloc(4 * n);
    if (!a)
        return 0;
    fill(a, n, 1);
    fill(a, n / 2, 2);
    for (int i = 0; i < n; i++)
        __VERIFIER_assert(a[i] == 1);
    return 0;
}
