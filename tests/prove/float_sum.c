/* expect: proved */
extern void __VERIFIER_assert(int);

int main(void)
{
    double x = 0;
    for (int i = 0; i < 100; i++)
        x += 0.5;
    __VERIFIER_assert(x == 50.0);
    return 0;
}
