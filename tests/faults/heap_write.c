// fault: oob-write
// args: a-word-that-is-too-long
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *copy = malloc(8);
    (void)argc;
    for (int i = 0;; i++)
        if (!(copy[i] = argv[1][i]))
            break;
    free(copy);
    return 0;
}
