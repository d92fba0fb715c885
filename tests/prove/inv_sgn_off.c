/* expect: reached */
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
    int x = __VERIFIER_nondet_int();
    int y = x;
    int n = 0;
    while (y > 0) {
        y /= 2;
        n++;
    }
    __VERIFIER_assert(n < 31);
    return 0;
}
