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
    return map_get_or(&s->pairs, pair_key(name), 0) >> place_of(name) & ALL_BITS;
}

static void set_bits(DepFiled *s, uint64_t name, uint64_t bits)
{
    uint64_t *pair = map_at(&s->pairs, pair_key(name));
    *pair = (*pair & ~((uint64_t)ALL_BITS << place_of(name))) | bits << place_of(name);
}

void dep_filed_add(DepFiled *s, uint64_t name) { set_bits(s, name, FILED); }
void dep_filed_serve(DepFiled *s, uint64_t name, bool survives) { set_bits(s, name, FILED | (survives ? SURVIVES : 0)); }
bool dep_filed_has(const DepFiled *s, uint64_t name) { return bits_of(s, name); }
bool dep_filed_survives(const DepFiled *s, uint64_t name) { return bits_of(s, name) & SURVIVES; }
void dep_filed_prefetch(const DepFiled *s, uint64_t name) { map_prefetch(&s->pairs, pair_key(name)); }
