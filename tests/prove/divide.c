/* expect: proved */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), d = 1;
    while (n > 0 && d < 1000) {
        n = n / d;
        d++;
    }
    return 0;
}
