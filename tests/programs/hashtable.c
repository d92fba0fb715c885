// A hash table of strings with chaining and growth, counting the words of its input.
// stdin: the cat and the dog and the bird\nsaw the cat again and again\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry { char *key; int count; struct Entry *next; } Entry;
static Entry **buckets;
static unsigned size, used;

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static void grow(void)
{
    unsigned wider = size ? size * 2 : 4;
    Entry **fresh = calloc(wider, sizeof *fresh);
    for (unsigned i = 0; i < size; i++)
        while (buckets[i]) {
            Entry *e = buckets[i];
            buckets[i] = e->next;
            e->next = fresh[hash(e->key) % wider];
            fresh[hash(e->key) % wider] = e;
        }
    free(buckets);
    buckets = fresh;
    size = wider;
}

static Entry *get(const char *key)
{
    if (used >= size)
        grow();
    Entry **at = &buckets[hash(key) % size];
    for (Entry *e = *at; e; e = e->next)
        if (!strcmp(e->key, key))
            return e;
    Entry *e = malloc(sizeof *e);
    *e = (Entry){strdup(key), 0, *at};
    used++;
    return *at = e;
}

static int by_count(const void *a, const void *b)
{
    const Entry *x = *(Entry *const *)a, *y = *(Entry *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->key, y->key);
}

int main(void)
{
    char word[32];
    while (scanf("%31s", word) == 1)
        get(word)->count++;
    Entry **all = malloc(used * sizeof *all);
    unsigned n = 0;
    for (unsigned i = 0; i < size; i++)
        for (Entry *e = buckets[i]; e; e = e->next)
            all[n++] = e;
    qsort(all, n, sizeof *all, by_count);
    for (unsigned i = 0; i < n; i++)
        printf("%2d %s\n", all[i]->count, all[i]->key);
    for (unsigned i = 0; i < n; i++)
        free(all[i]->key), free(all[i]);
    free(all);
    free(buckets);
    return (int)n;
}
