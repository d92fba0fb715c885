// fault: overflow
// check: overflow
#include <limits.h>

int main(void)
{
    volatile long low = LONG_MIN;
    return -low == low;
}
