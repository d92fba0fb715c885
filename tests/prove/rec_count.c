/* expect: unreachable */
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

int count(int n)
{
    if (n <= 0)
        return 0;
    return 1 + count(n - 1);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    __VERIFIER_assert(count(n) == n);
    return 0;
}
