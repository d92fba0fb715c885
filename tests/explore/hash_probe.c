// tests: 3
// uncovered: 1 because a loop's condition is one branch in the IR, whichever operand of && ends it, and two for clang
// Open addressing with linear probing. The second key's place is free, or the first key is there and equal, or it is another and
// the next place is free (it must be: only one key is stored). The last comparison is no branch.
#include <sheaf.h>

static unsigned char table[4];

static int place(unsigned char key)
{
    int i = key & 3;
    while (table[i] && table[i] != key)
        i = (i + 1) & 3;
    return i;
}

int main(void)
{
    unsigned char a, b;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    sheaf_assume(a != 0 && b != 0);
    table[place(a)] = a;
    table[place(b)] = b;
    return table[a & 3] == a;
}
