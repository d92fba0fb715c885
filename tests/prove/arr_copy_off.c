/* expect: reached */
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

int A[1000], B[1000];
int main(void)
{
    int i;
    for (i = 0; i < 1000; i++)
        B[i] = A[i];
    A[7] = 1;
    for (i = 0; i < 1000; i++)
        __VERIFIER_assert(A[i] == B[i]);
    return 0;
}
