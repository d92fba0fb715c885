/* compare.h - private to cli: one explorer beside another. */
#ifndef SHEAF_CLI_COMPARE_H
#define SHEAF_CLI_COMPARE_H

#include "explore/explore.h"

enum { COMPARE_LINES = 5 };

typedef struct Comparison {
    const char *names[2];
    double values[COMPARE_LINES][2];
    bool has_coverage;                        /* the first explorer is `output`: */
    uint64_t paths, covered;                  /* of the second; those whose relevant slice condition is a row of the first */
    bool complete;                            /* no ledger has an entry */
} Comparison;

/* Explores with options->explorer and with `second`, without writing anything. */
void compare_explorers(const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options, const char *second,
                       Comparison *out);
void compare_text(const Comparison *c, Str *out);
void compare_json(const Comparison *c, JsonOut *json);         /* a member "compare" */

#endif
