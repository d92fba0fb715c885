/* fleet_board.h - private to cli: the board of an exploration (ExploreBoard) on the database of a fleet. */
#ifndef SHEAF_CLI_FLEET_BOARD_H
#define SHEAF_CLI_FLEET_BOARD_H

#include "explore/explore.h"
#include "store/store.h"

typedef struct FleetBoard FleetBoard;

/* NULL with one line in error if the database cannot be used; *unreachable as of fleet_open. */
FleetBoard *fleet_board_try(const char *address, Str *error, bool *unreachable);
FleetBoard *fleet_board_open(const char *address); /* dies of that */
void fleet_board_close(FleetBoard *b); /* a region that is claimed is free again when its lease is over */
const ExploreBoard *fleet_board_explore(const FleetBoard *b);
Fleet *fleet_board_fleet(const FleetBoard *b);

/* Of the process that asks: what is posted is what this job, which must outlive it, is then. `fork` is called
 * behind that, for so many workers of this machine. */
void fleet_board_ask(FleetBoard *b, const FleetJob *job, uint64_t workers,
                     void (*fork)(const char *address, uint64_t job, uint64_t workers));
/* Of it, after the last exploration: if all of that was done, nothing of the jobs is needed any more. */
void fleet_board_finish(FleetBoard *b);
const char *fleet_board_failure(FleetBoard *b); /* of the database, or of the job; NULL: none */
/* The job's number, once it is posted; of a worker, that it works for. */
uint64_t fleet_board_job(const FleetBoard *b);

/* Of a worker: claims a region of this job or, if that is 0, of any; the exploration's first claim gets it.
 * False: there is none now. */
bool fleet_board_claim(FleetBoard *b, uint64_t job);
void fleet_board_refuse(FleetBoard *b, const char *why); /* the job of the region that was claimed fails */
void fleet_board_wait(FleetBoard *b, uint64_t job, double seconds); /* for one */

#endif
