// tests: 4
// Refused; outside by one; an element above 50, or not: the index stays symbolic, so which element is no path.
#include <sheaf.h>

static const int table[10] = {5, 60, 7, 80, 9, 10, 11, 90, 13, 14};

int main(void)
{
    unsigned i;
    sheaf_symbolic(&i, sizeof i, "i");
    if (i > 10)
        return 9;
    if (table[i] > 50) //! oob-read
        return 1;
    return 0;
}
