// Arguments: options by hand, numbers, an environment that is empty of surprises.
// args: -v --count=3 'two words' '' -x17 -- -not-an-option
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int verbose = 0, count = 0, x = 0, rest = 0;
    for (int i = 1; i < argc; i++) {
        if (!rest && !strcmp(argv[i], "--"))
            rest = 1;
        else if (!rest && !strcmp(argv[i], "-v"))
            verbose = 1;
        else if (!rest && !strncmp(argv[i], "--count=", 8))
            count = atoi(argv[i] + 8);
        else if (!rest && argv[i][0] == '-' && argv[i][1] == 'x')
            x = (int)strtol(argv[i] + 2, NULL, 10);
        else
            printf("[%s]", argv[i]);
    }
    printf("\n%d %d %d %d %d\n", argc, verbose, count, x, argv[argc] == NULL);
    return x;
}
