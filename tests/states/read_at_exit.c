/* Globals that main does not read again are read by a handler, after it has returned. */
#include <stdio.h>
#include <stdlib.h>
static int state, last[2];
static void handler(void)
{
    if (state == 2 && last[1] == 'q')
        abort();
}
int main(void)
{
    atexit(handler);
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        last[i & 1] = c;
        if (c == 'a')
            state++;
    }
    state = state > 1 ? 2 : 0;
    return 0;
}
