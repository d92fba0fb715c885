// tests: 3
// 64 x 64 to 128 bits: the product's upper half is 0 or not; division undoes it where it is.
#include <sheaf.h>
#include <stdint.h>

int main(void)
{
    uint16_t a, b;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    unsigned __int128 product = ((unsigned __int128)a << 60) * b;
    if (product >> 64 == 0) {
        if (b == 0)
            return 0;
        return 1;
    }
    return 2;
}
