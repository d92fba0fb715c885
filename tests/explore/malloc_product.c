// tests: 3 to 40
// incomplete: size
// A product that wraps makes the block too small for its last element: an overflow in 16 bits. Too many sizes for all to be tried.
#include <sheaf.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    uint16_t count;
    sheaf_symbolic(&count, sizeof count, "count");
    if (count == 0)
        return 1;
    uint16_t bytes = (uint16_t)(count * 8);
    char *p = malloc(bytes);
    if (!p)
        return 2;
    p[(count - 1) * 8] = 1; //! oob-write
    free(p);
    return 0;
}
