/* expect: unreachable */
extern void abort(void);

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
    int i, s = 0;
    for (i = 0; i < 1000000; i++) {
        s += i & 3;
    }
    __VERIFIER_assert(s == 1500000);
    return 0;
}
