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

#define N 1000
int main(void)
{
    int a[N], i;
    for (i = 0; i < N; i++) {
        if (i % 2 == 0)
            a[i] = 0;
        else
            a[i] = 1;
    }
    for (i = 0; i < N; i++) {
        if (i % 2 == 0)
            __VERIFIER_assert(a[i] == 0);
        else
            __VERIFIER_assert(a[i] == 1);
    }
    return 0;
}
