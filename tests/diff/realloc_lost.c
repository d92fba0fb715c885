/* the result of realloc goes through a variable of its own, so that a failure does not lose the block; but realloc frees it where the
 * size is 0, and then NEW keeps a pointer to what was freed
 * VERDICT different */
#include <stdlib.h>
struct buffer {
    char *data;
    unsigned room;
};
/* Makes room for n bytes; -1: there is no memory. */
int grow(struct buffer *b, unsigned n)
{
    if (n > 8 || !b || !b->data)
        return -2;
#ifdef NEW
    char *data = realloc(b->data, n);
    if (!data)
        return -1;
    b->data = data;
#else
    b->data = realloc(b->data, n);
    if (!b->data)
        return -1;
#endif
    b->room = n;
    return 0;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned n = 0; n <= 9; n++) {
        struct buffer b = {malloc(4), 4};
        int r = grow(&b, n);
        printf("%d %u %d\n", r, b.room, b.data != NULL);
        if (n)
            free(b.data);
    }
    return 0;
}
#endif
