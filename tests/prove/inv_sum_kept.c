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

int main(void)
{
    int i, j, k = __VERIFIER_nondet_int();
    i = 1;
    j = 1;
    if (!(0 <= k && k <= 1))
        return 0;
    while (i < 1000000) {
        i = i + 1;
        j = j + k;
        k = k - 1;
        __VERIFIER_assert(1 <= i + k && i + k <= 2 && i >= 1);
    }
    return 0;
}
