/* filed_tasks.c - what became of tasks. Two marks for each: it was filed; and its last run terminated
 * normally. A task and the one for the negated condition are one entry. */
#include "explore/dependence.h"

enum { FILED = 1, NORMAL = 2, TASK_BITS = 2, ALL_BITS = FILED | NORMAL };

static unsigned place_of(uint64_t fingerprint) { return fingerprint & 1 ? TASK_BITS : 0; }

static unsigned bits_of(const FiledTasks *s, uint64_t fingerprint)
{
    return shared_marks_get(&s->pairs, fingerprint) >> place_of(fingerprint) & ALL_BITS;
}

static void set_bits(FiledTasks *s, uint64_t fingerprint, unsigned bits)
{
    unsigned place = place_of(fingerprint);
    shared_marks_set(&s->pairs, fingerprint, ALL_BITS << place, bits << place);
}

void filed_tasks_add(FiledTasks *s, uint64_t fingerprint) { set_bits(s, fingerprint, FILED); }
void filed_tasks_ran(FiledTasks *s, uint64_t fingerprint, bool normal)
{
    set_bits(s, fingerprint, FILED | (normal ? NORMAL : 0));
}
bool filed_tasks_has(const FiledTasks *s, uint64_t fingerprint) { return bits_of(s, fingerprint); }
bool filed_tasks_normal(const FiledTasks *s, uint64_t fingerprint)
{
    return bits_of(s, fingerprint) & NORMAL;
}
void filed_tasks_prefetch(const FiledTasks *s, uint64_t fingerprint)
{
    shared_marks_prefetch(&s->pairs, fingerprint);
}
void filed_tasks_free(FiledTasks *s) { shared_marks_free(&s->pairs); }
