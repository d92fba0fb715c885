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
    unsigned v = __VERIFIER_nondet_uint();
    if (v == 0)
        return 0;
    unsigned r = 0;
    while (v >>= 1)
        r++;
    __VERIFIER_assert(r < 32);
    return 0;
}
