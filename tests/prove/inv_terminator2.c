/* expect: unreachable */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

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
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    while (x < 100 && 100 < z) {
        if (__VERIFIER_nondet_bool())
            x++;
        else {
            x--;
            z--;
        }
    }
    __VERIFIER_assert(x >= 100 || z <= 100);
    return 0;
}
