/* asking.h - private to cli: 'sheaf test' asks a fleet to explore. */
#ifndef SHEAF_CLI_ASKING_H
#define SHEAF_CLI_ASKING_H

#include "cli/board.h"
#include "cli/job.h"
#include "cli/scratch.h"

typedef struct Asking {
    Board *board;
    FleetJob job;
    Scratch scratch; /* of the workers that are forked here */
} Asking;

/* The program as every worker will see it: what is explored must be the same in all. Takes it over. */
IrProgram *asking_program(IrProgram *program);
/* From now on the board asks for that job; once it is posted, so many workers are forked here (0: one for
 * each processor). */
void asking_begin(Asking *a, const char *store, uint64_t workers, const StoreJob *job,
                  const IrProgram *program, const VmEnvironment *environment, Arena *arena);
const ExploreBoard *asking_board(const Asking *a);
/* The results are safe: if all was done, the job is over. False: the database failed, which is said. */
bool asking_end(Asking *a);

/* The other side: the words of the command that the job was made by, without those that are its own affair.
 */
typedef struct Served {
    int argc;
    char **argv;
    const char *name; /* argv[0] of the program */
} Served;
Served served_words(const FleetJob *job, const char *file, Arena *arena);

#endif
