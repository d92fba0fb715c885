// What is printed depends on z alone. `set` stores where y says, and what it might have written instead is what
// this call of it may write, not what the other one may: x and y are no part of the condition, from any first
// input (FIRST turns the first run around).
#include <sheaf.h>
#include <stdio.h>

static int one, two, shown;

static void set(int *p, int value) { *p = value; }

int main(void)
{
    int x, y, z;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_symbolic(&z, sizeof z, "z");
#ifdef FIRST
    x += FIRST;
    y += FIRST;
    z += FIRST;
#endif
    if (x > 3)
        set(y > 3 ? &one : &two, 1);
    if (z > 3)
        set(&shown, 2);
    printf("%d\n", shown);
    return 0;
}
