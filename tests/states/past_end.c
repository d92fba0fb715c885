/* At the end of its input it reads on for ever: nothing is decided any more, and the state stays the same. */
#include <stdio.h>

int main(void)
{
    int c, n = 0;
    while (1) {
        c = getchar();
        if (c == 'x')
            n = 1;
        if (c == 'q')
            break;
    }
    return n;
}
