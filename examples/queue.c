/* A ring buffer with a mistake: `put` checks for a full queue with the wrong comparison. */
#include <stdio.h>
#include <stdlib.h>

enum { CAPACITY = 4 };

typedef struct Queue {
    int *items;
    int first, count;
} Queue;

static int put(Queue *q, int value)
{
    if (q->count > CAPACITY) /* should be >= */
        return 0;
    int *slot = q->items + (q->first + q->count);
    *slot = value;
    q->count++;
    return 1;
}

static int total(const Queue *q)
{
    int sum = 0;
    for (int i = 0; i < q->count; i++)
        sum += q->items[i];
    return sum;
}

int main(int argc, char **argv)
{
    Queue *q = &(Queue){malloc(CAPACITY * sizeof(int)), 0, 0};
    for (int i = 1; i < argc; i++) {
        int value;
        if (sscanf(argv[i], "%d", &value) == 1 && put(q, value))
            printf("put %d, total %d\n", value, total(q));
    }
    free(q->items);
    return 0;
}
