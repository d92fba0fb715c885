// tests: 7
// A comparison of three bytes with a constant: at each of the three places smaller or greater ends it, or all are equal: 3 * 2 + 1.
#include <sheaf.h>

static int compare(const unsigned char *s, const unsigned char *t, int n)
{
    for (int i = 0; i < n; i++)
        if (s[i] < t[i])
            return -1;
        else if (s[i] > t[i])
            return 1;
    return 0;
}

int main(void)
{
    unsigned char s[3];
    sheaf_symbolic(s, sizeof s, "s");
    return compare(s, (const unsigned char *)"key", 3) + 1;
}
