/* shared_marks.h - private to explore: marks by name (base.h) that several processes may share.
 *
 * Until they are shared they are a process's own. shared_marks_share is called before processes are forked:
 * from then on what one of them sets the others get. A process may get what another has just replaced; what
 * was set is never lost. While no other process writes, shared_marks_keep copies the table, so that the
 * process which shared it can go back to this state. */
#ifndef SHEAF_EXPLORE_SHARED_MARKS_H
#define SHEAF_EXPLORE_SHARED_MARKS_H

#include "base/base.h"

typedef struct SharedMarks {
    Marks own; /* while they are shared: as they were last kept */
    struct SharedTable *table;
} SharedMarks;

unsigned shared_table_get(const struct SharedTable *t, uint64_t name);
unsigned shared_table_set(struct SharedTable *t, uint64_t name, unsigned which, unsigned marks);
void shared_table_prefetch(const struct SharedTable *t, uint64_t name);

static inline unsigned shared_marks_get(const SharedMarks *s, uint64_t name)
{
    return UNLIKELY(s->table) ? shared_table_get(s->table, name) : marks_get(&s->own, name);
}
/* As marks_set. */
static inline unsigned shared_marks_set(SharedMarks *s, uint64_t name, unsigned which, unsigned marks)
{
    return UNLIKELY(s->table) ? shared_table_set(s->table, name, which, marks)
                              : marks_set(&s->own, name, which, marks);
}
static inline void shared_marks_prefetch(const SharedMarks *s, uint64_t name)
{
    if (UNLIKELY(s->table))
        shared_table_prefetch(s->table, name);
    else
        marks_prefetch(&s->own, name);
}

bool shared_marks_share(SharedMarks *s); /* false: there is no memory for it */
void shared_marks_keep(SharedMarks *s);
void shared_marks_end(SharedMarks *s); /* they are the process's own again, as they were last kept */
size_t shared_marks_bytes(const SharedMarks *s);
void shared_marks_free(SharedMarks *s);

#endif
