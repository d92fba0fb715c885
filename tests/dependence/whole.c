/* Everything that is decided comes together in one check: none of the 2^8 paths stands for another. */
#include <sheaf.h>

int main(void)
{
    unsigned char bytes[8];
    int sum = 0;
    sheaf_symbolic(bytes, sizeof bytes, "bytes");
    for (unsigned i = 0; i < sizeof bytes; i++)
        if (bytes[i] > 100)
            sum = 3 * sum + 7;
        else
            sum = 5 * sum - 1;
    return 100 / (sum - 64);
}
