// tests: 8
// Three ways to be no triangle (the inequality fails at the first, second or third test); of triangles: all sides equal; two equal
// in one of three ways; none equal. Where a equals b, b and c are compared once: 3 + 2 + 1 + 2.
#include <sheaf.h>

int main(void)
{
    unsigned char side[3];
    sheaf_symbolic(side, sizeof side, "side");
    int a = side[0], b = side[1], c = side[2];
    if (a + b <= c || a + c <= b || b + c <= a)
        return 0;
    if (a == b) {
        if (b == c)
            return 3;
        return 2;
    }
    if (b == c)
        return 2;
    if (a == c)
        return 2;
    return 1;
}
