/* Of `last` one member is written before it is read again, the other is not. */
#include <stdio.h>
#include <stdlib.h>

struct Last {
    int c, spaces;
};

static void read_one(struct Last *last)
{
    last->c = getchar();
    if (last->c == ' ')
        last->spaces++;
}

int main(void)
{
    struct Last last = {0, 0};
    for (int i = 0; i < 3; i++) {
        read_one(&last);
        if (last.c == 'x' && last.spaces == 2)
            abort();
    }
    return 0;
}
