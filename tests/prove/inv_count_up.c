/* expect: unreachable */
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);

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
    unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
    while (x > 0) {
        x--;
        y++;
    }
    __VERIFIER_assert(y == n);
    return 0;
}
