/* expect: proved */
extern void __VERIFIER_assert(int);

int main(void)
{
    int x = 0, y = 50;
    while (x < 100) {
        x++;
        if (x > 50)
            y++;
    }
    __VERIFIER_assert(y == 100);
    return 0;
}
