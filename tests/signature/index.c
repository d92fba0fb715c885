// Section 5.1 of the paper: a symbolic index. With the index made concrete the branch on a[x] is lost; here it stays symbolic.
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    int x, y, out, a[2] = {0, 1};
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    sheaf_assume((x >= 0) & (x < 2));
    if (x > 0)
        printf("x is greater than zero\n");
    if (a[x] > 0) {
        if (y > 0)
            out = 1;
        else
            out = -1;
    } else {
        out = 0;
    }
    sheaf_output(&out, sizeof out, "out");
    return 0;
}
