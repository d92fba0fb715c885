/* Places that a condition can speak of, each in a contradiction of its own: `reach` prints both sides of it. */
#include <stddef.h>

struct node { struct node *next; int value; };
struct ring { unsigned head; char data[16]; struct { long x, y; } pos[4]; struct node *list; unsigned a : 3, b : 5; };
struct ring rings[3];

int f(struct ring *r, const char *s, int *a, int i, unsigned n, void *raw)
{
    if (r->head < 5)
        if (r->head > 7)
            return 12;
    if (a[i + 1] == 3)
        if (a[i + 1] > 7)
            return 15;
    if (s[n] == 'x')
        if (s[n] > 'y')
            return 18;
    if (r->list->next->value < 4)
        if (r->list->next->value > 9)
            return 21;
    if (r->data[i - 1] == 'a')
        if (r->data[i - 1] == 'b')
            return 24;
    if (*(int *)((char *)raw + 4) == 7)
        if (*(int *)((char *)raw + 4) == 8)
            return 27;
    if (r->b == 7)
        if (r->b > 20)
            return 30;
    if (r->list == NULL)
        if (r->list != NULL)
            return 33;
    if (r == &rings[1])
        if (r == &rings[2])
            return 36;
    if (r->pos[n].y == *a)
        if (r->pos[n].y < *a)
            return 39;
    if ((unsigned)*a < 10)
        if (*a < 0)
            return 42;
    return 0;
}
