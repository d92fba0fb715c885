// tests: 3
// options: --check leak
// The error path forgets the buffer: refused early (nothing allocated), refused late (leak), accepted.
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char kind, size;
    sheaf_symbolic(&kind, sizeof kind, "kind");
    sheaf_symbolic(&size, sizeof size, "size");
    if (kind > 3)
        return 1;
    char *buffer = malloc(8); //! leak
    buffer[0] = 1;
    if (size > 8)
        return 2;
    free(buffer);
    return 0;
}
