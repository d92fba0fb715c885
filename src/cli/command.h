/* command.h - what a command of `sheaf` is. One file for each command defines one Command; main.c lists
 * them. */
#ifndef SHEAF_CLI_COMMAND_H
#define SHEAF_CLI_COMMAND_H

#include "cli/options.h"
#include "frontend/frontend.h"
#include "suite/suite.h"
#include "vm/vm.h"

typedef struct Command {
    const char *name;
    const char *synopsis;    /* behind "sheaf NAME" */
    const char *group;       /* heading over it and those that follow it in the list of commands, or NULL */
    const char *summary;     /* one line, for the list of commands */
    const char *description; /* for help and the manual page; paragraphs parted by blank lines */
    const char *example;     /* lines of a session, or NULL */
    const Option *const *options; /* tables over the command's own settings, NULL-terminated */
    size_t settings_size;         /* of that structure, zeroed and preset before `run` */
    /* Does the job and returns the exit status. */
    int (*run)(const struct Command *command, void *settings, const OptionArgs *args);
} Command;

extern const Command command_test, command_signature, command_reach, command_prove, command_require,
    command_harness, command_diff, command_blame, command_minimize, command_run, command_replay,
    command_export, command_show, command_dump, command_worker, command_jobs, command_help;

/* All commands, in the order of help; NULL at the end. */
const Command *const *command_list(void);
const Command *command_find(const char *name);
void command_help_print(const Command *command, FILE *to); /* NULL: of sheaf itself */
/* The manual page sheaf(1), from the same tables. */
void command_manual(Str *out);

/* ---- programs: the options with which every command names what it works on ------------------- */

typedef struct ProgramSettings {
    StrVec cflags;
    const char *compdb, *clang;
    StrVec targets; /* of the compdb */
    bool optimise, no_runtime;
    bool assignments; /* no options: for FrontendOptions */
    StrVec observed;
} ProgramSettings;

/* The table of those options for a settings structure whose first member is a ProgramSettings. */
extern const Option program_options[];

/* Loads what the plain arguments name; dies on unusable input. `entry` as in FrontendOptions. */
IrProgram *program_load(const ProgramSettings *settings, const OptionArgs *args, const char *entry,
                        bool all_functions);

/* The same of what options for the front end name; runtime and what the settings ask for besides is added. */
IrProgram *program_load_options(const ProgramSettings *settings, const FrontendOptions *program,
                                const char *entry, bool all_functions);

/* The same as options for the front end, without runtime and entry. The lists are the caller's to free. */
FrontendOptions program_frontend(const ProgramSettings *settings, const OptionArgs *args, Arena *arena);

/* argv of the program: argv[0] is the first input as given, less its ending; then what stands behind "--". */
const char **program_arguments(const OptionArgs *args, const ProgramSettings *settings, Arena *arena);
/* NAME or NAME=PATH: what the program opens as NAME is what PATH holds now. Dies if it cannot be read. */
void program_add_file(VmEnvironment *environment, Arena *arena, const char *text);
const char *program_file_path(const char *text); /* that PATH */
/* The words of --check, NULL-terminated; and what an OPT_SET of them turns on, for VmOptions.checks. */
extern const char *const program_check_words[];
uint64_t program_checks(uint64_t words);
/* FILE:LINE or FILE:LINE:COLUMN, taken apart: the file, for ir_site_is_at; the caller frees. NULL if the text
 * is none. */
char *program_place(const char *text, uint32_t *line);
/* The same files, as many as environment->files.n, for a native run. */
const SuiteFile *program_suite_files(const VmEnvironment *environment, Arena *arena);
/* Dies if one of the tests says that it was made for another program; `anyway`: only warns. */
void program_check_tests(const FrontendOptions *program, const SuiteTestVec *tests, bool anyway);

/* Where Sheaf's own files are, found from the place of the executable: an installation or a build directory.
 * The caller frees. NULL if there is none. */
char *program_own_file(const char *name);

#endif
