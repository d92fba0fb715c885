// tests: 4
// Five bytes, two pairs that are compared whatever the other pair said: 2 * 2.
#include <sheaf.h>

int main(void)
{
    char s[5];
    int unequal = 0;
    sheaf_symbolic(s, sizeof s, "s");
    for (int i = 0; i < 2; i++)
        if (s[i] != s[4 - i])
            unequal++;
    return unequal;
}
