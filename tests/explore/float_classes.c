// tests: 6
// Not a number, below zero, zero, above zero to one, above one to 2^24 exclusive, and where adding one changes nothing.
#include <sheaf.h>

int main(void)
{
    float x;
    sheaf_symbolic(&x, sizeof x, "x");
    if (x != x)
        return 1;
    if (x < 0)
        return 2;
    if (x == 0)
        return 3;
    if (x <= 1)
        return 4;
    if (x + 1.0f == x)
        return 6;
    return 5;
}
