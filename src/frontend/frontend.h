/* frontend.h - from what a C programmer has (sources, bitcode, IR text, a compilation database) to a program
 * of ours.
 *
 * The only module that knows LLVM or starts clang. Problems that the user must mend (a file that does not
 * compile, no such file, no main, bitcode of a newer LLVM, C++) are reported in one line, clang's own
 * diagnostics before it, and end the process with status 2. Code that Sheaf cannot express never stops the
 * load: it becomes `unsupported` at its site. */
#ifndef SHEAF_FRONTEND_H
#define SHEAF_FRONTEND_H

#include "ir/ir.h"

typedef struct FrontendOptions {
    StrVec inputs;       /* .c, .bc, .ll (distinguished by content, the last two), .ir: our own text form */
    StrVec cflags;       /* passed to clang as they are */
    const char *compdb;  /* compile_commands.json, or NULL */
    StrVec targets;      /* select entries of compdb: output or file names, none: all */
    const char *clang;   /* program to run, NULL: the clang of the LLVM that Sheaf was built with */
    const char *runtime; /* the runtime's bitcode, NULL: none is linked */
    const char *entry;   /* function that must exist ("main"); NULL: none is needed */
    bool runs;           /* without an entry: main or LLVMFuzzerTestOneInput must exist */
    bool optimise;       /* keep -O flags from cflags (default: -O0 without optnone) */
    bool all_functions;  /* translate everything, not only what the entry and globals reach */
    bool assignments;    /* an assignment to a local is an instruction at its line, for slices */
    /* One version of a program among others, each in a directory of its own. */
    const char *root;   /* absolute; files below it are named relative to it (sites, __FILE__), so that a
                           version does not differ from another by where it stands; NULL: as they are given */
    const char *mapped; /* absolute; paths of the compilation database below it are meant below root if they
                           exist there; what does not is generated, and taken from where it is. NULL: none */
    StrVec absent;      /* paths relative to root that this version does not have: not taken from elsewhere */
    StrVec observed;    /* FILE:LINE:EXPRESSION, or EXPRESSION at the end: given to
                           sheaf_output there, under this name */
} FrontendOptions;

/* Loads, links and translates. Dies on unusable input; the result is verified in debug builds. The caller
 * frees it with ir_program_free. */
IrProgram *frontend_load(const FrontendOptions *options);

/* ---- versions (preprocess.c) ----------------------------------------------------------------- */

/* Flags that name files and directories, as options->mapped says; relative ones are seen from `directory`. A
 * directory of headers that is mapped stays as the last resort, for headers that are generated. Texts live in
 * the arena or are those given. */
void frontend_map_flags(const FrontendOptions *options, Arena *a, const char *directory, const StrVec *flags,
                        StrVec *out);

/* One source of a program: its path, and flags of its own with root and mapped taken off, parted by
 * blanks. */
typedef struct FrontendSource {
    const char *path, *flags;
} FrontendSource;
typedef Vec(FrontendSource) FrontendSources;
void frontend_source_list(const FrontendOptions *options, Arena *a, FrontendSources *out);

/* The lines of a file that the preprocessor lets through when the program is compiled, macro definitions
 * among them. */
typedef struct FrontendLines {
    const char *path; /* absolute */
    BitSet lines;     /* from 1 on */
} FrontendLines;
typedef Vec(FrontendLines) FrontendLinesVec;
/* Of all files that the program is made of. What does not compile adds what was said before the error. Paths
 * live in the arena. */
void frontend_compiled_lines(const FrontendOptions *options, Arena *a, FrontendLinesVec *out);
void frontend_lines_free(FrontendLinesVec *lines);

/* ---- native builds (native.c) ---------------------------------------------------------------- */

typedef struct FrontendNative {
    StrVec flags;          /* for the program's sources, bitcode and the link: sanitizers, coverage */
    StrVec own, own_flags; /* further C files or objects (".o"), and the flags for the former */
    const char *instead;   /* absolute path of an input that own's first file includes; NULL: none */
    const char *scratch;   /* a directory for object files */
    const char *output;
} FrontendNative;

/* Compiles and links what the options name (inputs or compdb, cflags) natively, with debug information, not
 * optimised. False with clang's diagnostics. */
bool frontend_compile_native(const FrontendOptions *options, const FrontendNative *native, Str *diagnostics);

/* The files that the options name, those of the compilation database among them, and all flags that they are
 * compiled with. Texts live in the arena or belong to the options. */
void frontend_sources(const FrontendOptions *options, Arena *a, StrVec *paths, StrVec *flags);

/* How C declares a function, as clang spells it. Texts live in the arena; free the vectors with
 * frontend_function_free. */
typedef struct FrontendFunction {
    const char *source; /* absolute path of the C source of the program that defines it, else of the first
                         * that declares it: only a definition is sure to name its parameters */
    const char *given;  /* the same as the caller named it */
    const char *header; /* the file that declares it if that is not the source; NULL: none */
    const char *result; /* type of what it returns; NULL: that cannot be told from the function's type */
    bool defined;       /* by the source */
    bool local;         /* static */
    StrVec types, plain, names; /* of parameters: type, the same without typedefs ("" if not known), name */
    StrVec flags, own_flags;    /* that the source is compiled with; those that a database has for it alone */
} FrontendFunction;
/* False: no C source of the program declares it. */
bool frontend_find_function(const FrontendOptions *options, const char *function, Arena *a,
                            FrontendFunction *out);
void frontend_function_free(FrontendFunction *f);
/* Is the file C that compiles with these flags, warnings aside? If not, clang's diagnostics, all of them. */
bool frontend_check_c(const FrontendOptions *options, const StrVec *flags, const char *path,
                      Str *diagnostics);

/* Sums raw profiles of a native build into `merged` (which takes part if it exists), and what that covers as
 * lcov text. */
bool frontend_profile_merge(const FrontendOptions *options, const StrVec *raw, const char *merged);
bool frontend_profile_export(const FrontendOptions *options, const StrVec *binaries, const char *merged,
                             Str *lcov);

/* Absolute path of a program of the same LLVM ("llvm-symbolizer"); NULL if there is none. The caller
 * frees. */
char *frontend_tool(const FrontendOptions *options, const char *name);

/* "14.0.6", and the major number, of the LLVM that Sheaf was built with. */
const char *frontend_llvm_version(void);

#endif
