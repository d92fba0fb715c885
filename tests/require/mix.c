// A condition that is too long to be printed as C.
#include <stdlib.h>
void mix(unsigned x, unsigned y)
{
    for (int i = 0; i < 64; i++)
        x = (x * 3) ^ (y >> (i & 7));
    if (x == 12345)
        abort();
}
