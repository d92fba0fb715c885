/* sheaf: --entry insert --elements 5 --string 4 --depth 1 --calls 1 --construct table=table_new --mutate table=table_add */
/* An entry with a handle, an array and a string: the driver that makes the handle travels with the program. */
#include <stdlib.h>
#include <string.h>

struct table {
    unsigned n;
    char first[4];
};

struct table *table_new(void) { return calloc(1, sizeof(struct table)); }

void table_add(struct table *t, char c)
{
    if (t->n < 4)
        t->first[t->n++] = c;
}

int insert(struct table *t, const char *word, const int *weights, unsigned n)
{
    int sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += weights[i] > 0 ? 1 : weights[i] < -5 ? 2 : 3;
    for (unsigned i = 0; word[i]; i++)
        if (word[i] == (char)('a' + sum % 7))
            table_add(t, word[i]);
    return t->n > 3 ? 100 / (sum - 8) : (int)t->n;
}
