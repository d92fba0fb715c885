/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

static int count;
static void step(void)
{
    if (count < 10)
        count++;
}

int main(void)
{
    while (__VERIFIER_nondet_bool())
        step();
    __VERIFIER_assert(count <= 10);
    return 0;
}
