/* sort.c - qsort, bsearch, and the linear searches.
 *
 * qsort merges halves from the top down, as glibc's does: equal elements keep their order, so programs whose
 * output depends on it (they should not) behave as they do natively, and the comparisons are those between
 * neighbours. */
#include <search.h>
#include <stdlib.h>

#include "internal.h"

typedef int CompareWith(const void *, const void *, void *);

typedef struct Sort {
    size_t size; /* of an element */
    CompareWith *compare;
    void *context;
    char *spare; /* room for all elements */
} Sort;

static void merge_sort(const Sort *sort, char *base, size_t n)
{
    if (n <= 1)
        return;
    size_t size = sort->size, left = n / 2, right = n - left;
    char *a = base, *b = base + left * size, *to = sort->spare;
    merge_sort(sort, a, left);
    merge_sort(sort, b, right);
    while (left > 0 && right > 0) {
        if (sort->compare(a, b, sort->context) <= 0) {
            __builtin_memcpy(to, a, size);
            a += size;
            left--;
        } else {
            __builtin_memcpy(to, b, size);
            b += size;
            right--;
        }
        to += size;
    }
    /* What is left of the right half is in place already. */
    __builtin_memcpy(to, a, left * size);
    __builtin_memcpy(base, sort->spare, (n - right) * size);
}

static void sort_array(void *base, size_t n, size_t size, CompareWith *compare, void *context)
{
    if (n <= 1 || size == 0)
        return;
    (void)*(volatile char *)base; /* an array that is an input has a length once it is looked at */
    Sort sort = {
        .size = size, .compare = compare, .context = context, .spare = __sheaf_alloc(n * size, 16, 0)};
    if (!sort.spare)
        __sheaf_unsupported("qsort: no memory for a copy of the array");
    merge_sort(&sort, base, n);
    __sheaf_free(sort.spare);
}

void qsort_r(void *base, size_t n, size_t size, CompareWith *compare, void *context)
{
    sort_array(base, n, size, compare, context);
}

static int compare_plain(const void *a, const void *b, void *context)
{
    int (**compare)(const void *, const void *) = context;
    return (*compare)(a, b);
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    sort_array(base, n, size, compare_plain, &compare);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *))
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0)
            return (void *)at;
        if (order < 0) {
            decided();
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static void *find(const void *key, const void *base, size_t n, size_t size,
                  int (*compare)(const void *, const void *))
{
    const char *at = base;
    for (size_t i = 0; i < n; i++, at += size)
        if (compare(key, at) == 0)
            return (void *)at;
    return NULL;
}

void *lfind(const void *key, const void *base, size_t *n, size_t size,
            int (*compare)(const void *, const void *))
{
    return find(key, base, *n, size, compare);
}

void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*compare)(const void *, const void *))
{
    void *found = find(key, base, *n, size, compare);
    if (found)
        return found;
    return __builtin_memcpy((char *)base + (*n)++ * size, key, size);
}

struct Link {
    struct Link *next, *before;
};

void insque(void *element, void *after)
{
    struct Link *e = element, *a = after;
    e->next = a ? a->next : NULL;
    e->before = a;
    if (e->next)
        e->next->before = e;
    if (a)
        a->next = e;
}

void remque(void *element)
{
    struct Link *e = element;
    if (e->next)
        e->next->before = e->before;
    if (e->before)
        e->before->next = e->next;
}
