/* job.h - what identifies an exploration: the same job again goes on where it was interrupted. */
#ifndef SHEAF_CLI_JOB_H
#define SHEAF_CLI_JOB_H

#include "cli/exploring.h"
#include "store/store.h"

/* Texts live in the arena. Limits of the whole (--max-time, --max-runs) and what only concerns the form of
 * the results are no part of it: they may change. `sources` is suite_program_hash: tests carry it, so that
 * those of one directory are all of one program to `replay`. */
StoreJob job_of(const Command *command, const OptionArgs *args, const char *sources, const IrProgram *program,
                const VmEnvironment *environment, Arena *arena);

#endif
