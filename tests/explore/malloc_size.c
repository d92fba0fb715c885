// tests: 6
// Sizes 1 to 6; the third byte is outside of 1 and 2. Each size is a path.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_assume(n >= 1 && n <= 6);
    char *p = malloc(n);
    if (!p)
        return 9;
    p[2] = 1; //! oob-write
    free(p);
    return 0;
}
