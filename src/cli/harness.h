/* harness.h - a C file that calls a function on symbolic arguments, as --entry does. */
#ifndef SHEAF_CLI_HARNESS_H
#define SHEAF_CLI_HARNESS_H

#include "frontend/frontend.h"
#include "vm/vm.h"

/* How the file gets to know the function: by its header, by a prototype, or by its source, which it then
 * replaces. */
typedef enum HarnessBy { HARNESS_HEADER, HARNESS_PROTOTYPE, HARNESS_SOURCE, HARNESS_WAYS } HarnessBy;

typedef struct HarnessTask {
    const IrProgram *program;
    const char *entry;
    const FrontendFunction *function; /* as C declares it */
    const char *include;              /* the header or source, as the file includes it */
    HarnessBy by;
    bool renames_main;  /* the source has a main of its own */
    const char *inputs; /* the program as it is given to `sheaf test`, with the file */
    Vm *vm;
    const ExprPool *pool;
    VmTrace *trace; /* of a run of the entry: its parameters are among the inputs */
    uint32_t string, elements, depth;
    const IrDrive *drive; /* what makes handles; NULL: there are none */
    StrVec maker_names;   /* and how C declares those functions */
    Vec(FrontendFunction) makers;
} HarnessTask;

/* Dies if there is a parameter that cannot be made. */
void harness_write(const HarnessTask *task, Str *out);

#endif
