/* setindex.h - a bounded store of sets of small numbers that finds a stored subset or superset. Private to
 * solver.
 *
 * Sets are sorted arrays without repetition. When the store is full the older half goes. Numbers that stand
 * for newer things should be larger: a set is filed under its largest member, which is its rarest. */
#ifndef SHEAF_SOLVER_SETINDEX_H
#define SHEAF_SOLVER_SETINDEX_H

#include "base/base.h"

typedef enum SetIndexKind {
    SETINDEX_SUBSETS,   /* answers setindex_subset: filed under the largest member */
    SETINDEX_SUPERSETS, /* answers setindex_superset: filed under every member */
} SetIndexKind;

typedef struct SetIndex SetIndex;

/* `limit` counts members over all stored sets. drop is called for each payload that leaves (may be NULL). */
SetIndex *setindex_new(SetIndexKind kind, uint32_t limit, void (*drop)(const void *payload));
void setindex_free(SetIndex *x);
void setindex_clear(SetIndex *x);
void setindex_add(SetIndex *x, const uint32_t *set, uint32_t n, void *payload);

/* A stored set within (around) the given one: its members through *found if not NULL, its payload through
 * *payload. The search looks at a bounded number of sets, so that it may miss one. The pointers hold until
 * the next setindex_add or setindex_clear. */
bool setindex_subset(const SetIndex *x, const uint32_t *set, uint32_t n, const uint32_t **found,
                     uint32_t *found_n, void **payload);
bool setindex_superset(const SetIndex *x, const uint32_t *set, uint32_t n, void **payload);

#endif
