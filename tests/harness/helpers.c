// What <sheaf.h> makes for a harness: each main is one harness, chosen by -DHARNESS=...
#include <sheaf.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node {
    int value;
    struct Node *next;
} Node;

static char last(const char *s)
{
    return s[strlen(s) - 1]; // of no characters there is none
}

static int sum(const int *a, int n)
{
    int t = 0;
    if (n < 0)
        return -1;
    for (int i = 0; i <= n; i++) // one too many
        t ^= a[i];
    return t;
}

static int second(const Node *l)
{
    return l ? l->next->value : 0;
}

static Node *some_nodes(int depth)
{
    if (!depth)
        return NULL;
    Node *l = sheaf_object(sizeof *l, "l");
    l->next = sheaf_maybe_null(some_nodes(depth - 1));
    return l;
}

static int string(void)
{
    return last(sheaf_string(3, "s"));
}

static int counted(void)
{
    size_t n = sheaf_size(3, "n");
    return sum(sheaf_array(n, sizeof(int), "a"), (int)n);
}

// Nothing says how large n is: --elements does, where the array is used.
static int open(void)
{
    int n;
    sheaf_symbolic(&n, sizeof n, "n");
    return sum(sheaf_maybe_null(sheaf_array((size_t)n, sizeof(int), "a")), n);
}

static int product(void)
{
    size_t rows = sheaf_size(2, "rows"), columns = sheaf_size(2, "columns");
    char *cells = sheaf_array(rows * columns, 1, "cells");
    if (rows < 2 || columns < 2)
        return 0;
    return cells[rows * columns - 1] == 'x' ? cells[4] : 1; // the fifth of four
}

static int list(void)
{
    return second(sheaf_maybe_null(some_nodes(2)));
}

static int either(void)
{
    int a = 1, b = 0;
    const int *p = sheaf_any_of(const int *, "p", &a, &b, NULL);
    return 12 / *p;
}

int main(void)
{
    int r = HARNESS();
    sheaf_output(&r, sizeof r, "r");
    return 0;
}
