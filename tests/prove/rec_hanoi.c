/* expect: unreachable open */
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

int counter;
int hanoi(int n)
{
    if (n == 1)
        return 1;
    return 2 * hanoi(n - 1) + 1;
}
void apply(int n, int a, int b, int c)
{
    if (n == 0) {
        return;
    }
    counter++;
    apply(n - 1, a, c, b);
    apply(n - 1, c, b, a);
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 31)
        return 0;
    counter = 0;
    apply(n, 1, 3, 2);
    int r = hanoi(n);
    __VERIFIER_assert(r == counter);
    return 0;
}
