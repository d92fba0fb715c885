/* expect: unreachable */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    abort();
}
void assume_abort_if_not(int cond)
{
    if (!cond) {
        abort();
    }
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
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n <= 1000000);
    int i = 0, k = 0;
    while (i < n) {
        i++;
        k++;
    }
    int j = 0;
    while (j < n) {
        __VERIFIER_assert(k > 0);
        j++;
        k--;
    }
    return 0;
}
