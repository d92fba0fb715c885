// How far an answer goes: lengths that are negative, arrays without a known length, state that earlier calls leave, and calls of which none comes to its end.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"

// A length below zero is the caller's to avoid; nothing is left out silently.
// entry: copy_signed
// for: s len bytes, len <= 3
// passes: s != NULL; len >= 0
int copy_signed(const char *s, int len)
{
    char b[4] = {0};
    if (len > 4)
        return -1;
    memcpy(b, s, (size_t)len); //? null oob-read
    return b[0];
}

// entry: first_of
// for: v n elements, n <= 3
// passes: v != NULL; n >= 0
int first_of(const int *v, long n)
{
    if (!n)
        return 0;
    return v[0]; //? null oob-read
}

// The fault with no elements is its own, however few a caller passes.
// entry: last_of
// for: v n elements, n <= 3
// passes: v != NULL; n >= 0
int last_of(const int *v, int n)
{
    return v[n - 1]; //! oob-read //? null oob-read
}

// It looks: no caller must.
// entry: checked_sum
// for: v n elements, n <= 3
// passes: v != NULL
int checked_sum(const int *v, int n)
{
    int t = 0;
    if (n < 0)
        return -1;
    for (int i = 0; i < n; i++)
        t ^= v[i]; //? null
    return t;
}

// Without a length, bounds grow as long as a run comes to the end of the array.
// entry: sentinel --elements 0
// for: v 8 elements
// passes: v != NULL; v of more than 8 elements
int sentinel(const int *v)
{
    int n = 0;
    while (v[n]) //? null oob-read
        n++;
    if (n == 4)
        abort(); //! abort
    return n;
}

// Three rows are enough, and no more are tried.
// entry: trace3 --elements 0
// for: m 3 elements
// passes: m != NULL
int trace3(int m[3][3])
{
    int t = 0;
    for (int i = 0; i < 3; i++)
        t ^= m[i][i]; //? null
    if (t == 77)
        abort(); //! abort
    return t;
}

typedef struct Pair {
    int x, y;
} Pair;

// entry: four_pairs --elements 0
// for: v 4 elements
// passes: v != NULL
int four_pairs(const Pair v[4])
{
    int t = 0;
    for (const Pair *p = v; p < v + 4; p++)
        t ^= p->x & p->y; //? null
    if (t == 9)
        abort(); //! abort
    return t;
}

// entry: count_words --elements 0
// for: words 8 elements
// passes: words != NULL; words of more than 8 elements
int count_words(char **words)
{
    int n = 0;
    while (words[n]) //? null oob-read
        n++;
    return n;
}

// Three elements at least, says its user: it must do with them.
// entry: of_three
// for: a != NULL; a 3 elements
int of_three(const int a[static 3], unsigned i)
{
    if (i > 3)
        return 0;
    return a[i]; //! oob-read
}

// One row more than its user says.
// entry: of_rows
// for: m != NULL; m 2 elements
int of_rows(int m[static 2][2], unsigned i)
{
    return i < 3 ? m[i][1] : 0; //! oob-read
}

// What earlier calls leave is not tried, and that is said.
static int calls;

// entry: third_call
// for: calls at its initial value
int third_call(int x)
{
    if (calls++ == 3)
        abort();
    return x;
}

static int total, unit = 10;

// Nothing writes `unit`.
// entry: average
// for: total at its initial value
int average(void) { return unit / (total - 5); }

void add(int x) { total += x; }

// The array at its end has four elements: the fifth is no other object.
typedef struct Four {
    int n;
    int v[4];
} Four;

// entry: of_four
// for: p one object
// passes: p != NULL
int of_four(const Four *p, unsigned i)
{
    if (i > 4)
        return 0;
    return p->v[i]; //! oob-read //? null
}

// An array of them it is if it is used as one.
// entry: some_four
// for: p 3 elements
// passes: p != NULL; p of more than 3 elements
int some_four(const Four *p, unsigned i)
{
    return p[i & 3].n; //? null oob-read
}

// No depot is as small as those that are tried: nothing is known of the function.
struct depot {
    unsigned size;
    int *items;
};

// entry: -
depot *depot_new(unsigned size)
{
    depot *d = size < 64 ? NULL : malloc(sizeof *d);
    if (!d)
        return NULL;
    d->size = size;
    d->items = calloc(size, sizeof *d->items);
    return d;
}

// entry: depot_get
// incomplete: no call in which d leads somewhere came to its end
// for: d made by depot_new; depot_new.size <= 3
int depot_get(depot *d, unsigned i) { return d ? d->items[i] : 0; }

// Nor is anything known of what follows where it needs more room than a string has.
// entry: append_mark
// incomplete: no call came to its end
// for: s string <= 3
// passes: s != NULL; s with room behind its string
int append_mark(char *s)
{
    size_t n = strlen(s); //? null
    s[n + 1] = '!'; //? oob-write
    return 7 / (int)n;
}
