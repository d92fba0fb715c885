/* reuse.h - private to cli: the answer of a finished run, given again while nothing that it depends on has
 * changed.
 *
 * Beside its tests a store holds the answer in every form, under a key: a hash of all that the answer depends
 * on. That is the code and data that were loaded with their positions, the text of the sources, the files
 * that the program sees, the options, and this executable. A hash of the files in the directory stands beside
 * it: what was changed or removed there is written again by a new run. */
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
} ReuseAnswer;

/* The job's hash is that of the loaded program; `sources` is suite_program_hash. Texts live in the arena. */
const char *reuse_key(const Command *command, const OptionArgs *args, const StoreJob *job,
                      const char *sources, const FrontendOptions *program, Arena *arena);
/* Does the directory hold the answer to this key, whole? It lives in the arena. */
bool reuse_find(const char *directory, const char *key, Arena *arena, ReuseAnswer *out);
/* To be called when all files of the directory are written. */
bool reuse_put(Store *store, const char *directory, const ReuseAnswer *answer);

#endif
