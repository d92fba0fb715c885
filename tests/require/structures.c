/* Lists, trees and tables. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct node { struct node *next; int value; };

void list_insert(struct node *after, struct node *n)
{
    n->next = after->next;
    after->next = n;
}

int list_second(const struct node *list)
{
    return list->next->value;
}

int list_pop(struct node **list)
{
    struct node *first = *list;
    *list = first->next;
    return first->value;
}

struct tree { struct tree *left, *right; int key; };

int tree_min(const struct tree *t)
{
    return t->left ? t->left->key : t->key;
}

struct tree *rotate_right(struct tree *t)
{
    struct tree *l = t->left;
    t->left = l->right;
    l->right = t;
    return l;
}

struct entry { unsigned hash; int value; struct entry *next; };
struct table { unsigned size; struct entry *buckets[8]; };

int table_first(const struct table *t, unsigned hash)
{
    const struct entry *e = t->buckets[hash % t->size];
    return e ? e->value : -1;
}

typedef int (*handler)(int);
struct device { int open; handler read; };

int device_read(struct device *d, int n)
{
    assert(d->open);
    return d->read ? d->read(n) : -1;
}

void copy_name(char *to, const char *from)
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = 0;
}

int option(const char *word)
{
    if (word[0] != '-')
        return 0;
    if (word[1] == '-')
        return word[2];
    return word[1];
}

/* The first character of a UTF-8 sequence of at most two bytes. */
int utf8_two(const unsigned char *s)
{
    if (s[0] < 0x80)
        return s[0];
    if ((s[0] & 0xe0) == 0xc0)
        return (s[0] & 0x1f) << 6 | (s[1] & 0x3f);
    return -1;
}

int alias(int *p, int *q)
{
    *p = 1;
    *q = 0;
    return 10 / *p;
}

void release(struct node *n)
{
    free(n->next);
    free(n);
}
