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

int A[100];
int main(void)
{
    int i;
    for (i = 0; i < 100; i++)
        A[i] = 5;
    for (i = 0; i < 50; i++)
        A[2 * i] = 6;
    for (i = 0; i < 100; i++)
        __VERIFIER_assert(A[i] != 6 || i < 98);
    return 0;
}
