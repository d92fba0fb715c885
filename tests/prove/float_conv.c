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
    int i = __VERIFIER_nondet_int();
    if (i < -1000 || i > 1000)
        return 0;
    float f = i;
    __VERIFIER_assert((int)f == i);
    return 0;
}
