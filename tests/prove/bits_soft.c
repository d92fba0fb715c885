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
    unsigned e = __VERIFIER_nondet_uint() & 255, m = __VERIFIER_nondet_uint() & 0xffffff;
    if (m == 0)
        return 0;
    while (m < (1u << 23)) {
        m <<= 1;
        if (e == 0)
            return 0;
        e--;
    }
    __VERIFIER_assert(m >= (1u << 23));
    return 0;
}
