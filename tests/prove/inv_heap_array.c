/* expect: unreachable */
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

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (!(0 <= n && n <= 1000))
        return 0;
    int *x = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        x[i] = 0;
    for (int i = 0; i < n; i++)
        __VERIFIER_assert(x[i] == 0);
    return 0;
}
