/* Two calls that allocate twice each: with --env malloc each allocation may fail, and what one call did must not be mistaken for the other's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int made(const char *text)
{
    char *zeros = calloc(2, 4);
    if (!zeros)
        return 1;
    char *copy = strdup(text);
    free(zeros);
    free(copy);
    return copy ? 3 : 2;
}

int main(void)
{
    int first = made("one"), second = made("two");
    return 4 * first + second;
}
