/* Copies of what is set in part are fine; a decision on what is not set is told of. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char c;
    int i;
    unsigned a : 3, b : 5;
};

static struct padded by_value(struct padded s)
{
    s.i++;
    return s;
}

int main(void)
{
    int n, x;
    int table[8];
    struct padded u, v, *heap = malloc(2 * sizeof *heap);
    sheaf_symbolic(&n, sizeof n, "n");
    u.c = (char)n;
    u.i = 2;
    u.a = n & 7;
    memcpy(&v, &u, sizeof u);
    u = by_value(v);
    heap[0] = u;
    memmove(&heap[1], &heap[0], sizeof u);
    for (int i = 0; i < 4; i++)
        table[i] = i;
    if (heap[1].c == 3 || heap[1].a == 2 || table[n & 3] == 1)
        puts("set");
#ifdef BRANCH
    if (n == 3 && x == 5)
        abort();
#elif defined ADDRESS
    if (n == 7)
        return table[x & 3];
#elif defined OUTPUT
    if (n == 9)
        printf("%d\n", heap[1].b);
#elif defined STATUS
    if (n == 4)
        return x;
#elif defined COMPARED
    return memcmp(&u, &heap[1], sizeof u) != 0;
#endif
    free(heap);
    return 0;
}
