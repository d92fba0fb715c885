// A sum of what was decided in all rounds: labels {1}, {1, 2}, ... {1, ..., n}.
#include <sheaf.h>
static unsigned char in[256];
int main(void)
{
    int sum = 0;
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        if (in[i & 255] > 7)
            sum += i;
    return sum;                               // here
}
