/* program_parcel.h - private to cli: what a fleet's job explores, as bytes that travel to workers. */
#ifndef SHEAF_CLI_PROGRAM_PARCEL_H
#define SHEAF_CLI_PROGRAM_PARCEL_H

#include "vm/vm.h"

/* The program, the files that it sees, and what was found out about its entry. */
void program_parcel_write(const IrProgram *program, const VmEnvironment *environment, const VmInputs *inputs,
                          Str *out);
/* Gives the environment its files and the inputs their entry. NULL: these are no such bytes; *error says why,
 * one line. Texts and files live in the arena. */
IrProgram *program_parcel_read(const void *bytes, size_t n, Arena *arena, VmEnvironment *environment,
                               VmInputs *inputs, const char **error);

#endif
