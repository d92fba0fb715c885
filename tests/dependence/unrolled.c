/* Thirty parts that have nothing to do with each other: 2^30 paths. */
#include <assert.h>
#include <sheaf.h>

#define PART(i)                                                                                                        \
    do {                                                                                                               \
        int v;                                                                                                         \
        if (in[i] > 100)                                                                                               \
            v = in[i] + 1;                                                                                             \
        else                                                                                                           \
            v = in[i] * 2;                                                                                             \
        assert(v != 7);                                                                                                \
    } while (0)
#define FIVE(i) PART(i); PART(i + 1); PART(i + 2); PART(i + 3); PART(i + 4)

int main(void)
{
    unsigned char in[30];
    sheaf_symbolic(in, sizeof in, "in");
    FIVE(0);
    FIVE(5);
    FIVE(10);
    FIVE(15);
    FIVE(20);
    FIVE(25);
    return 0;
}
