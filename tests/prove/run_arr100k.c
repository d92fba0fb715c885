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

#define N 100000
int main(void)
{
    int a[N];
    int i;
    for (i = 0; i < N; i++)
        a[i] = 42;
    for (i = 0; i < N; i++)
        __VERIFIER_assert(a[i] == 42);
    return 0;
}
