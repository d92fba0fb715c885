/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void)
{
    float x = 1.0f;
    while (__VERIFIER_nondet_bool())
        x = x / 2 + 0.25f;
    __VERIFIER_assert(x <= 1.0f && x >= 0.25f);
    return 0;
}
