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

int main(void)
{
    int n0 = __VERIFIER_nondet_int(), n1 = __VERIFIER_nondet_int(), i0 = 0, k = 0, i1 = 0, j1 = 0;
    if (!(-1000000 <= n0 && n0 < 1000000))
        return 0;
    if (!(-1000000 <= n1 && n1 < 1000000))
        return 0;
    while (i0 < n0) {
        i0++;
        k++;
    }
    while (i1 < n1) {
        i1++;
        k++;
    }
    while (j1 < n0 + n1) {
        __VERIFIER_assert(k > 0);
        j1++;
        k--;
    }
    return 0;
}
