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
    int x = 0, y = 0, z = 0;
    x = 0;
    y = 0;
    z = 0;
    while (1) {
        x = x + 4 * __VERIFIER_nondet_int();
        y = y + 4 * __VERIFIER_nondet_int();
        z = z + 8 * __VERIFIER_nondet_int();
        __VERIFIER_assert(x + y + z != 1);
    }
}
