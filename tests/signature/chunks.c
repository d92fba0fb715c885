/* Items go into a chunk, or ask for a new one. From the join of the two ways on, what the call of malloc has made is the chunk
 * of this time or of an earlier one: a write to it may go to either, and what the first holds depends on the items. */
#include <sheaf.h>
#include <stdlib.h>

static int *first, items;

static int *fill(const unsigned char *in)
{
    for (;;) {
        int *chunk = malloc(sizeof *chunk);
        *chunk = 0;
        do {
            if (!first)
                first = chunk;
            if (items == 2)
                return first;
            ++*chunk;
        } while (in[items++] > 7);
    }
}

int main(void)
{
    unsigned char in[2];
    sheaf_symbolic(in, sizeof in, "in");
    return *fill(in);
}
