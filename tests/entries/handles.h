// What the users of the library in handles.c see of it.
#ifndef HANDLES_H
#define HANDLES_H
#include <stddef.h>

typedef struct stack stack;
stack *stack_new(unsigned cap);
int stack_push(stack *s, int v);
int stack_pop(stack *s);
int stack_top(const stack *s);
int stack_swap(stack *s);
unsigned stack_room(const stack *s);
void stack_free(stack *s);

typedef struct ring ring;
int ring_open(unsigned size, ring **out);
int ring_put(ring *r, char c);
int ring_get(ring *r);
int ring_last(const ring *r);
void ring_close(ring *r);

typedef struct set set;
set *set_new(void);
int set_add(set *s, const char *key);
int set_remove(set *s, const char *key);
int set_has(const set *s, const char *key);
size_t set_longest(const set *s);
void set_free(set *s);

typedef struct reader reader;
reader *reader_open(const char *text);
reader *reader_open_bytes(const char *bytes, size_t n);
int reader_next(reader *r);
int reader_back(reader *r);
int reader_peek(const reader *r);
int reader_at(const reader *r, size_t i);
void reader_close(reader *r);

typedef struct parser parser;
parser *parser_new(void);
int parser_feed(parser *p, char c);
int parser_depth(const parser *p);
int parser_end(parser *p);
void parser_free(parser *p);

// Strings with their length before them.
char *text_new(const char *from);
char *text_add(char *t, char c);
void text_cut(char *t, size_t n);
size_t text_length(const char *t);
int text_last(const char *t);
void text_free(char *t);

// A type that the header shows keeps its shape.
struct point {
    int x, y;
};
struct point *point_new(int x, int y);
int point_slope(const struct point *p);
int point_ratio(const struct point *p);
#endif
