/* expect: proved */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[40], *end = a + 40;
    for (int *p = a; p != end; p++)
        *p = 1;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40)
        return 0;
    int *stop = a + n;
    for (int *p = a; p < stop; p++)
        *p = 2;
    return 0;
}
