// fault: uninit
// check: uninit
#include <stdlib.h>

int main(void)
{
    int *v = malloc(4 * sizeof *v);
    v[0] = v[1] = v[3] = 1;
    int r = 0;
    for (int i = 0; i < 4; i++)
        if (v[i])
            r++;
    free(v);
    return r;
}
