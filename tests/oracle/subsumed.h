/* subsumed.h - what `states` says of paths that were not continued, held against the runs that were made. */
#ifndef SHEAF_ORACLE_SUBSUMED_H
#define SHEAF_ORACLE_SUBSUMED_H

#include "explore/explore.h"

typedef struct Subsumed Subsumed;

Subsumed *subsumed_new(void);
void subsumed_free(Subsumed *s);
void subsumed_add(Subsumed *s, const ExploreRun *run); /* for each run, when it is made; keeps a copy */

/* After the exploration, which explains: tells what is untrue and returns how many statements are. Checked:
 *   - the run has alternatives at the decision, by a path that no run before it had; the run that is named
 * was the first with this key, at the same place;
 *   - an input that goes as the run did up to the decision, and from there as the run that is named, is run:
 * it decides the same from there on, in equal states, and ends alike;
 *   - all is said: where a run has alternatives at a state that is not new, by a path that is, that decision
 * is listed, or one before it and no new state in between.
 * Adds the inputs that were run to *shown. */
uint32_t subsumed_judge(const Subsumed *s, Explore *x, uint64_t *shown);

#endif
