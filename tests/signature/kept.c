/* A loop that sets a pointer to the same object each time: how often it goes round changes nothing that is behind it. */
#include <sheaf.h>

int main(void)
{
    int table[3] = {0, 1, 2}, *chosen = table + 1, i = 0;
    unsigned char a, b;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    if (a == 2)
        do
            chosen = &table[0];
        while (++i < 3 && b > i);
    sheaf_output(&table[2], sizeof table[2], "last");
    sheaf_output(chosen, sizeof *chosen, "chosen");
    return 0;
}
