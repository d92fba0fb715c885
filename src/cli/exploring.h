/* exploring.h - the options that all exploring commands share, and the way from them to an exploration. */
#ifndef SHEAF_CLI_EXPLORING_H
#define SHEAF_CLI_EXPLORING_H

#include "cli/command.h"
#include "explore/explore.h"
#include "suite/suite.h"

typedef enum ExploringFormat { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF } ExploringFormat;

typedef struct ExploringSettings {
    ProgramSettings program; /* first: program_options write here */
    /* what is explored */
    const char *entry;
    uint64_t stdin_least, sym_stdin, fuzz_size, pointer_objects, object_size;
    unsigned shape;                   /* VmShape */
    uint64_t string, elements, depth; /* bounds of shapes; 0: deepened */
    uint64_t calls;                   /* the same, of mutators before the entry is called */
    StrVec construct, mutate;         /* T=F,...: what makes and changes handles (drive.h) */
    bool aliases, all_aliases;
    VmSymbolicArgs args[VM_ARGUMENTS_MOST]; /* in the order given */
    uint32_t nargs;
    StrVec symbolic_globals; /* lists of names parted by commas; "": all */
    StrVec sym_files, files, env;
    /* how */
    unsigned search;
    uint64_t seed, checks, max_runs, max_depth, max_memory, max_steps, size_candidates, pointer_candidates,
        loop_bound;
    double max_time, solver_time;
    const char *solver, *log_queries;
    VmExternal external;
    bool no_snapshots;
    /* what comes out */
    const char *directory; /* NULL without exploring_output_options */
    unsigned format;
    bool force, quiet;
    unsigned verbose;
} ExploringSettings;

/* For a settings structure whose first member is an ExploringSettings: what is explored and how; what makes
 * handles, for commands that call it (drive.h); what comes out. */
extern const Option exploring_options[], exploring_handle_options[], exploring_output_options[];

/* The environment and options that the settings ask for; the explorer is the command's to choose. The arena
 * holds what they point to. */
void exploring_environment(const ExploringSettings *s, const OptionArgs *args, Arena *arena,
                           VmEnvironment *out);
void exploring_prepare(const ExploringSettings *s, const OptionArgs *args, Arena *arena, ExploreOptions *out);
void exploring_free(ExploreOptions *options); /* what exploring_prepare allocated */
/* Dies if the settings name something that the program does not have. */
void exploring_check(const ExploringSettings *s, const IrProgram *program);

/* Are the bounds of the entry's shapes deepened, one exploration after the other? */
bool exploring_deepens(const ExploringSettings *s, const IrProgram *program);
enum {
    EXPLORING_BOUND_MOST = 8,
    EXPLORING_DEPTH_MOST = 4,
    EXPLORING_CALLS_MOST = 2,
    EXPLORING_CALLS_LIMIT = 8
};                            /* as far as that goes */
enum { EXPLORING_BOUND = 3 }; /* where one exploration must do */
/* With --aliases: would equal pointers make no difference? Before exploring_bounds. */
void exploring_aliases(const ExploringSettings *s, const IrProgram *program, VmInputs *inputs);
/* What is behind the entry's pointers is as the settings say; bounds that are not given become `bound`.
 * Without this it is VM_SHAPE_BYTES: an answer about every call and not about those of a shape, which the
 * command would have to print. */
void exploring_bounds(const ExploringSettings *s, uint32_t bound, VmInputs *inputs);
void exploring_unshaped(const OptionArgs *args,
                        const char *command); /* of such a command: warns of options for shapes */

/* Does the command read the file of that path, by whatever name: part of the program, the compilation
 * database, a --file? */
bool exploring_reads(const ExploringSettings *s, const OptionArgs *args, const IrProgram *program,
                     const char *path);
/* Dies if it does: no --force is meant for what the command reads. */
void exploring_check_file(const ExploringSettings *s, const OptionArgs *args, const IrProgram *program,
                          const char *option, const char *path);

/* That explorer by its place in explore_names; dies of one that leaves paths out on which something can
 * fail. */
const char *exploring_exhaustive(unsigned explorer);

/* Warns of each option among them (long names, NULL at the end) that was given: the command makes no use of
 * it. */
void exploring_unused(const OptionArgs *args, const char *command, const char *const *names);

/* Ctrl-C ends an exploration cleanly: true from then on. Installs the handler. */
const volatile bool *exploring_interrupt(void);

/* The words of --check that were given. */
void exploring_check_words(const ExploringSettings *s, StrVec *out);

#endif
