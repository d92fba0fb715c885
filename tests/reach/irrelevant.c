/* Thirty conditionals in a function that the line does not depend on: its condition is the same behind them as before them. */
#include <sheaf.h>

static int tally[4];

static void note(unsigned bits)
{
    for (int i = 0; i < 30; i++)
        if (bits >> i & 1)
            tally[i & 3]++;
}

int main(void)
{
    unsigned bits;
    int key;
    sheaf_symbolic(&bits, sizeof bits, "bits");
    sheaf_symbolic(&key, sizeof key, "key");
    note(bits);
    if (key == 4711)
        return 1;
    return 0;
}
