/* fleet_serve.h - private to cli: what 'sheaf test', 'sheaf worker' and a fleet have to do with each other.
 */
#ifndef SHEAF_CLI_FLEET_SERVE_H
#define SHEAF_CLI_FLEET_SERVE_H

#include "explore/explore.h"
#include "store/store.h"

/* Explores regions of the job's exploration until the board has no more. False: the job makes no sense here;
 * adds why, one line. */
bool fleet_serve_job(const FleetJob *job, const ExploreBoard *board, Str *why);
/* Forks workers for one job, so many or, if that is 0, one for each processor; they end with the job, or with
 * this process. */
void fleet_serve_fork(const char *store, uint64_t job, uint64_t n);

#endif
