/* map.c - hash maps, string maps, interned strings, bit sets. */
#include "base/base.h"

#include <inttypes.h>

/* ---- Map ------------------------------------------------------------------------------------- */

/* Two keys mark slots: empty and deleted. As keys of the user's they live in two extra slots behind the
 * table, whose key then says whether they are taken. So a slot is 16 bytes and a probe touches one line of
 * the cache. */
struct MapSlot {
    uint64_t key, value;
};
enum { EXTRA = 2, LEAST_CAP = 16 };
#define KEY_EMPTY   UINT64_C(0)
#define KEY_DELETED UINT64_MAX

static inline bool key_is_mark(uint64_t key) { return key + 1 <= 1; }

static inline struct MapSlot *mark_slot(const Map *m, uint64_t key)
{
    return &m->slots[m->cap + (key != KEY_EMPTY)];
}

/* The slot that holds key, or NULL. */
static struct MapSlot *find(const Map *m, uint64_t key)
{
    if (!m->cap)
        return NULL;
    if (UNLIKELY(key_is_mark(key))) {
        struct MapSlot *s = mark_slot(m, key);
        return s->key ? s : NULL;
    }
    uint32_t mask = m->cap - 1;
    for (uint32_t i = (uint32_t)hash_u64(key) & mask;; i = (i + 1) & mask) {
        struct MapSlot *s = &m->slots[i];
        if (s->key == key)
            return s;
        if (s->key == KEY_EMPTY)
            return NULL;
    }
}

/* A table with room for n entries and half as many again, without deleted slots. */
static void rehash(Map *m, uint32_t n)
{
    uint64_t cap = LEAST_CAP;
    while (cap < (uint64_t)n * 2)
        cap *= 2;
    if (cap > UINT32_C(1) << 31)
        die("out of memory (a map of %" PRIu32 " entries)", n);
    Map old = *m;
    m->slots = mem_zalloc((cap + EXTRA) * sizeof *m->slots);
    m->cap = (uint32_t)cap;
    m->used = 0;
    uint32_t mask = m->cap - 1;
    for (uint32_t k = 0; k < old.cap; k++) {
        if (key_is_mark(old.slots[k].key))
            continue;
        uint32_t i = (uint32_t)hash_u64(old.slots[k].key) & mask;
        while (m->slots[i].key != KEY_EMPTY)
            i = (i + 1) & mask;
        m->slots[i] = old.slots[k];
        m->used++;
    }
    if (old.cap)
        memcpy(m->slots + m->cap, old.slots + old.cap, EXTRA * sizeof *m->slots);
    mem_free(old.slots);
}

bool map_get(const Map *m, uint64_t key, uint64_t *value)
{
    const struct MapSlot *s = find(m, key);
    if (s && value)
        *value = s->value;
    return s;
}

uint64_t map_get_or(const Map *m, uint64_t key, uint64_t otherwise)
{
    const struct MapSlot *s = find(m, key);
    return s ? s->value : otherwise;
}

/* The slot of the key, which is there from now on; *added: it was not, and has no value yet. */
static inline struct MapSlot *slot_of(Map *m, uint64_t key, bool *added)
{
    if (UNLIKELY((uint64_t)m->used * 4 >= (uint64_t)m->cap * 3))
        rehash(m, m->n + 1);
    if (UNLIKELY(key_is_mark(key))) {
        struct MapSlot *s = mark_slot(m, key);
        m->n += *added = !s->key;
        s->key = 1;
        return s;
    }
    uint32_t mask = m->cap - 1;
    struct MapSlot *deleted = NULL;
    for (uint32_t i = (uint32_t)hash_u64(key) & mask;; i = (i + 1) & mask) {
        struct MapSlot *s = &m->slots[i];
        *added = s->key == KEY_EMPTY;
        if (s->key == key)
            return s;
        if (s->key == KEY_DELETED && !deleted)
            deleted = s;
        if (*added) {
            m->used += !deleted;
            m->n++;
            s = deleted ? deleted : s;
            s->key = key;
            return s;
        }
    }
}

void map_put(Map *m, uint64_t key, uint64_t value)
{
    bool added;
    slot_of(m, key, &added)->value = value;
}

bool map_add(Map *m, uint64_t key, uint64_t value)
{
    bool added;
    struct MapSlot *s = slot_of(m, key, &added);
    if (added)
        s->value = value;
    return added;
}

uint64_t *map_at(Map *m, uint64_t key)
{
    bool added;
    struct MapSlot *s = slot_of(m, key, &added);
    if (added)
        s->value = 0;
    return &s->value;
}

bool map_remove(Map *m, uint64_t key)
{
    struct MapSlot *s = find(m, key);
    if (!s)
        return false;
    m->n--;
    if (UNLIKELY(key_is_mark(key))) {
        s->key = 0;
        return true;
    }
    uint32_t mask = m->cap - 1, i = (uint32_t)(s - m->slots);
    s->key = KEY_DELETED;
    /* No probe runs past an empty slot: deleted ones before it need not stay. */
    if (m->slots[(i + 1) & mask].key == KEY_EMPTY)
        for (; m->slots[i].key == KEY_DELETED; i = (i - 1) & mask) {
            m->slots[i].key = KEY_EMPTY;
            m->used--;
        }
    return true;
}

bool map_next(const Map *m, uint32_t *cursor, uint64_t *key, uint64_t *value)
{
    if (!m->cap)
        return false;
    for (; *cursor < m->cap + EXTRA; ++*cursor) {
        const struct MapSlot *s = &m->slots[*cursor];
        bool extra = *cursor >= m->cap;
        if (extra ? !s->key : key_is_mark(s->key))
            continue;
        if (key)
            *key = !extra ? s->key : *cursor == m->cap ? KEY_EMPTY : KEY_DELETED;
        if (value)
            *value = s->value;
        ++*cursor;
        return true;
    }
    return false;
}

void map_clear(Map *m)
{
    if (m->n || m->used)
        memset(m->slots, 0, ((size_t)m->cap + EXTRA) * sizeof *m->slots);
    m->n = m->used = 0;
}

void map_free(Map *m)
{
    mem_free(m->slots);
    *m = (Map){0};
}

uint64_t hash_bytes(const void *data, size_t size)
{
    const unsigned char *p = data;
    uint64_t h = hash_u64(size + 1), word;
    for (; size >= 8; p += 8, size -= 8) {
        memcpy(&word, p, 8);
        h = (h ^ word) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;
    }
    word = 0;
    for (size_t i = 0; i < size; i++)
        word |= (uint64_t)p[i] << (8 * i);
    return hash_mix(h, word);
}

/* ---- Marks ----------------------------------------------------------------------------------- */

enum { MARKS_FIRST = 1024, MARKS_LARGE = 1 << 16 }; /* slots */

/* Small ones fourfold, so that they are seldom copied; large ones are not to take more than they must. */
void marks_grow(Marks *m)
{
    Marks old = *m;
    uint64_t cap = old.cap >= MARKS_LARGE ? (uint64_t)old.cap * 2
                   : old.cap              ? (uint64_t)old.cap * 4
                                          : MARKS_FIRST;
    if (cap > UINT32_C(1) << 31)
        die("out of memory (marks of %" PRIu32 " names)", m->n);
    m->slots = mem_zalloc(cap * sizeof *m->slots);
    m->cap = (uint32_t)cap;
    for (uint32_t i = 0; i < old.cap; i++)
        if (old.slots[i])
            *marks_slot(m, old.slots[i] & ~(uint64_t)MARKS_MASK) = old.slots[i];
    mem_free(old.slots);
}

void marks_clear(Marks *m)
{
    if (m->n)
        memset(m->slots, 0, (size_t)m->cap * sizeof *m->slots);
    m->n = 0;
}

void marks_free(Marks *m)
{
    mem_free(m->slots);
    *m = (Marks){0};
}

/* ---- StrMap ---------------------------------------------------------------------------------- */

/* Links (Map values and next) are an entry's position + 1; 0 ends a chain. A chain holds live entries
 * only. */
static struct StrMapEntry *str_find(const StrMap *m, const char *key, uint64_t hash)
{
    for (uint32_t link = (uint32_t)map_get_or(&m->index, hash, 0); link; link = m->entries.v[link - 1].next)
        if (!strcmp(m->entries.v[link - 1].key, key))
            return &m->entries.v[link - 1];
    return NULL;
}

bool strmap_get(const StrMap *m, const char *key, uint64_t *value)
{
    const struct StrMapEntry *e = str_find(m, key, hash_bytes(key, strlen(key)));
    if (e && value)
        *value = e->value;
    return e;
}

static void str_link(StrMap *m, uint32_t at, uint64_t hash)
{
    m->entries.v[at].next = (uint32_t)map_get_or(&m->index, hash, 0);
    map_put(&m->index, hash, at + 1);
}

/* Drops dead entries; the live ones keep their order. */
static void compact(StrMap *m)
{
    uint32_t n = 0;
    map_clear(&m->index);
    for (uint32_t i = 0; i < m->entries.n; i++) {
        if (!m->entries.v[i].live)
            continue;
        m->entries.v[n] = m->entries.v[i];
        str_link(m, n, hash_bytes(m->entries.v[n].key, strlen(m->entries.v[n].key)));
        n++;
    }
    m->entries.n = n;
}

void strmap_put(StrMap *m, const char *key, uint64_t value)
{
    uint64_t hash = hash_bytes(key, strlen(key));
    struct StrMapEntry *e = str_find(m, key, hash);
    if (e) {
        e->value = value;
        return;
    }
    char *copy = mem_strdup(key);
    if (m->entries.n == m->entries.cap && m->index.n < m->entries.n / 2)
        compact(m);
    vec_push(&m->entries, (struct StrMapEntry){.key = copy, .value = value, .live = true});
    str_link(m, m->entries.n - 1, hash);
}

bool strmap_remove(StrMap *m, const char *key)
{
    uint64_t hash = hash_bytes(key, strlen(key));
    struct StrMapEntry *e = str_find(m, key, hash);
    if (!e)
        return false;
    uint32_t link = (uint32_t)(e - m->entries.v) + 1;
    uint32_t at = (uint32_t)map_get_or(&m->index, hash, 0);
    if (at != link) {
        while (m->entries.v[at - 1].next != link)
            at = m->entries.v[at - 1].next;
        m->entries.v[at - 1].next = e->next;
    } else if (e->next) {
        map_put(&m->index, hash, e->next);
    } else {
        map_remove(&m->index, hash);
    }
    mem_free(e->key);
    *e = (struct StrMapEntry){0};
    return true;
}

void strmap_free(StrMap *m)
{
    for (uint32_t i = 0; i < m->entries.n; i++)
        mem_free(m->entries.v[i].key);
    vec_free(&m->entries);
    map_free(&m->index);
}

/* ---- Intern ---------------------------------------------------------------------------------- */

/* Nothing is ever removed from the map, so an entry's position is its id. */
struct Intern {
    StrMap map;
};

Intern *intern_new(void)
{
    Intern *in = mem_zalloc(sizeof *in);
    intern_id(in, "");
    return in;
}

uint32_t intern_id(Intern *in, const char *text)
{
    uint64_t hash = hash_bytes(text, strlen(text));
    const struct StrMapEntry *e = str_find(&in->map, text, hash);
    if (e)
        return (uint32_t)(e - in->map.entries.v);
    vec_push(&in->map.entries, (struct StrMapEntry){.key = mem_strdup(text), .live = true});
    str_link(&in->map, in->map.entries.n - 1, hash);
    return in->map.entries.n - 1;
}

const char *intern_text(const Intern *in, uint32_t id)
{
    if (id >= in->map.entries.n)
        bug("no interned string has id %" PRIu32, id);
    return in->map.entries.v[id].key;
}

void intern_free(Intern *in)
{
    if (!in)
        return;
    strmap_free(&in->map);
    mem_free(in);
}

/* ---- BitSet ---------------------------------------------------------------------------------- */

static void widen(BitSet *s, uint32_t words)
{
    if (words <= s->n)
        return;
    vec_reserve(s, words);
    memset(s->v + s->n, 0, (words - s->n) * sizeof *s->v);
    s->n = words;
}

bool bitset_has(const BitSet *s, uint32_t i) { return i / 64 < s->n && s->v[i / 64] >> i % 64 & 1; }

bool bitset_add(BitSet *s, uint32_t i)
{
    widen(s, i / 64 + 1);
    uint64_t bit = UINT64_C(1) << i % 64, old = s->v[i / 64];
    s->v[i / 64] = old | bit;
    return !(old & bit);
}

void bitset_remove(BitSet *s, uint32_t i)
{
    if (i / 64 < s->n)
        s->v[i / 64] &= ~(UINT64_C(1) << i % 64);
}

bool bitset_unite(BitSet *s, const BitSet *other)
{
    uint64_t grown = 0;
    widen(s, other->n);
    for (uint32_t i = 0; i < other->n; i++) {
        grown |= other->v[i] & ~s->v[i];
        s->v[i] |= other->v[i];
    }
    return grown;
}

bool bitset_meets(const BitSet *a, const BitSet *b)
{
    for (uint32_t i = 0; i < a->n && i < b->n; i++)
        if (a->v[i] & b->v[i])
            return true;
    return false;
}

bool bitset_subset(const BitSet *a, const BitSet *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i] & ~(i < b->n ? b->v[i] : 0))
            return false;
    return true;
}

uint32_t bitset_count(const BitSet *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n; i++)
        count += (uint32_t)__builtin_popcountll(s->v[i]);
    return count;
}

uint32_t bitset_next(const BitSet *s, uint32_t from)
{
    uint32_t i = from / 64;
    if (i >= s->n)
        return UINT32_MAX;
    for (uint64_t word = s->v[i] >> from % 64 << from % 64;; word = s->v[i]) {
        if (word)
            return i * 64 + (uint32_t)__builtin_ctzll(word);
        if (++i == s->n)
            return UINT32_MAX;
    }
}

void bitset_free(BitSet *s) { vec_free(s); }

/* ---- Stamps ---------------------------------------------------------------------------------- */

void stamps_clear(Stamps *s)
{
    if (++s->epoch == 0) { /* it came round: no old stamp may match */
        vec_clear(&s->of);
        s->epoch = 1;
    }
}

void stamps_add(Stamps *s, uint32_t i)
{
    if (i >= s->of.n) {
        uint32_t n = i + i / 2 + 64;
        vec_reserve(&s->of, n);
        memset(s->of.v + s->of.n, 0, (n - s->of.n) * sizeof *s->of.v);
        s->of.n = n;
    }
    s->of.v[i] = s->epoch;
}

void stamps_free(Stamps *s)
{
    vec_free(&s->of);
    s->epoch = 0;
}
