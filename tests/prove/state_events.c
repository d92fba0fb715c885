/* expect: unreachable */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    abort();
}

int a1 = 1, a2 = 3, a3 = 7;
int calc(int in)
{
    if (in == 1 && a1 == 1 && a2 == 3) {
        a2 = 4;
        a3 = 8;
        return 21;
    } else if (in == 2 && a2 == 4 && a3 == 8) {
        a2 = 3;
        a1 = 2;
        a3 = 7;
        return 22;
    } else if (in == 3 && a1 == 2 && a2 == 3) {
        a1 = 1;
        return 23;
    }
    if (a1 == 2 && a2 == 4)
        reach_error();
    if (a3 == 8 && a2 == 3)
        reach_error();
    return -2;
}
int main(void)
{
    int out = -1;
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (in != 1 && in != 2 && in != 3)
            return -2;
        out = calc(in);
    }
}
