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
    unsigned w = __VERIFIER_nondet_uint(), x = w, y = __VERIFIER_nondet_uint(), z = y;
    while (__VERIFIER_nondet_uint()) {
        if (__VERIFIER_nondet_uint()) {
            ++w;
            ++x;
        } else {
            --y;
            --z;
        }
    }
    __VERIFIER_assert(w == x && y == z);
    return 0;
}
