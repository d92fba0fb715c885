// fault: invalid-free
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    free(p + 2);
    return 0;
}
