// tests: 5
// Euclid's algorithm calls itself until the remainder is 0; a path is a depth. Below 8 the depths are 0 to 5 except that none of
// the pairs needs 5: 5 and 8 would be the first. So: b = 0, and 1 to 4 divisions.
#include <sheaf.h>

static unsigned gcd(unsigned a, unsigned b)
{
    if (b == 0)
        return a;
    return gcd(b, a % b);
}

int main(void)
{
    unsigned char a, b;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    return (int)gcd(a & 7, b & 7);
}
