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

unsigned char A[1000];
int main(void)
{
    int i;
    for (i = 0; i < 1000; i++)
        A[i] = i;
    for (i = 0; i < 1000; i++)
        __VERIFIER_assert(A[i] == i);
    return 0;
}
