// tests: 4
// Cases that fall through: the entry into the sequence is the path.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    unsigned char x;
    int n = 0;
    sheaf_symbolic(&x, sizeof x, "x");
    switch (x & 3) {
    case 3: n++; /* fall through */
    case 2: n++; /* fall through */
    case 1: n++; /* fall through */
    default: break;
    }
    assert(n == (x & 3));
    return n;
}
