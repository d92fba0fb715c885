// tests: 30
// unconfirmed: stack-overflow because the native stack may be larger
// How much of the stack is left depends on all that was taken of it before, in this frame and in those below: what the second and
// third decision take together leaves no room for the size that the fourth chose, nor for what the fifth calls. Two of 32
// paths end at the fourth.
#include <alloca.h>
#include <sheaf.h>

static int taken;

static void use(char *p)
{
    taken += *p = 1;
}

static void large(void) //! stack-overflow
{
    volatile char v[3000000];
    v[5] = 1;
}

static void vary(int n)
{
    char v[n]; //! stack-overflow
    use(v);
}

int main(void)
{
    unsigned char in[5];
    int n = 10;
    sheaf_symbolic(in, sizeof in, "in");
    vary(20);
    large();
    if (in[0] > 1) {
        char v[n];                            // given back: nothing depends on it
        use(v);
    }
    if (in[1] > 1)
        use(alloca(3000000));
    if (in[2] > 1)
        use(alloca(2700000));
    if (in[3] > 1)
        n = 2800000;
    vary(n);
    if (in[4] > 1)
        large();
    return 0;
}
