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

int g;
void rec(int d)
{
    if (d <= 0)
        return;
    g++;
    rec(d - 1);
    g--;
}
int main(void)
{
    g = 0;
    rec(__VERIFIER_nondet_int());
    __VERIFIER_assert(g == 0);
    return 0;
}
