// Several ways to go on: breaks, early returns, a way out that does not come back.
#include <sheaf.h>
#include <stdlib.h>
static unsigned char in[256];
static int run(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++) {
        if (in[i & 255] == 255)
            break;
        if (in[(i + 1) & 255] == 254)
            return -1;
        if (in[(i + 2) & 255] == 253)
            exit(1);
        sum += i;
    }
    return sum;
}
int main(void)
{
    sheaf_symbolic(in, sizeof in, "in");
    int sum = run();
    return sum;                               // here
}
