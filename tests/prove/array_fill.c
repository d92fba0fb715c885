/* expect: proved */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[64], n = __VERIFIER_nondet_int();
    if (n < 0 || n > 64)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        if (a[i] < -1000)
            return 1;
    return 0;
}
