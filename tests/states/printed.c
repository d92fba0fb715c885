/* What was printed of the first byte is no part of the state, unless the output is asked for: then both ways must be
 * followed to their ends. */
#include <stdio.h>

int main(void)
{
    if (getchar() == 'a')
        putchar('A');
    else
        putchar('B');
    if (getchar() == 'x')
        putchar('X');
    return 0;
}
