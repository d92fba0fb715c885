/* A ring buffer whose producer forgets to wrap. */
#include <stddef.h>

struct ring { unsigned head; int data[16]; };

void push(struct ring *r, int v)
{
    r->data[r->head] = v;
    r->head++;
}

void set(char *s, int n, char c) { s[n + 1] = c; }

int limit, table[10];
int look(int i) { return i > limit ? 0 : table[i]; }
