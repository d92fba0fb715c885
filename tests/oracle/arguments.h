/* arguments.h - the command line of an oracle: one table yields what is read and what --help prints. */
#ifndef SHEAF_TESTS_ARGUMENTS_H
#define SHEAF_TESTS_ARGUMENTS_H

#include "base/base.h"

typedef struct ArgumentWord {
    const char *word;
    unsigned value;
} ArgumentWord; /* a NULL word ends the list */

/* Where the value goes; one of them is not NULL. */
typedef struct Argument {
    const char *name; /* "--seed"; NULL ends the table */
    const char *help;
    const char **text;
    uint64_t *number;
    unsigned *choice; /* with words: one of them; else a number */
    const ArgumentWord *words;
    bool *set, *clear; /* flags, without a value */
} Argument;

/* What every oracle takes, of a struct that has these fields. */
#define ARGUMENTS_OF_ALL(c)                                                                      \
    {.name = "--clang", .help = "the compiler (needed)", .text = &(c)->clang},                   \
        {.name = "--runtime", .help = "the library as bitcode (needed)", .text = &(c)->runtime}, \
        {.name = "--programs", .help = "how many", .number = &(c)->programs},                    \
    {                                                                                            \
        .name = "--seed", .help = "of the first one; README.md says which grammar it has",       \
        .number = &(c)->seed                                                                     \
    }

/* Which ways to end are control flow: FLOW_TIE_EXITS and so on, of a struct with a policy. */
extern const ArgumentWord argument_policies[];
#define ARGUMENT_POLICY(c)                                                                       \
    {                                                                                            \
        .name = "--policy", .help = "ways to end that are control flow", .choice = &(c)->policy, \
        .words = argument_policies                                                               \
    }

/* dies on what it does not know, and where a text of the table is still NULL; --help ends the program with
 * status 0. */
void arguments_read(const char *oracle, const char *about, const Argument *table, int argc, char **argv);

#endif
