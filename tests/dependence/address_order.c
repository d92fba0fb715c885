/* Two objects change places on one of two paths, which then come to the same place: who fails depends on their order. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *x = malloc(1), *y = malloc(1), *a = x, *b = y;
    if (getchar() == 's') {
        a = y;
        b = x;
    }
    if (getchar() == 'k' && a < b)
        abort();
    return 0;
}
