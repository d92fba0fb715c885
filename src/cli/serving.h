/* serving.h - private to cli: what 'sheaf test', 'sheaf worker' and a fleet have to do with each other. */
#ifndef SHEAF_CLI_SERVING_H
#define SHEAF_CLI_SERVING_H

#include "cli/scratch.h"
#include "explore/explore.h"
#include "store/store.h"

/* Explores regions of the job's exploration with its program, which stands in that file, until the board has
 * no more. */
void test_serve(const FleetJob *job, const char *program, const ExploreBoard *board);
/* Forks workers for one job, so many or, if that is 0, one for each processor; they end with this process. */
void worker_fork(const char *store, uint64_t job, uint64_t n, const Scratch *scratch);

#endif
