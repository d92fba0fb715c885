// Opaque handles, which the library's own functions make and change.
#include "handles.h"
#include <stdlib.h>
#include <string.h>

// ---- a stack ----
struct stack {
    unsigned n, cap;
    int *items;
};

stack *stack_new(unsigned cap)
{
    stack *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    s->n = 0;
    s->cap = cap;
    s->items = malloc((s->cap + 1) * sizeof *s->items);
    if (!s->items) {
        free(s);
        return NULL;
    }
    return s;
}

void stack_free(stack *s)
{
    if (s)
        free(s->items);
    free(s);
}

// entry: stack_push --calls 2
// for: s made by stack_new, then up to 2 of stack_push, stack_pop, stack_swap; stack_new.cap <= 3
int stack_push(stack *s, int v)
{
    if (s->n > s->cap) //? null
        return -1;
    s->items[s->n++] = v; // it takes one more than cap, and there is room for that
    return 0;
}

// Two below the top of an empty stack are none.
// entry: stack_pop --calls 1
// for: s made by stack_new, then up to 1 of stack_push, stack_pop, stack_swap; stack_new.cap <= 3
int stack_pop(stack *s)
{
    if (!s)
        return -1;
    if (!s->n)
        return -1;
    return s->items[--s->n];
}

// entry: stack_top --calls 1
// for: s made by stack_new, then up to 1 of stack_push, stack_pop, stack_swap; stack_new.cap <= 3
int stack_top(const stack *s)
{
    if (!s)
        return -1;
    return s->items[s->n - 1]; //! oob-read
}

// entry: stack_swap --calls 2
// for: s made by stack_new, then up to 2 of stack_push, stack_pop, stack_swap; stack_new.cap <= 3
int stack_swap(stack *s)
{
    if (!s || s->n < 2)
        return -1;
    int t = s->items[s->n - 1];
    s->items[s->n - 1] = s->items[s->n - 2];
    s->items[s->n - 2] = t;
    return 0;
}

// The invariant n <= cap + 1 holds of every stack that the library makes: no fault here.
// entry: stack_room --calls 2
// for: s made by stack_new, then up to 2 of stack_push, stack_pop, stack_swap; stack_new.cap <= 3
unsigned stack_room(const stack *s)
{
    if (!s)
        return 0;
    if (s->n > s->cap + 1)
        abort();
    return s->cap + 1 - s->n;
}

// ---- a ring, made through an out-parameter ----
struct ring {
    unsigned size, first, n;
    char data[];
};

int ring_open(unsigned size, ring **out)
{
    *out = NULL;
    ring *r = calloc(1, sizeof *r + size);
    if (!r)
        return -1;
    r->size = size;
    r->first = r->n = 0;
    *out = r;
    return 0;
}

void ring_close(ring *r) { free(r); }

// entry: ring_put --calls 1
// for: r made by ring_open(_, &r), then up to 1 of ring_put, ring_get; ring_open.size <= 3
int ring_put(ring *r, char c)
{
    if (r->n == r->size) //? null
        return -1;
    r->data[(r->first + r->n) % r->size] = c;
    r->n++;
    return 0;
}

// entry: ring_get --calls 2
// for: r made by ring_open(_, &r), then up to 2 of ring_put, ring_get; ring_open.size <= 3
int ring_get(ring *r)
{
    if (!r || !r->n)
        return -1;
    char c = r->data[r->first];
    r->first = (r->first + 1) % r->size;
    r->n--;
    return c;
}

// It forgets that a ring may have no room at all.
// entry: ring_last --calls 1
// for: r made by ring_open(_, &r), then up to 1 of ring_put, ring_get; ring_open.size <= 3
int ring_last(const ring *r)
{
    if (!r)
        return -1;
    return r->data[(r->first + r->n + r->size - 1) % r->size]; //! div-zero
}

// ---- a set of strings, hashed into two buckets ----
typedef struct item {
    char *key;
    struct item *next;
} item;

struct set {
    item *buckets[2];
    unsigned n;
};

set *set_new(void) { return calloc(1, sizeof(set)); }
void set_free(set *s)
{
    for (unsigned i = 0; s && i < 2; i++)
        while (s->buckets[i]) {
            item *next = s->buckets[i]->next;
            free(s->buckets[i]->key);
            free(s->buckets[i]);
            s->buckets[i] = next;
        }
    free(s);
}

// entry: set_add --calls 1 --string 2
// for: s made by set_new, then up to 1 of set_add, set_remove; key string <= 2; set_add.key string <= 2; set_remove.key string
static unsigned bucket(const char *key) { return *key & 1; } //? null

int set_add(set *s, const char *key)
{
    item **at = &s->buckets[bucket(key)];
    for (item *i = *at; i; i = i->next) //? null
        if (!strcmp(i->key, key))
            return 0;
    item *one = malloc(sizeof *one);
    if (!one)
        return -1;
    one->key = malloc(strlen(key)); // too small, by the NUL
    if (!one->key)
        abort();
    strcpy(one->key, key); //! oob-write
    one->next = *at;
    *at = one;
    s->n++;
    return 1;
}

// No fault of its own: that of set_add is met on the way.
// entry: set_remove --calls 1 --string 2
// for: s made by set_new, then up to 1 of set_add, set_remove; key string; set_add.key string <= 2; set_remove.key string
int set_remove(set *s, const char *key)
{
    if (!s || !key)
        return 0;
    for (item **at = &s->buckets[bucket(key)]; *at; at = &(*at)->next)
        if (!strcmp((*at)->key, key)) {
            item *old = *at;
            *at = old->next;
            free(old->key);
            free(old);
            s->n--;
            return 1;
        }
    return 0;
}

// ---- a reader of bytes, made in two ways ----
struct reader {
    char *text;
    size_t n, at;
};

// entry: -
reader *reader_open_bytes(const char *bytes, size_t n)
{
    reader *r = malloc(sizeof *r);
    if (!r || !(r->text = malloc(n + 1)))
        abort();
    memcpy(r->text, bytes, n); //? null
    r->text[n] = 0;
    r->n = n;
    r->at = 0;
    return r;
}

// entry: reader_open
// for: text string <= 3
reader *reader_open(const char *text)
{
    return text ? reader_open_bytes(text, strlen(text)) : NULL;
}

void reader_close(reader *r)
{
    if (r)
        free(r->text);
    free(r);
}

// entry: reader_next --calls 1 --string 2 --elements 2
// for: r made by reader_open_bytes or reader_open, then up to 1 of reader_next, reader_back; reader_open.text string <= 2; reader_open_bytes.bytes reader_open_bytes.n bytes, reader_open_bytes.n <= 2
int reader_next(reader *r)
{
    if (!r || r->at > r->n)
        return -1;
    return r->text[r->at++]; // the NUL, too: then at is n + 1
}

// entry: reader_back --calls 1 --string 2 --elements 2
// for: r made by reader_open_bytes or reader_open, then up to 1 of reader_next, reader_back; reader_open.text string <= 2; reader_open_bytes.bytes reader_open_bytes.n bytes, reader_open_bytes.n <= 2
int reader_back(reader *r)
{
    if (!r || !r->at)
        return -1;
    return r->text[--r->at];
}

// Behind the NUL there is nothing: two calls of reader_next on no text lead there.
// entry: reader_peek --calls 2 --string 1 --elements 1
// for: r made by reader_open_bytes or reader_open, then up to 2 of reader_next, reader_back; reader_open.text string <= 1; reader_open_bytes.bytes reader_open_bytes.n bytes, reader_open_bytes.n <= 1
int reader_peek(const reader *r)
{
    return r ? r->text[r->at] : -1; //! oob-read
}

// The index is an argument of its own, and nothing looks at it.
// entry: reader_at --construct reader=reader_open --mutate none --string 1
// for: r made by reader_open; reader_open.text string <= 1
int reader_at(const reader *r, size_t i)
{
    return r->text[i]; //! oob-read //? null
}

// ---- a parser with a state ----
struct parser {
    int depth, failed;
    char open[2];
};

parser *parser_new(void) { return calloc(1, sizeof(parser)); }
void parser_free(parser *p) { free(p); }

// entry: parser_feed --calls 2
// for: p made by parser_new, then up to 2 of parser_feed, parser_end
int parser_feed(parser *p, char c)
{
    if (p->failed) //? null
        return -1;
    if (c == '(' || c == '[')
        p->open[p->depth++] = c; // the third leaves the array, but not the object
    else if (c == ')' || c == ']')
        p->failed = !p->depth || p->open[--p->depth] != (c == ')' ? '(' : '[');
    return p->failed ? -1 : p->depth;
}

// Depth is never negative in a parser that was fed, whatever its bytes could be.
// entry: parser_depth --calls 2
// for: p made by parser_new, then up to 2 of parser_feed, parser_end
int parser_depth(const parser *p)
{
    if (p && p->depth < 0)
        abort();
    return p ? p->depth : 0;
}

// What was opened last is looked at although nothing may be open.
// entry: parser_end --calls 1
// for: p made by parser_new, then up to 1 of parser_feed, parser_end
int parser_end(parser *p)
{
    static const char closing[] = {')', ']'};
    if (!p)
        return 0;
    p->failed = 1;
    return closing[p->open[p->depth - 1] == '[' ? 1 : p->depth ? 0 : 2]; //! oob-read
}

// ---- strings with their length before them ----
typedef struct head {
    size_t n, cap;
} head;

static head *head_of(const char *t) { return (head *)t - 1; }

// entry: text_new --string 2
// for: from string <= 2
char *text_new(const char *from)
{
    size_t n = from ? strlen(from) : 0;
    head *h = malloc(sizeof *h + n + 1);
    if (!h)
        return NULL;
    h->n = h->cap = n;
    memcpy(h + 1, from ? from : "", n + 1);
    return (char *)(h + 1);
}

void text_free(char *t)
{
    if (t)
        free(head_of(t));
}

// entry: text_add --calls 1 --string 1
// for: t made by text_new, then up to 1 of t = text_add, text_cut; text_new.from string <= 1
char *text_add(char *t, char c)
{
    if (!t)
        return NULL;
    head *h = head_of(t);
    if (h->n == h->cap) {
        h = realloc(h, sizeof *h + 2 * h->cap + 2);
        if (!h)
            return NULL;
        h->cap = 2 * h->cap + 1;
    }
    char *text = (char *)(h + 1);
    text[h->n++] = c;
    text[h->n] = 0;
    return text;
}

// It may make the text longer than it is.
// entry: text_cut --calls 1 --string 1
// for: t made by text_new, then up to 1 of t = text_add, text_cut; text_new.from string <= 1
void text_cut(char *t, size_t n)
{
    head_of(t)->n = n; //? null
    t[n] = 0; //! oob-write
}

// entry: text_last --mutate t=none --string 2
// for: t made by text_new; text_new.from string <= 2
int text_last(const char *t)
{
    return t ? t[head_of(t)->n - 1] : -1; // of none it is a byte of the head
}

// ---- a type that the header shows ----
struct point *point_new(int x, int y)
{
    struct point *p = malloc(sizeof *p);
    if (p) {
        p->x = x;
        p->y = y ? y : 1;
    }
    return p;
}

// entry: point_slope
// for: p one object
int point_slope(const struct point *p)
{
    return (p->x & 255) / p->y; //! div-zero //? null
}

// No point that point_new makes has a y of 0.
// entry: point_ratio --construct point=point_new
// for: p made by point_new
int point_ratio(const struct point *p)
{
    return p ? (p->x & 255) / p->y : 0;
}
