/* dependence_filed.c - what became of tasks.
 *
 * Two marks for each: FILED, and SURVIVES if the run that served it last did. A task and its opposite are one
 * name. */
#include "explore/dependence.h"

enum { FILED = 1, SURVIVES = 2, TASK_BITS = 2, ALL_BITS = FILED | SURVIVES };

static unsigned place_of(uint64_t name) { return name & 1 ? TASK_BITS : 0; }
static unsigned bits_of(const DepFiled *s, uint64_t name)
{
    return marks_get(&s->pairs, name) >> place_of(name) & ALL_BITS;
}

static void set_bits(DepFiled *s, uint64_t name, unsigned bits)
{
    marks_set(&s->pairs, name, ALL_BITS << place_of(name), bits << place_of(name));
}

void dep_filed_add(DepFiled *s, uint64_t name) { set_bits(s, name, FILED); }
void dep_filed_serve(DepFiled *s, uint64_t name, bool survives)
{
    set_bits(s, name, FILED | (survives ? SURVIVES : 0));
}
bool dep_filed_has(const DepFiled *s, uint64_t name) { return bits_of(s, name); }
bool dep_filed_survives(const DepFiled *s, uint64_t name) { return bits_of(s, name) & SURVIVES; }
void dep_filed_prefetch(const DepFiled *s, uint64_t name) { marks_prefetch(&s->pairs, name); }
void dep_filed_forget(DepFiled *s) { marks_clear(&s->pairs); }
void dep_filed_free(DepFiled *s) { marks_free(&s->pairs); }
