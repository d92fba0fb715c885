// fault: oob-write
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char from[32];
    memset(from, 'x', sizeof from);
    char *to = malloc(16);
    volatile size_t n = sizeof from;
    memcpy(to, from, n);
    free(to);
    return 0;
}
