// _Generic, _Static_assert, compound literals, flexible array members, anonymous members, statement expressions.
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#define kind(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", char *: "string", default: "other")
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
_Static_assert(sizeof(int) == 4, "int");

struct buffer { size_t n; union { int tag; float value; }; struct { short x, y; }; int items[]; };

static int total(const int *v) { int s = 0; while (*v) s += *v++; return s; }

int main(void)
{
    printf("%s %s %s %s %s\n", kind(1), kind(1u), kind(1.0), kind("s"), kind('c' + 1L));
    int i = 3;
    printf("%d %d\n", max(i++, 2), i);
    struct buffer *b = malloc(sizeof *b + 4 * sizeof(int));
    b->n = 4;
    b->value = 1.0f;
    b->x = -1, b->y = 2;
    for (size_t k = 0; k < b->n; k++)
        b->items[k] = (int)(k * k);
    printf("%zu %x %d %d\n", sizeof *b, b->tag, b->x + b->y, b->items[3]);
    printf("%d\n", total((int[]){1, 2, 3, 0}));
    alignas(64) char aligned[3];
    printf("%d %zu\n", (int)((size_t)aligned % 64), alignof(double));
    free(b);
    return 0;
}
