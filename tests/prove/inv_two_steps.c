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
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (!(i >= 0 && i <= 1000000))
        return 0;
    if (!(j >= 0))
        return 0;
    int x = i, y = j, z = 0;
    while (x != 0) {
        x--;
        y -= 2;
        z++;
    }
    if (i == j)
        __VERIFIER_assert(y == -z);
    return 0;
}
