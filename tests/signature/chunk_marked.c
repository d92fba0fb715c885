/* As chunks.c, but a side writes to the chunk: it was made before the branch, though control may also come from the branch to
 * the call that made it. */
#include <sheaf.h>
#include <stdlib.h>

static int *first, rounds;

int main(void)
{
    unsigned char in;
    int *chunk;
    sheaf_symbolic(&in, sizeof in, "in");
again:
    chunk = malloc(sizeof *chunk);
    *chunk = 0;
loop:
    if (!first)
        first = chunk;
    if (rounds++ == 1)
        return *first;
    if (in > 7) {
        *chunk = 1;
        goto loop;
    }
    goto again;
}
