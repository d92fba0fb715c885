// fault: oob-read
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(3);
    s[0] = s[1] = s[2] = 'z';
    volatile size_t n = strlen(s);
    free(s);
    return (int)n;
}
