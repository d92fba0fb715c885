// What attributes say of parameters is a clause of the user's: it is assumed, and no need of callers.
#include <stddef.h>

int first_or_zero(const char *s) __attribute__((nonnull));
int sum_of(const int *a, const int *b) __attribute__((nonnull(1)));
int or_fails(int *p, int d) __attribute__((nonnull));

// entry: first_or_zero
// for: s != NULL; s string
int first_or_zero(const char *s)
{
    return *s;
}

// The other may be NULL.
// entry: sum_of
// for: a != NULL; a 1 element; b 1 element
int sum_of(const int *a, const int *b)
{
    return *a ^ *b; //? null
}

// entry: third
// for: a != NULL; a 3 elements
int third(const int a[static 3])
{
    return a[2];
}

// A branch on it is dead.
// entry: or_fails
// for: p != NULL; p 1 element
int or_fails(int *p, int d)
{
    if (!p)
        return 1 / (d & 0);
    return (*p & 255) / d; //! div-zero
}

// The caller passes what it says it never does: its own fault.
// entry: passes_null
static __attribute__((nonnull, noinline)) int value_of(const int *p) { return *p; } //! null
int passes_null(int c)
{
    int x = 1;
    int *p = c == 7 ? NULL : &x;
    return value_of(p);
}
