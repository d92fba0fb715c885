/* covering.h - which tests are enough to cover what all of them cover. */
#ifndef SHEAF_CLI_COVERING_H
#define SHEAF_CLI_COVERING_H

#include "explore/explore.h"
#include "store/store.h"

/* A machine on which a run is made again, to see all that it covers: while it explores, the machine marks
 * only what a run adds. Zero-initialised but for the first three. */
typedef struct Covering {
    const IrProgram *program;
    const VmEnvironment *environment;
    const ExploreOptions *options; /* of the exploration under way */
    Vm *vm;
    Ledger *ledger;
    const ExprPool *pool;     /* that the machine works with */
    uint64_t steps, measured; /* instructions of the runs that were seen, and of those made again */
} Covering;

void covering_begin(Covering *c); /* another exploration begins */
void covering_seen(Covering *c, const ExploreRun *run);
/* What the run covers (vm_coverage_last). False: it is not known, since that run was too long, beside all
 * others, to be made twice, or ended otherwise. Of runs that come in no certain order (ExploreRun.rank) none
 * is too long: which ones are must not depend on what came before; and they are not counted. */
bool covering_measure(Covering *c, const ExploreRun *run, BitSet *out);
void covering_free(Covering *c);

/* Adds to chosen, which may have members, the numbers of sets that together have all elements of all n sets:
 * again and again the one with the most that are missing, of equals the first. */
void covering_choose(const BitSet *sets, uint32_t n, BitSet *chosen);

/* The tests of a store that are enough: those that are files whatever they cover (if asked for) and, chosen
 * as above, of those that covered something new. A test of which it is not known what it covers is among
 * them. What a failing test covers does not count: the others cover what they can without it. Adds to out,
 * which the caller frees; false with store_failure. */
bool covering_tests(Store *store, bool files, SuiteTestVec *out);

#endif
