// Every byte of a block has a label of its own; the block is copied.
#include <sheaf.h>
#include <string.h>
static unsigned char in[256], block[N], copy[N];
int main(void)
{
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        if (in[i & 255] > 7)
            block[i] = 1;
        else
            block[i] = 2;
    memcpy(copy, block, N);
    return copy[N / 2];                       // here
}
