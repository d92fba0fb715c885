// tests: 4
// options: --entry clamp
// Bounds in the wrong order, below, above, between.
#include <assert.h>

int clamp(int x, int low, int high)
{
    int result = x;
    if (low > high)
        return x;
    if (x < low)
        result = low;
    else if (x > high)
        result = high;
    assert(result >= low && result <= high);
    return result;
}
