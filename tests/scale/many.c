/* Every combination of N characters is a path of its own; two of them fail. */
#include <sheaf.h>

#ifndef N
#define N 12
#endif

static int table[8];

int main(void)
{
    unsigned char text[N];
    unsigned n = 0, found = 0;
    sheaf_symbolic(text, sizeof text, "text");
    for (unsigned i = 0; i < N; i++)
        if (text[i] == 'a' + i) {
            n = n * 3 + i;
            found++;
        }
    if (found == 3 && n % 7 == 5)
        table[n % 7 + found] = 1;
    if (found == N)
        return 100 / (int)(n - n);
    return (int)(found & 1);
}
