/* Buffers as programs have them: each function trusts its caller in something, and `sheaf require` says in what. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- a bounded buffer */
struct buffer { size_t used; unsigned char bytes[64]; };

void buffer_put(struct buffer *b, unsigned char c)
{
    b->bytes[b->used++] = c;
}

unsigned char buffer_last(const struct buffer *b)
{
    return b->bytes[b->used - 1];
}

/* ---- a ring buffer */
struct ring { unsigned head, count; int items[16]; };

int ring_get(struct ring *r)
{
    int v = r->items[r->head];
    r->head = (r->head + 1) % 16;
    r->count--;
    return v;
}

void ring_put(struct ring *r, int v)
{
    r->items[(r->head + r->count) & 15] = v;
    r->count++;
}

/* ---- an arena allocator */
struct arena { char *memory; size_t size, used; };

void *arena_take(struct arena *a, size_t n)
{
    if (n > a->size - a->used)
        return NULL;
    char *p = a->memory + a->used;
    a->used += n;
    *p = 0;
    return p;
}

/* ---- a stack */
struct stack { int top; long values[8]; };

void stack_push(struct stack *s, long v)
{
    s->values[++s->top] = v;
}

long stack_pop(struct stack *s)
{
    return s->values[s->top--];
}

/* ---- a matrix */
double matrix[4][8];

double matrix_at(int row, int column)
{
    return matrix[row][column];
}

/* ---- a bit set */
uint32_t set_words[4];

void set_add(unsigned i)
{
    set_words[i / 32] |= 1u << i % 32;
}

/* ---- a record with a length prefix */
struct packet { unsigned char length; unsigned char payload[32]; };

int packet_checksum(const struct packet *p)
{
    int sum = 0;
    for (int i = 0; i < p->length; i++)
        sum += p->payload[i];
    return sum;
}

unsigned packet_word(const unsigned char *p, size_t n, size_t at)
{
    if (at + 2 > n)
        return 0;
    return p[at] | p[at + 1] << 8;
}
