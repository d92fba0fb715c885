/* dependence_filed.c - what became of tasks.
 *
 * A word for each: 0 if it was never filed, else FILED, SURVIVES if the run that served it last did, and the number of that
 * run. Two words are a value of the map. */
#include "explore/dependence.h"

enum { FILED = 1, SURVIVES = 2, NUMBER_AT = 2, WORD_BITS = 32 };
static const uint64_t number_most = UINT32_MAX >> NUMBER_AT;

static uint64_t pair_key(uint64_t name) { return name | 1; }
static unsigned place_of(uint64_t name) { return name & 1 ? WORD_BITS : 0; }

static uint32_t word_of(const DepFiled *s, uint64_t name)
{
    return (uint32_t)(map_get_or(&s->pairs, pair_key(name), 0) >> place_of(name));
}

static void set_word(DepFiled *s, uint64_t name, uint32_t word)
{
    uint64_t *pair = map_at(&s->pairs, pair_key(name));
    *pair = (*pair & ~((uint64_t)UINT32_MAX << place_of(name))) | (uint64_t)word << place_of(name);
}

void dep_filed_add(DepFiled *s, uint64_t name) { set_word(s, name, FILED); }

void dep_filed_serve(DepFiled *s, uint64_t name, uint64_t run, bool survives)
{
    uint32_t number = run > number_most ? 0 : (uint32_t)run;
    set_word(s, name, number << NUMBER_AT | (survives ? SURVIVES : 0) | FILED);
}

bool dep_filed_has(const DepFiled *s, uint64_t name) { return word_of(s, name); }
bool dep_filed_survives(const DepFiled *s, uint64_t name) { return word_of(s, name) & SURVIVES; }
uint64_t dep_filed_by(const DepFiled *s, uint64_t name) { return word_of(s, name) >> NUMBER_AT; }
void dep_filed_prefetch(const DepFiled *s, uint64_t name) { map_prefetch(&s->pairs, pair_key(name)); }
