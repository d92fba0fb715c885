/* board.h - an exploration whose regions lie on a board in memory (ExploreBoard). Workers are explorations of
 * their own in this process: each works on some regions, gives parts of them away, and may lose one, with all
 * that it has found in it since it checked in. */
#ifndef SHEAF_ORACLE_BOARD_H
#define SHEAF_ORACLE_BOARD_H

#include "explore/explore.h"

typedef Vec(Str) BoardBytes;
typedef struct Board {
    const IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options; /* of a worker */
    ExploreBoard face;      /* for the options of the process that asks */
    Rng rng;
    BoardBytes regions, messages;
    uint32_t read;  /* of the messages */
    uint32_t turns; /* regions that the worker may still claim */
    Str held;       /* the region that it works on, as of its last check-in */
    uint64_t workers, lost;
} Board;

/* The program, environment and options must outlive the board, and the board must not move. */
void board_begin(Board *b, const IrProgram *program, const VmEnvironment *environment,
                 const ExploreOptions *options);
void board_end(Board *b);

#endif
