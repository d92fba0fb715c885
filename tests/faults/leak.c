// fault: leak
// check: leak
#include <stdlib.h>
#include <string.h>

static void lose(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    strcpy(copy, s);
    copy = NULL;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        lose("lost");
    return 0;
}
