// fault: invalid-free
#include <stdlib.h>

int main(void)
{
    int local[4] = {0}, *volatile p = local;
    free(p);
    return 0;
}
