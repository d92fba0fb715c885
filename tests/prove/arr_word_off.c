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

char A[1000];
int main(void)
{
    int i;
    for (i = 0; i < 1000; i++)
        A[i] = 1;
    *(int *)(A + 8) = 0;
    for (i = 0; i < 1000; i++)
        __VERIFIER_assert(A[i] == 1);
    return 0;
}
