/* expect: fails */
extern void __VERIFIER_assert(int);

int main(void)
{
    int a = 0, b = 1;
    for (int i = 0; i < 20; i++) {
        int next = a + b;
        a = b;
        b = next;
    }
    __VERIFIER_assert(a == 6764);
    return 0;
}
