// Arrays at the end of a structure with their lengths, places in strings, and links beside lengths.
#include <stddef.h>
#include <string.h>

typedef struct Message {
    unsigned len;
    char data[];
} Message;

// entry: message_sum
// for: m one object with m->len elements at its end, m->len <= 3
int message_sum(const Message *m)
{
    int t = 0;
    for (unsigned i = 0; i < m->len; i++) //? null
        t += m->data[i];
    return t;
}

// One too many.
// entry: message_last
// for: m one object with m->len elements at its end, m->len <= 3
int message_last(const Message *m)
{
    return m ? m->data[m->len] : 0; //! oob-read
}

// There may be room behind what is used.
// entry: message_put
// incomplete: no call came to its end
// for: m one object with m->len elements at its end, m->len <= 3
// passes: m != NULL; m with more than m->len elements at its end
void message_put(Message *m, char c)
{
    m->data[m->len++] = c; //? null oob-write
}

typedef struct Vector {
    size_t len, cap;
    int v[];
} Vector;

// entry: vector_push
// for: v one object with v->cap elements at its end, v->cap <= 3, v->len <= v->cap
int vector_push(Vector *v, int x)
{
    if (!v || v->len == v->cap)
        return 0;
    v->v[v->len++] = x;
    return 1;
}

// entry: vector_push_off
// for: v one object with v->cap elements at its end, v->cap <= 3, v->len <= v->cap
int vector_push_off(Vector *v, int x)
{
    if (!v || v->len > v->cap)
        return 0;
    v->v[v->len++] = x; //! oob-write
    return 1;
}

// As it was written before C99.
typedef struct Old {
    int n;
    int v[1];
} Old;

// entry: old_sum
// for: o one object with o->n elements at its end, 0 <= o->n <= 3
int old_sum(const Old *o)
{
    int t = 0;
    for (int i = 0; o && i < o->n; i++)
        t ^= o->v[i];
    return t;
}

// Blocks of an arena: its lengths are not those of the next block, and what is asked for is no number of blocks.
typedef struct Block {
    struct Block *next;
    size_t size, used;
    char bytes[];
} Block;

// entry: block_alloc
// for: b one object with b->size elements at its end, b->size <= 3, b->used <= b->size
void *block_alloc(Block *b, size_t n)
{
    if (b->size - b->used < n) //? null
        return NULL;
    void *p = b->bytes + b->used;
    b->used += n;
    memset(p, 0, n);
    return p;
}

// entry: block_alloc_off
// for: b one object with b->size elements at its end, b->size <= 3, b->used <= b->size
void *block_alloc_off(Block *b, size_t n)
{
    if (b->size - b->used < n) //? null
        return NULL;
    void *p = b->bytes + b->used;
    b->used += n;
    memset(p, 0, n + 1); //! oob-write
    return p;
}

// A place in a string is within it, or at its end.
typedef struct Lexer {
    const char *text;
    int pos;
} Lexer;

// entry: lexer_next
// for: l one object; l->text string <= 3, 0 <= l->pos <= strlen(l->text)
// passes: l != NULL; l->text != NULL
int lexer_next(Lexer *l)
{
    if (!l->text[l->pos]) //? null
        return -1;
    return l->text[l->pos++];
}

// What follows is read before it is known that something does.
// entry: lexer_comment
// for: l one object; l->text string <= 3, 0 <= l->pos <= strlen(l->text)
int lexer_comment(const Lexer *l)
{
    if (!l || !l->text)
        return 0;
    return l->text[l->pos + 1] == '*' //! oob-read
           && l->text[l->pos] == '/';
}
