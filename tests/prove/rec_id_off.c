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

int id(int x)
{
    if (x == 0)
        return 0;
    return id(x - 1) + 1;
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int r = id(x);
    __VERIFIER_assert(r != 5);
    return 0;
}
