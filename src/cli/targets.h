/* targets.h - what `sheaf reach` is asked for: --to, as places of the program. */
#ifndef SHEAF_CLI_TARGETS_H
#define SHEAF_CLI_TARGETS_H

#include "backward/backward.h"

typedef struct Target {
    const char *text;      /* as it was named, or "FILE:LINE:COLUMN true" of a branch outcome */
    BackwardPlaces places; /* to come to one of them is to reach it */
    uint32_t site;         /* of the first */
    bool is_line;          /* it is the line of that site */
} Target;
typedef Vec(Target) Targets;

/* FILE:LINE, a function, FUNCTION:LABEL or a label. An instruction that is a target begins a block of its own
 * afterwards, so that block coverage shows whether a run came to it: the program changes in this way. die()s
 * on what the program does not have; for a line without code it names the nearest lines that have some. Texts
 * are in the arena. */
void targets_read(const char *word, IrProgram *program, Arena *arena, Targets *out);

/* Every outcome of a branch of the user's code that no run of the machine took that was kept. The program
 * must not change afterwards. */
void targets_uncovered(const IrProgram *program, const Vm *vm, Arena *arena, Targets *out);

/* Did the last run of the machine come to it? */
bool target_is_reached(const Target *t, const Vm *vm);
void targets_free(Targets *targets);

#endif
