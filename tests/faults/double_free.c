// fault: double-free
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10), *q = p;
    free(p);
    free(q);
    return 0;
}
