// Concrete branches on a value that depends on all decisions before: every one is a decision itself.
#include <sheaf.h>
static unsigned char in[256];
int main(void)
{
    int a = 0, b = 0;
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++) {
        if (in[i & 255] > 7)
            a++;
        if (a & 4)
            b ^= i;
    }
    return b;                                 // here
}
