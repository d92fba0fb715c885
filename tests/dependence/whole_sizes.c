/* Each of 40 sizes with each of eight combinations: every path is run, and no size is tried twice. */
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char n, bytes[3];
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_symbolic(bytes, sizeof bytes, "bytes");
    sheaf_assume(n < 40);
    char *object = malloc(n + 1);
    if (!object)
        return 0;
    int sum = n;
    for (unsigned i = 0; i < sizeof bytes; i++)
        sum = bytes[i] > 100 ? 3 * sum + 7 : 5 * sum - 1;
    object[0] = 1;
    int result = 100 / (sum - 648) + object[0];
    free(object);
    return result;
}
