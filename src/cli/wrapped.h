/* wrapped.h - a function of the program with a precondition before it, or a condition on what it leaves
 * behind it. */
#ifndef SHEAF_CLI_WRAPPED_H
#define SHEAF_CLI_WRAPPED_H

#include "cli/command.h"

#define WRAPPED_NAME "sheaf_wrapped" /* the function that takes the place of the entry */

typedef struct Wrapped {
    const char *precondition; /* a file that holds a C expression over the parameters, or what --c-function
                                 printed; may be NULL */
    const char *fails_when;   /* a C expression over `result`, parameters and globals; may be NULL */
} Wrapped;

bool wrapped_is_function(
    const Wrapped *w,
    const char *entry); /* is the precondition what --c-function printed: where that is false? */

/* The program once more, with WRAPPED_NAME. `program`: as it is without; `parameters`: of the entry as C
 * declares them. Dies, with clang's own message before, if an expression does not compile. */
IrProgram *wrapped_load(const Wrapped *w, const ProgramSettings *settings, const OptionArgs *args,
                        const IrProgram *program, const char *entry, const char *parameters);

#endif
