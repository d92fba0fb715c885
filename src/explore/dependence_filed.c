/* dependence_filed.c - what became of tasks.
 *
 * Two bits for each: FILED, and SURVIVES if the run that served it last did. A value of the map has those of a task and of its
 * opposite. */
#include "explore/dependence.h"

enum { FILED = 1, SURVIVES = 2, TASK_BITS = 2, ALL_BITS = FILED | SURVIVES };

static uint64_t pair_key(uint64_t name) { return name | 1; }
static unsigned place_of(uint64_t name) { return name & 1 ? TASK_BITS : 0; }

static uint64_t bits_of(const DepFiled *s, uint64_t name)
{
    uint64_t key = pair_key(name), pair = key == s->latest_key ? *s->latest : map_get_or(&s->pairs, key, 0);
    return pair >> place_of(name) & ALL_BITS;
}

/* Nothing is added to the map but here, so that the latest pair stays where it is until there is another. */
static void set_bits(DepFiled *s, uint64_t name, uint64_t bits)
{
    uint64_t key = pair_key(name);
    if (key != s->latest_key) {
        s->latest = map_at(&s->pairs, key);
        s->latest_key = key;
    }
    *s->latest = (*s->latest & ~((uint64_t)ALL_BITS << place_of(name))) | bits << place_of(name);
}

void dep_filed_add(DepFiled *s, uint64_t name) { set_bits(s, name, FILED); }
void dep_filed_serve(DepFiled *s, uint64_t name, bool survives) { set_bits(s, name, FILED | (survives ? SURVIVES : 0)); }
bool dep_filed_has(const DepFiled *s, uint64_t name) { return bits_of(s, name); }
bool dep_filed_survives(const DepFiled *s, uint64_t name) { return bits_of(s, name) & SURVIVES; }

void dep_filed_forget(DepFiled *s)
{
    map_clear(&s->pairs);
    s->latest_key = 0;
}

void dep_filed_free(DepFiled *s)
{
    map_free(&s->pairs);
    *s = (DepFiled){0};
}

void dep_filed_prefetch(const DepFiled *s, uint64_t name) { map_prefetch(&s->pairs, pair_key(name)); }
