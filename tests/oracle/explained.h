/* explained.h - what `dependence` says of alternatives without a run, held against the runs that were
 * made. */
#ifndef SHEAF_ORACLE_EXPLAINED_H
#define SHEAF_ORACLE_EXPLAINED_H

#include "explore/explore.h"

typedef struct Explained Explained;

Explained *explained_new(void);
void explained_free(Explained *s);
void explained_add(Explained *s, const ExploreRun *run); /* for each run, when it is made; keeps a copy */

/* After the exploration, which explains (`tied`: with tie_faults): tells what is untrue and returns how many
 * statements are. Checked of each:
 *   - no run was made that goes as the run that is named up to the decision, and takes the alternative there;
 * some input does;
 *   - the run that covers it takes it at the same decision. The decisions that are named are those before at
 * which that run was asked the same and went another way, and neither the decision itself nor an end that it
 * is said not to have depends on them. What else differs before depends on one of these, so that what does
 * not depend on them is the same;
 *   - if no sink is said to depend on it: none does, of the checks that the run has passed, and the run that
 * is named takes that side; and of an exploration that is complete: a run of its own would have shown nothing
 * new, since all that a check or another sink depends on in it goes the same way in some run; every other
 * alternative without a run is one that no input takes. */
uint32_t explained_judge(const Explained *s, Explore *x, bool tied);

#endif
