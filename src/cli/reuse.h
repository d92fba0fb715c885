/* reuse.h - private to cli: the answer of a finished run, given again while nothing that it depends on has
 * changed.
 *
 * Beside its tests a store holds the answer in every form, under two keys. The first is a hash of all that
 * the answer depends on: the code and data that were loaded with their positions, the text of the sources,
 * the files that the program sees, the options, and this executable. The second is a hash of what exploring
 * depends on: code and data that can be reached (ir_program_reduce) without lines and columns, and the same
 * besides. Where only the second is equal, the findings, which stand there as well, are those of another
 * exploration, and what depends on positions or on other code is found anew (testing_again.c).
 *
 * A hash of the files in the directory stands beside it: what was changed or removed there is written again
 * by a new run. */
#ifndef SHEAF_CLI_REUSE_H
#define SHEAF_CLI_REUSE_H

#include "cli/exploring.h"
#include "store/store.h"

typedef enum ReuseForm { REUSE_TEXT, REUSE_VERBOSE, REUSE_JSON, REUSE_SARIF, REUSE_FORMS } ReuseForm;

typedef struct ReuseAnswer {
    const char *key;
    const char *since; /* when it was found, "2026-11-18 17:05" */
    int status;        /* of exit */
    const char *form[REUSE_FORMS];
    const char *reached; /* the second key; "": none, the findings are not kept */
    const void *findings;
    size_t findings_size;
} ReuseAnswer;

/* The job's hash is that of the loaded program; `sources` is suite_program_hash. Texts live in the arena. */
const char *reuse_key(const Command *command, const OptionArgs *args, const StoreJob *job,
                      const char *sources, const FrontendOptions *program, Arena *arena);
/* The second key, of a program that was reduced. */
const char *reuse_reached_key(const Command *command, const OptionArgs *args, const IrProgram *program,
                              const VmEnvironment *environment, const FrontendOptions *native, Arena *arena);
/* The answer that the directory holds, if it is whole; false: none, all of *out is 0. It lives in the arena.
 */
bool reuse_find(const char *directory, Arena *arena, ReuseAnswer *out);
/* To be called when all files of the directory are written. */
bool reuse_put(Store *store, const char *directory, const ReuseAnswer *answer);

#endif
