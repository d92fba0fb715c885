/* board.h - private to cli: the board of an exploration (ExploreBoard) on the database of a fleet. */
#ifndef SHEAF_CLI_BOARD_H
#define SHEAF_CLI_BOARD_H

#include "explore/explore.h"
#include "store/store.h"

typedef struct Board Board;

/* NULL with one line in error if the database cannot be used. */
Board *board_try(const char *address, Str *error);
Board *board_open(const char *address); /* dies of that */
void board_close(Board *b);             /* a region that is claimed is free again when its lease is over */
const ExploreBoard *board_explore(const Board *b);
Fleet *board_fleet(const Board *b);

/* Of the process that asks: what is posted is what this job, which must outlive it, is then. `fork` is called
 * behind that, for so many workers of this machine. */
void board_ask(Board *b, const FleetJob *job, uint64_t workers,
               void (*fork)(const char *address, uint64_t job, uint64_t workers));
/* Of it, after the last exploration: if all of that was done, nothing of the jobs is needed any more. */
void board_finish(Board *b);
const char *board_failure(Board *b); /* of the database, or of the job; NULL: none */
uint64_t board_job(const Board *b);  /* its number, once it is posted; of a worker, that it works for */

/* Of a worker: claims a region of this job or, if that is 0, of any; the exploration's first claim gets it.
 * False: there is none now. */
bool board_claim(Board *b, uint64_t job);
void board_refuse(Board *b, const char *why);            /* the job of the region that was claimed fails */
void board_wait(Board *b, uint64_t job, double seconds); /* for one */

#endif
