/* Functions that return and store addresses: a signature names what is there and never prints the machine's numbers. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct item *next, *previous;
    int type;
    char *name;
};
struct value {
    int tag;
    union {
        char ch;
        long n;
        void *p;
        double d;
        struct {
            int a, b;
        } pair;
    } u;
};

static char buf[12];
static int table[4];
static struct item items[3];

char *or_null(int k) { return k ? buf : NULL; }
char *into(int k) { return k == 1 ? &buf[2] : k == 2 ? (char *)&items[1].type : (char *)&items[2]; }
int *at(unsigned k) { return k < 4 ? table + k : NULL; }
int *member(unsigned k) { return k < 2 ? &items[k + 1].type : NULL; }
char *made(int k) { return k == 0 ? NULL : k == 1 ? malloc(12) : (char *)malloc(4) + 1; }
void *function(int k) { return k ? (void *)or_null : (void *)exit; }
int compared(char *p) { return p == buf + 2 ? 1 : p == malloc(4) ? 2 : p == (char *)-1 ? 3 : 0; }
long number(int k) { return k ? (long)buf : 7; }
int *inside(struct item *i) { return i->type ? &i->type : (int *)i; }
struct item *moved(struct item *i, int k) { return i + k; }
void put(struct value *v, int k, double d)
{
    v->tag = k;
    if (k == 0)
        v->u.p = buf;
    else if (k == 1)
        v->u.p = v;
    else if (k == 2)
        v->u.n = 5;
    else if (k == 3)
        v->u.d = d * 2;
    else if (k == 4)
        v->u.ch = 'a';
    else
        v->u.pair.a = k, v->u.pair.b = 4;
}
struct value returned(int k) { return (struct value){k, {.p = buf}}; }
void copied(char *to)
{
    char *p = buf;
    memcpy(to, &p, sizeof p);
}
void linked(struct item *i)
{
    i->next = malloc(sizeof *i);
    i->previous = &items[1];
    i->name = strdup("hi");
}
int kind(struct item *i) { return i->type == 24; }
long double wide(long double x) { return x > 2.5L ? -11.0L : x * 2; }

int main(void)
{
    int x, y;
    sheaf_symbolic(&x, sizeof x, "n");
    sheaf_symbolic(&y, sizeof y, "n");
    printf(x < y ? "%p %d\n" : "%p %u\n", x ? (void *)buf : NULL, y);
    printf("%Lg\n", 2.0L * x);
}

struct text {
    int length;
    char bytes[8];
};
void copy(struct text *to, const struct text *from) { memcpy(to->bytes, from->bytes + 2, 4); }
