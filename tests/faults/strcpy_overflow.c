// fault: oob-write
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(5);
    strcpy(s, "hello");
    int n = (int)strlen(s);
    free(s);
    return n;
}
