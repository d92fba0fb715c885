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
    int s = 0;
    int cnt = 0;
    while (1) {
        switch (s) {
        case 0:
            if (__VERIFIER_nondet_int())
                s = 1;
            break;
        case 1:
            cnt = 1;
            s = 2;
            break;
        case 2:
            __VERIFIER_assert(cnt == 1);
            cnt = 0;
            s = 0;
            break;
        default:
            __VERIFIER_assert(0);
        }
    }
}
