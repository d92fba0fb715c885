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

int fibo(int n)
{
    if (n < 1)
        return 0;
    else if (n == 1)
        return 1;
    else
        return fibo(n - 1) + fibo(n - 2);
}
int main(void)
{
    int x = 10;
    int r = fibo(x);
    __VERIFIER_assert(r != 55);
    return 0;
}
