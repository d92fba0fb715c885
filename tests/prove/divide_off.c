/* expect: fails */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), d = 3;
    while (n > 0 && d > -5) {
        n = n / d;
        d--;
    }
    return 0;
}
