/* qsort with its order of equal elements and of comparisons, bsearch, lfind, lsearch. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pair {
    int key, place;
    char padding[40];
} Pair;

static unsigned long trace;
static int calls;

static int by_key(const void *a, const void *b)
{
    const Pair *x = a, *y = b;
    calls++;
    trace = trace * 31 + (unsigned long)(x->place * 1000 + y->place);
    return x->key < y->key ? -1 : x->key > y->key;
}

static int by_int(const void *a, const void *b)
{
    calls++;
    trace = trace * 31 + (unsigned long)(*(const int *)a * 7 + *(const int *)b);
    return *(const int *)a - *(const int *)b;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_byte(const void *a, const void *b, void *direction)
{
    return (*(const char *)a - *(const char *)b) * *(int *)direction;
}

int main(void)
{
    unsigned state = 12345;
    for (int n = 0; n < 40; n += 3) {
        Pair *pairs = calloc((size_t)n + 1, sizeof *pairs);
        int *ints = calloc((size_t)n + 1, sizeof *ints);
        for (int i = 0; i < n; i++) {
            state = state * 1103515245 + 12345;
            pairs[i].key = (int)(state >> 16) % 7;
            pairs[i].place = i;
            ints[i] = (int)(state >> 8) % 100;
        }
        calls = 0, trace = 0;
        qsort(pairs, (size_t)n, sizeof *pairs, by_key);
        printf("%d: %d %lx", n, calls, trace);
        for (int i = 0; i < n; i++)
            printf(" %d.%d", pairs[i].key, pairs[i].place);
        calls = 0, trace = 0;
        qsort(ints, (size_t)n, sizeof *ints, by_int);
        printf("\n  %d %lx", calls, trace);
        for (int i = 0; i < n; i++)
            printf(" %d", ints[i]);
        printf("\n  ");
        for (int key = 0; key < 100; key += 9) {
            calls = 0;
            int *found = bsearch(&key, ints, (size_t)n, sizeof *ints, by_int);
            printf("%td/%d ", found ? found - ints : -1, calls);
        }
        printf("\n");
        free(pairs);
        free(ints);
    }
    char *words[] = {"pear", "apple", "fig", "banana", "cherry", "date", "apple"};
    qsort(words, 7, sizeof *words, by_text);
    for (int i = 0; i < 7; i++)
        printf("%s ", words[i]);
    char text[] = "the quick brown fox jumps over the lazy dog";
    int direction = -1;
    qsort_r(text, sizeof text - 1, 1, by_byte, &direction);
    printf("[%s]\n", text);
    int table[10] = {5, 3, 8}, extra = 9;
    size_t n = 3;
    printf("%td ", (int *)lfind(&table[1], table, &n, sizeof *table, by_int) - table);
    printf("%d ", lfind(&extra, table, &n, sizeof *table, by_int) == NULL);
    printf("%td %zu ", (int *)lsearch(&extra, table, &n, sizeof *table, by_int) - table, n);
    printf("%td %zu\n", (int *)lsearch(&extra, table, &n, sizeof *table, by_int) - table, n);
    return 0;
}
