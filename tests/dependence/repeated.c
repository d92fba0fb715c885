/* The same is asked in each of very many rounds, none of which depends on another, and the last line depends on all of them. What
 * follows from one run are as many ways as there are rounds, the latest round first, and for each of them it is asked whether a
 * round before has decided it: together that takes the square. */
#include <sheaf.h>

static char table[8];

int main(void)
{
    unsigned char in;
    int n = 0;
    sheaf_symbolic(&in, sizeof in, "in");
    for (int i = 0; i < 200000; i++)
        if (in > 3)
            n = (n + 1) & 7;
    return table[n];
}
