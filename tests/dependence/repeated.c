/* The same is asked in each of very many rounds, none of which depends on another, and the last line depends on all of them. What
 * follows from one run are as many ways as there are rounds, the latest round first: they must not take the square, and time may be
 * over before they are told. */
#include <sheaf.h>

static char table[8];

int main(void)
{
    unsigned char in;
    int n = 0;
    sheaf_symbolic(&in, sizeof in, "in");
    for (int i = 0; i < 400000; i++)
        if (in > 3)
            n = (n + 1) & 7;
    return table[n];
}
