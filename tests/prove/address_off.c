/* expect: fails open */
/* What a program computes from the number that an address is differs from run to run. */
#include <sheaf.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int n, value;
    char *p = NULL;
    sheaf_symbolic(&n, sizeof n, "n");
    for (int i = 0; i < n; i++) {
        sheaf_symbolic(&value, sizeof value, "value");
        char *a = malloc(1), *b = malloc(1);
        p = value == 3 ? a : b;
    }
    if (p && ((uintptr_t)p >> 4) % 8)
        abort();
    return 0;
}
