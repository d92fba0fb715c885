// The first worked example: b1 picks a, b2 overwrites out by a, b3 only prints. Eight paths, three ways to compute out, found
// in three runs from any first input (FIRST turns the first run around).
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    int x, y, z, a, out = 2;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_symbolic(&z, sizeof z, "z");
#ifdef FIRST
    int u = x + FIRST, v = y - 2 * FIRST, w = z + FIRST;
#else
    int u = x, v = y, w = z;
#endif
    if (u - v > 0)
        a = u;
    else
        a = v;
    if (u + v > 10)
        out = a;
    if (w * w > 3)
        printf("square(z) > 3\n");
    else
        printf("square(z) <= 3\n");
    sheaf_output(&out, sizeof out, "out");
    return 0;
}
