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

struct S {
    int p;
    int q;
};
int main(void)
{
    struct S a[1000];
    int i;
    for (i = 0; i < 1000; i++) {
        a[i].p = i;
        a[i].q = 2 * i;
    }
    for (i = 0; i < 1000; i++)
        __VERIFIER_assert(a[i].q == a[i].p + i);
    return 0;
}
