// Functions that call what they are given: comparisons, predicates, visitors, tables of hooks.
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Visitor {
    int (*enter)(void *context, int value);
    void (*leave)(void *context);
    void *context;
} Visitor;

typedef struct Item {
    int key, weight;
} Item;

// entry: largest
// for: a n elements, n <= 3; compare callback (returns anything, writes nothing)
const int *largest(const int *a, size_t n, int (*compare)(const int *, const int *))
{
    const int *best = NULL;
    for (size_t i = 0; a && compare && i < n; i++)
        if (!best || compare(&a[i], best) > 0)
            best = &a[i];
    return best;
}

// A comparison that is no order leads it out of the array.
// entry: insertion_sort
// for: a n elements, n <= 3; compare callback (returns anything, writes nothing)
void insertion_sort(int *a, size_t n, int (*compare)(const int *, const int *))
{
    if (!a)
        return;
    for (size_t i = 1; i < n; i++) {
        int value = a[i];
        size_t k = i;
        for (; compare(&a[k - 1], &value) > 0; k--) //? bad-call
            a[k] = a[k - 1]; //! oob-read
        a[k] = value;
    }
}

// entry: sort_items
// for: items n elements, n <= 3; compare callback (returns anything, writes nothing)
int sort_items(Item *items, size_t n, int (*compare)(const void *, const void *))
{
    if (!items || !compare)
        return -1;
    qsort(items, n, sizeof *items, compare);
    return n ? items[0].key : 0;
}

// entry: find_item
// for: items n elements, n <= 3; matches callback (returns anything, writes nothing)
const Item *find_item(const Item *items, size_t n, bool (*matches)(const Item *))
{
    if (!items || !matches)
        return NULL;
    size_t i = 0;
    while (!matches(&items[i]) && i < n)
        i++;
    return items[i].key ? &items[i] : NULL; //! oob-read
}

// entry: visit_all
// for: a n elements, n <= 3; v one object; v->enter callback (returns anything, writes nothing); v->leave callback (writes nothing)
int visit_all(const int *a, size_t n, const Visitor *v)
{
    int entered = 0;
    for (size_t i = 0; a && v && v->enter && i < n; i++) {
        if (v->enter(v->context, a[i]) < 0)
            break;
        entered++;
        v->leave(v->context); //? bad-call
    }
    return entered;
}

// The step may be 0.
// entry: steps_between --check overflow
// for: step callback (returns anything, writes nothing)
int steps_between(unsigned from, unsigned to, unsigned char (*step)(unsigned))
{
    return step ? (int)((to - from) / step(from)) : 0; //! div-zero
}

// entry: integral
// for: f callback (returns anything, writes nothing)
double integral(double (*f)(double), double a, double b)
{
    double low = f(a), high = f(b); //? bad-call
    if (low > high)
        abort(); //! abort
    return (low + high) / 2 * (b - a);
}

// What the callback returns leads to something, or not.
// entry: sum_source
// for: next callback (returns anything, writes nothing); next() one object
int sum_source(unsigned n, const Item *(*next)(void *), void *context)
{
    int sum = 0;
    for (unsigned i = 0; next && i < n && i < 2; i++) {
        const Item *item = next(context);
        if (i && !item)
            break;
        sum += item->key; //? null
        if (sum == 77)
            abort(); //! abort
    }
    return sum;
}

// No caller but one with '...' can make a va_list: refused (docs/entries.md).
int log_line(const char *format, va_list args)
{
    return vprintf(format, args);
}
