/* fleet_ask.h - private to cli: 'sheaf test' asks a fleet to explore. */
#ifndef SHEAF_CLI_FLEET_ASK_H
#define SHEAF_CLI_FLEET_ASK_H

#include "cli/fleet_board.h"
#include "cli/job.h"

typedef struct FleetAsk {
    FleetBoard *board;
    FleetJob job; /* that is asked for now */
    const StoreJob *of;
    const IrProgram *program;
    const VmEnvironment *environment;
    Arena *arena;
    Str parcel;
} FleetAsk;

/* The program as every worker will see it: what is explored must be the same in all. Takes it over; the
 * inputs' entry may be its driver. */
IrProgram *fleet_ask_program(IrProgram *program, VmInputs *inputs);
/* Opens the board, and dies if the same command runs already; once a job is posted, so many workers are
 * forked here (0: one for each processor). What it is given must outlive it. */
void fleet_ask_begin(FleetAsk *a, const char *store, uint64_t workers, const StoreJob *job,
                     const IrProgram *program, const VmEnvironment *environment, Arena *arena);
/* The next exploration on the board is of this bound: a job of its own. */
void fleet_ask_bound(FleetAsk *a, uint32_t bound, const VmInputs *inputs);
const ExploreBoard *fleet_ask_board(const FleetAsk *a);
/* The results are safe: if all was done, the jobs are over. False: the job or the database failed, which is
 * said. */
bool fleet_ask_end(FleetAsk *a);

/* The other side: the words of the command that the job was made by, without those that are its own affair.
 */
typedef struct Served {
    int argc;
    char **argv;
    const char *name; /* argv[0] of the program */
    uint32_t bound;
} Served;
Served served_words(const FleetJob *job, Arena *arena);

#endif
