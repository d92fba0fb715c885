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

int f91(int x)
{
    if (x > 100)
        return x - 10;
    else
        return f91(f91(x + 11));
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int r = f91(x);
    __VERIFIER_assert(r == 91 || (x > 101 && r == x - 10) || (x == 101));
    return 0;
}
