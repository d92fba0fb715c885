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
    int c1 = 4000, c2 = 2000, c3 = 10000;
    int n = __VERIFIER_nondet_int(), v, i, k = 0, j;
    if (!(0 <= n && n < 10))
        return 0;
    i = 0;
    while (i < n) {
        i++;
        v = __VERIFIER_nondet_int();
        if (!(0 <= v && v < 2))
            return 0;
        if (v == 0)
            k += c1;
        else if (v == 1)
            k += c2;
        else
            k += c3;
    }
    __VERIFIER_assert(k >= 0 && k >= n);
    return 0;
}
