// Structures, lists, trees and tables.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node {
    int value;
    struct Node *next;
} Node;

typedef struct Tree {
    int key;
    struct Tree *left, *right;
} Tree;

typedef struct Buffer {
    char *data;
    size_t len, cap;
} Buffer;

typedef struct Packet {
    unsigned char type;
    unsigned short n;
    int words[];
} Packet;

typedef struct Table {
    const char *name;
    int *slots;
    unsigned nslots;
} Table;

typedef struct Stack {
    int items[4];
    unsigned top;
} Stack;

// entry: list_sum
// for: l list depth <= 3
int list_sum(const Node *l)
{
    int t = 0;
    for (; l; l = l->next)
        t ^= l->value;
    return t;
}

// A list of one has no second.
// entry: list_second
// for: l list depth <= 3
int list_second(const Node *l)
{
    if (!l)
        return 0;
    return l->next->value; //! null
}

// entry: list_push
// for: n one object
Node *list_push(Node *l, Node *n)
{
    n->next = l; //? null
    return n;
}

// A node is used after it is freed.
// entry: list_free
// for: l one object
void list_free(Node *l)
{
    for (; l; l = l->next) //! use-after-free
        free(l);
}

// entry: tree_find
// for: t tree depth <= 3
const Tree *tree_find(const Tree *t, int key)
{
    while (t && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t;
}

// entry: tree_least
// for: t tree depth <= 3
int tree_least(const Tree *t)
{
    while (t->left) //? null
        t = t->left;
    return t->key;
}

// entry: buffer_add
// for: b one object; b->data b->cap bytes (NULL: none), b->cap <= 3, b->len <= b->cap
int buffer_add(Buffer *b, char c)
{
    if (!b || !b->data || b->len >= b->cap)
        return 0;
    b->data[b->len++] = c;
    return 1;
}

// One too many.
// entry: buffer_put
// for: b one object; b->data b->cap bytes (NULL: none), b->cap <= 3, b->len <= b->cap
int buffer_put(Buffer *b, char c)
{
    if (!b || !b->data || b->len > b->cap)
        return 0;
    b->data[b->len++] = c; //! oob-write
    return 1;
}

// entry: packet_word
// for: p one object with 3 elements at its end
int packet_word(const Packet *p)
{
    if (!p || p->type != 3)
        return 0;
    return p->words[2];
}

// entry: table_slot
// for: t one object; t->slots t->nslots elements (NULL: none), t->nslots <= 3
int table_slot(const Table *t, unsigned hash)
{
    if (!t->slots) //? null
        return 0;
    return t->slots[hash % t->nslots]; //! div-zero
}

// entry: table_is
// for: t one object; t->slots t->nslots elements (NULL: none), t->nslots <= 3; t->name string <= 3; name string <= 3
int table_is(const Table *t, const char *name)
{
    return t && t->name && name && !strcmp(t->name, name);
}

// Nothing keeps `top` below the room; a caller whose stack is sound does.
// entry: stack_push
// for: s one object
void stack_push(Stack *s, int x)
{
    if (s && s->top < 1000)
        s->items[s->top++] = x; //? oob-write
}

// entry: stack_pop
// for: s one object
int stack_pop(Stack *s)
{
    if (!s || s->top == 0 || s->top > 4)
        return -1;
    return s->items[--s->top];
}
