// fault: oob-write
#include <stdlib.h>

struct message { int size; char text[12]; };

int main(void)
{
    struct message *m = malloc(sizeof *m);
    m->size = 13;
    char *at = m->text;
    for (int i = 0; i < m->size; i++)
        at[i] = 'm';
    free(m);
    return 0;
}
