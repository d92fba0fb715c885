/* Each iteration makes objects and frees them, on the heap and in a call: iterations come to the same states, and there are as many runs as
 * bytes allow, not as many as paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_letter(int c)
{
    char local[4] = {(char)c};
    return strchr("abc", local[0]) && local[0];
}

int main(void)
{
    int c, last = 0;
    while ((c = getchar()) != EOF) {
        char *copy = malloc(8);
        if (!copy)
            return 1;
        copy[0] = (char)c;
        last = is_letter(copy[0]);
        free(copy);
    }
    if (last)
        abort();
    return 0;
}
