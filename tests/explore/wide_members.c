// tests: 4
// A member that is wider than a word, behind an address that is symbolic or that a decision chose: the machine computes
// such an address in one piece. The element with 3 fails, else that and the pointer's choice meet in the sum.
#include <assert.h>
#include <sheaf.h>

struct Element {
    int key;
    long double size;
    __int128 sum;
};
static struct Element all[4] = {{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 4, 0}}, other;

int main(void)
{
    unsigned char a, b;
    struct Element *chosen = &other;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    assert(all[a & 3].size != 3); //! assert
    all[a & 3].sum = 7;
    if (b > 5)
        chosen = &all[1];
    chosen->sum += 2;
    assert(all[1].sum != 9); //! assert
    return 0;
}
