/* changing.h - what --explore change asks for: the version before, and what the change affects. */
#ifndef SHEAF_CLI_CHANGING_H
#define SHEAF_CLI_CHANGING_H

#include "cli/exploring.h"

typedef struct ChangeSettings {
    StrVec old;
    unsigned impact, prune, order; /* positions in the words */
} ChangeSettings;
extern const char *const change_impact_words[], *const change_prune_words[], *const change_order_words[];

/* Fills in what the explorer `change` needs; gives OLD's tags to the program. Dies on options that do not
 * belong together. */
void changing_prepare(const ChangeSettings *s, const ExploringSettings *e, const OptionArgs *args,
                      IrProgram *program, Arena *arena, ExploreOptions *out);

#endif
