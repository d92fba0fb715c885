/* expect: proved */
extern void __VERIFIER_assert(int);

int main(void)
{
    unsigned char i = 0;
    unsigned n = 0;
    do {
        i++;
        n++;
    } while (i != 0);
    __VERIFIER_assert(n == 256);
    return 0;
}
