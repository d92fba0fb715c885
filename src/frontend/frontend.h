/* frontend.h - from what a C programmer has (sources, bitcode, IR text, a compilation database) to a program of ours.
 *
 * The only module that knows LLVM or starts clang. Problems that the user must mend (a file that does not compile, no
 * such file, no main, bitcode of a newer LLVM, C++) are told in one line, clang's own diagnostics before it, and end
 * the process with status 2. Code that Sheaf cannot express never stops the load: it becomes `unsupported` at its site. */
#ifndef SHEAF_FRONTEND_H
#define SHEAF_FRONTEND_H

#include "ir/ir.h"

typedef struct FrontendOptions {
    StrVec inputs;                            /* .c, .bc, .ll (told by content for the last two), .ir: our own text form */
    StrVec cflags;                            /* passed to clang as they are */
    const char *compdb;                       /* compile_commands.json, or NULL */
    const char *target;                       /* selects entries of compdb: output or file name, NULL: all */
    const char *clang;                        /* program to run, NULL: the clang of the LLVM that Sheaf was built with */
    const char *runtime;                      /* the runtime's bitcode, NULL: none is linked */
    const char *entry;                        /* function that must exist ("main"); NULL: none is needed */
    bool optimise;                            /* keep -O flags from cflags (default: -O0 without optnone) */
    bool all_functions;                       /* translate everything, not only what the entry and globals reach */
} FrontendOptions;

/* Loads, links and translates. Dies on unusable input; the result is verified in debug builds. The caller frees it
 * with ir_program_free. */
IrProgram *frontend_load(const FrontendOptions *options);

/* "14.0.6", and the major number, of the LLVM that Sheaf was built with. */
const char *frontend_llvm_version(void);

#endif
