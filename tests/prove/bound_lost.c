/* expect: fails */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    int i = 0, limit = __VERIFIER_nondet_int();
    if (limit < 1 || limit > 10)
        return 0;
    while (1) {
        i++;
        if (i == limit + 1)
            i = 0;
        __VERIFIER_assert(i < limit);
    }
    return 0;
}
