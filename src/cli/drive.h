/* drive.h - the handles among an entry's parameters: by which functions they are made. */
#ifndef SHEAF_CLI_DRIVE_H
#define SHEAF_CLI_DRIVE_H

#include "cli/exploring.h"

/* What the user says of it: --construct, --mutate, --calls. */
typedef struct DriveSettings {
    const char *entry;
    const StrVec *construct, *mutate;
    uint64_t calls;
} DriveSettings;

/* Finds the functions that make the entry's handles: those that the user names, and those of opaque types and
 * of pointers with a header before them. NULL: there are no handles. Dies where what the user says fits
 * nothing. The drive lives in the arena and has no driver yet. */
IrDrive *drive_find(const DriveSettings *s, const FrontendOptions *options, const IrProgram *program,
                    Arena *arena);

/* Gives the program a driver if the entry has handles, which is what is called then. Requires: shapes by
 * types; nothing has looked at the program yet. The drive must outlive the program. */
void drive_prepare(const ExploringSettings *s, const OptionArgs *args, IrProgram *program, Arena *arena,
                   VmInputs *inputs);

/* For tests as C: how the functions that make the entry's handles are declared. */
void drive_describe(SuiteProgram *p, const IrProgram *program, const FrontendOptions *options, Arena *arena);

#endif
