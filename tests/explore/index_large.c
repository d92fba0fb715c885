// tests: 3
// A large object: 4096 words, of which one is the treasure. Written at a symbolic place first: the place is the one looked at
// (the treasure is what was written, equal to the secret or not), or another (where all are 0).
#include <sheaf.h>

static unsigned field[4096];

int main(void)
{
    unsigned i, j, secret;
    sheaf_symbolic(&i, sizeof i, "i");
    sheaf_symbolic(&j, sizeof j, "j");
    sheaf_symbolic(&secret, sizeof secret, "secret");
    field[i & 4095] = secret | 1;
    unsigned found = field[j & 4095];
    if (found == 0)
        return 0;
    if (found == 0xdecadf)
        return 1;
    return 2;
}
