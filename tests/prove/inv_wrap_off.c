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
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (!(x < 0))
        return 0;
    while (1) {
        if (x >= 0)
            break;
        else {
            x = x + y;
            y++;
        }
    }
    __VERIFIER_assert(y >= 0);
    return 0;
}
