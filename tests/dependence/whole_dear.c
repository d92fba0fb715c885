/* Objects are chosen by an index, then freed, moved or written to: nearly every path fails in a way of its own. */
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    unsigned char in[3];
    int *slot[4];
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 4; i++)
        slot[i] = calloc(4, sizeof(int));
    for (int i = 0; i < 3; i++) {
        int *q = slot[in[i] & 3];
        if (in[i] & 16)
            free(q);
        else if (in[i] & 32)
            slot[in[i] & 3] = realloc(q, 8);
        else
            q[in[i] >> 2 & 3] += i;
    }
    return slot[0][0];
}
