// Two pointers that may be one (--aliases), lists with cycles.
#include <stdlib.h>
#include <string.h>

typedef struct Account {
    int balance;
    struct Account *owner;
} Account;

typedef struct Link {
    int value;
    struct Link *next;
} Link;

// Without the option the two are separate, and nothing fails.
// entry: transfer
// for: from one object; to one object
int transfer(Account *from, Account *to)
{
    if (!from || !to)
        return -1;
    from->balance = 0;
    to->balance = 1;
    if (from->balance)
        abort();
    return 0;
}

// entry: transfer_alias --aliases
// for: from one object; to one object; separate, or the same if of one type
int transfer_alias(Account *from, Account *to)
{
    if (!from || !to)
        return -1;
    from->balance = 0;
    to->balance = 1;
    if (from->balance)
        abort(); //? abort
    return 0;
}

// It fails whether or not they are the same.
// entry: transfer_fails --aliases
// for: from one object; to one object; separate, or the same if of one type
int transfer_fails(Account *from, Account *to)
{
    if (!from || !to)
        return -1;
    to->balance = from->balance;
    if (from->balance == 77)
        abort(); //! abort
    return 0;
}

// entry: free_both --aliases
// for: a string; b string; separate, or the same if of one type
void free_both(char *a, char *b)
{
    if (!a || !b || !a[0] || !b[0])
        return;
    free(a);
    free(b); //? double-free
}

// Of other types they are never the same.
// entry: mixed --aliases
// for: a one object; l one object; separate, or the same if of one type
int mixed(Account *a, Link *l)
{
    if (!a || !l)
        return 0;
    a->balance = 0;
    l->value = 1;
    if (a->balance)
        abort();
    return 1;
}

// entry: is_own_owner --aliases
// for: a list depth <= 3; separate, or the same if of one type
int is_own_owner(Account *a)
{
    if (!a || !a->owner)
        return 0;
    a->owner->balance = 5;
    a->balance = 4;
    if (a->owner->balance == 4)
        abort(); //? abort
    return 1;
}

// Sets the second element, then reads the first; the two arrays have one length.
// entry: spread --aliases
// for: to n elements, n <= 3; from n elements, n <= 3; separate, or the same if of one type
int spread(int *to, const int *from, size_t n)
{
    if (!to || !from || n < 2 || from[0] != 3)
        return 0;
    for (size_t i = 0; i < n; i++)
        to[i] = 0;
    if (from[0] != 3)
        abort(); //? abort
    return 1;
}

// Of runs that fail alike one is shown, in which the two may be the same: what it does not depend on is no need.
static void count_twos(const int *p, int *k)
{
    if (*p == 2)
        ++*k;
}

// entry: three_counts --aliases --all-aliases
// for: a 1 element; b 1 element; c 1 element; separate, or the same if of one type
int three_counts(const int *a, const int *b, const int *c, int k)
{
    if (!a || !c)
        return 0;
    count_twos(a, &k);
    if (*b == 4) //? null
        k++;
    if (*c == 6)
        k++;
    if (*c == 3)
        abort(); //! abort
    if (*a == 3)
        abort(); //! abort
    return k;
}

// Where it depends on that only in the end, it is one.
// entry: three_places --aliases --all-aliases
// for: a 1 element; b 1 element; c 1 element; separate, or the same if of one type
int three_places(const int *a, const int *b, const int *c, int k)
{
    if (!a || !b || !c)
        return 0;
    k += *a == 2 ? *b : *c;
    if (*a == 3)
        abort(); //! abort
    if (a == b)
        abort(); //? abort
    return k;
}
