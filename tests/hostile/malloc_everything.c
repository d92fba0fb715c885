// run: 3 memory
// test: 3 memory
#include <sheaf.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    if (x == 42)
        return 0;
    for (size_t size = 1 << 20;; size += size / 8) {
        char *p = malloc(size);
        if (p)
            memset(p, x, size);
    }
}
