// tests: 14
// The size of an input is symbolic: none (1), too many (1), or 1 to 6 bytes, of which the last is a z or not (6 * 2).
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    if (n == 0 || n > 6)
        return 0;
    char *bytes = malloc(n);
    if (!bytes)
        return 3;
    sheaf_symbolic(bytes, n, "bytes");
    char last = bytes[n - 1];
    free(bytes);
    if (last != 'z')
        return 2;
    if (n == 6)
        abort(); //! abort
    return 1;
}
