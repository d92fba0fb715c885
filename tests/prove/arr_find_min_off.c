/* expect: reached */
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

#define N 10
int main(void)
{
    int a[N];
    int i, min = 0;
    for (i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < N; i++)
        if (a[i] < min)
            min = a[i];
    for (i = 0; i < N; i++)
        __VERIFIER_assert(a[i] > min);
    return 0;
}
