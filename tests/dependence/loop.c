/* Thirty bytes, each treated by itself: 2^30 paths. */
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    unsigned char in[30];
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 30; i++) {
        int v;
        if (in[i] > 100)
            v = in[i] + 1;
        else
            v = in[i] * 2;
        assert(v != 7);
    }
    return 0;
}
