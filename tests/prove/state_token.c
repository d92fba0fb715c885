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
    int st1 = 0, st2 = 0, tok = 0;
    while (1) {
        int n = __VERIFIER_nondet_int();
        if (n == 0 && tok == 0 && st1 == 0) {
            st1 = 1;
        } else if (n == 1 && st1 == 1) {
            st1 = 0;
            tok = 1;
        } else if (n == 2 && tok == 1 && st2 == 0) {
            st2 = 1;
        } else if (n == 3 && st2 == 1) {
            st2 = 0;
            tok = 0;
        }
        __VERIFIER_assert(!(st1 == 1 && st2 == 1));
    }
}
