/* setindex.c - see setindex.h. */
#include "solver/setindex.h"

enum { LOOK_AT_MOST = 512 };

typedef struct Entry {
    uint64_t signature; /* one of 64 bits for each member: refutes most inclusions at once */
    uint32_t first, n;  /* in members */
    void *payload;
} Entry;

typedef struct Link {
    uint32_t entry;
    uint32_t next; /* number of the next link plus one; 0 ends a list */
} Link;

struct SetIndex {
    SetIndexKind kind;
    uint32_t limit;
    void (*drop)(const void *payload);
    U32Vec members;
    Vec(Entry) entries;
    Map head; /* number to the newest link of its list */
    Vec(Link) links;
};

SetIndex *setindex_new(SetIndexKind kind, uint32_t limit, void (*drop)(const void *payload))
{
    SetIndex *x = mem_zalloc(sizeof *x);
    x->kind = kind;
    x->limit = limit;
    x->drop = drop;
    return x;
}

void setindex_clear(SetIndex *x)
{
    for (uint32_t i = 0; i < x->entries.n && x->drop; i++)
        x->drop(x->entries.v[i].payload);
    vec_clear(&x->members);
    vec_clear(&x->entries);
    vec_clear(&x->links);
    map_clear(&x->head);
}

void setindex_free(SetIndex *x)
{
    if (!x)
        return;
    setindex_clear(x);
    vec_free(&x->members);
    vec_free(&x->entries);
    vec_free(&x->links);
    map_free(&x->head);
    mem_free(x);
}

static uint64_t signature_of(const uint32_t *set, uint32_t n)
{
    uint64_t s = 0;
    for (uint32_t i = 0; i < n; i++)
        s |= (uint64_t)1 << (hash_u64(set[i]) & 63);
    return s;
}

static bool includes(const uint32_t *big, uint32_t big_n, const uint32_t *small, uint32_t small_n)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < small_n; i++, j++) {
        while (j < big_n && big[j] < small[i])
            j++;
        if (j >= big_n || big[j] != small[i])
            return false;
    }
    return true;
}

static void link_entry(SetIndex *x, uint32_t entry, uint32_t number)
{
    vec_push(&x->links, (Link){entry, (uint32_t)map_get_or(&x->head, number, 0)});
    map_put(&x->head, number, x->links.n);
}

static void file_entry(SetIndex *x, const uint32_t *set, uint32_t n, void *payload)
{
    Entry e = {signature_of(set, n), x->members.n, n, payload};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&x->members, set[i]);
    vec_push(&x->entries, e);
    for (uint32_t i = x->kind == SETINDEX_SUBSETS ? n - 1 : 0; i < n; i++)
        link_entry(x, x->entries.n - 1, set[i]);
}

/* Keeps the newer half. */
static void halve(SetIndex *x)
{
    SetIndex old = *x;
    memset(&x->members, 0, sizeof x->members);
    memset(&x->entries, 0, sizeof x->entries);
    memset(&x->links, 0, sizeof x->links);
    memset(&x->head, 0, sizeof x->head);
    for (uint32_t i = 0; i < old.entries.n; i++) {
        const Entry *e = &old.entries.v[i];
        if (i >= old.entries.n / 2)
            file_entry(x, old.members.v + e->first, e->n, e->payload);
        else if (x->drop)
            x->drop(e->payload);
    }
    vec_free(&old.members);
    vec_free(&old.entries);
    vec_free(&old.links);
    map_free(&old.head);
}

void setindex_add(SetIndex *x, const uint32_t *set, uint32_t n, void *payload)
{
    if (n == 0 || n > x->limit / 2) {
        if (x->drop)
            x->drop(payload);
        return;
    }
    while (x->members.n + n > x->limit)
        halve(x);
    file_entry(x, set, n, payload);
}

bool setindex_subset(const SetIndex *x, const uint32_t *set, uint32_t n, const uint32_t **found,
                     uint32_t *found_n, void **payload)
{
    uint64_t signature = signature_of(set, n);
    uint32_t looked = 0;
    for (uint32_t i = n; i-- > 0;) {
        uint32_t at = (uint32_t)map_get_or(&x->head, set[i], 0);
        for (; at && looked < LOOK_AT_MOST; at = x->links.v[at - 1].next, looked++) {
            const Entry *e = &x->entries.v[x->links.v[at - 1].entry];
            if ((e->signature & ~signature) || !includes(set, i + 1, x->members.v + e->first, e->n))
                continue;
            if (found) {
                *found = x->members.v + e->first;
                *found_n = e->n;
            }
            *payload = e->payload;
            return true;
        }
    }
    return false;
}

bool setindex_superset(const SetIndex *x, const uint32_t *set, uint32_t n, void **payload)
{
    if (n == 0)
        return false;
    uint64_t signature = signature_of(set, n);
    uint32_t at = (uint32_t)map_get_or(&x->head, set[n - 1], 0);
    for (uint32_t looked = 0; at && looked < LOOK_AT_MOST; at = x->links.v[at - 1].next, looked++) {
        const Entry *e = &x->entries.v[x->links.v[at - 1].entry];
        if ((signature & ~e->signature) || !includes(x->members.v + e->first, e->n, set, n))
            continue;
        *payload = e->payload;
        return true;
    }
    return false;
}
