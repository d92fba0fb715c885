/* options.h - command-line options as data: one table yields parsing, help text and manual page.
 *
 * A table is a static const array of Option that ends with {OPT_END}. A command gives a NULL-terminated list
 * of tables, so that commands share what they have in common; all of them write into one settings structure,
 * which the OPT_ macros name, member by member, with the type checked at compile time:
 *
 *     static const Option limits[] = {
 *         {OPT_GROUP("Limits")},
 *         {OPT_UINT(Settings, max_runs), "max-runs", .argument = "N", .help = "stop after N runs"},
 *         {OPT_SECONDS(Settings, max_time), "max-time", 't', "TIME", "1h", "stop after TIME"},
 *         {OPT_END},
 *     };
 *
 * What is understood: --name=value, --name value, -n value, -nvalue, -abc for -a -b -c, --no-name for flags
 * and counts, options between and behind plain arguments, "--" before what is none of ours. Later values win.
 * A word that is an option of the tables is no value, unless it stands behind a "=". */
#ifndef SHEAF_CLI_OPTIONS_H
#define SHEAF_CLI_OPTIONS_H

#include "base/base.h"

typedef enum OptionKind {
    OPTION_END,
    OPTION_GROUP,    /* a heading in help                                                         */
    OPTION_FLAG,     /* bool                                                                      */
    OPTION_COUNT,    /* unsigned: how often it was given                                          */
    OPTION_INT,      /* int64_t: decimal or 0x                                                    */
    OPTION_UINT,     /* uint64_t                                                                  */
    OPTION_SIZE,     /* uint64_t, bytes: a number and K, M or G (powers of 1024)                  */
    OPTION_SECONDS,  /* double: a decimal number and ms, s, m or h; seconds without               */
    OPTION_STRING,   /* const char *                                                              */
    OPTION_LIST,     /* StrVec: each use adds one                                                 */
    OPTION_ENUM,     /* an enum or unsigned: the position of the word in words                    */
    OPTION_SET,      /* uint64_t, a bit for each of words: a,b adds, no-a removes; all; none      */
    OPTION_CALL,     /* whatever call makes of its values                                         */
    OPTION_COMPILER, /* StrVec: the flags that a C compiler takes (cc_flags.def), as given        */
} OptionKind;

typedef struct Option Option;
/* Takes in the values of an OPTION_CALL. On false it has said in error what is wrong with them. */
typedef bool OptionCall(const Option *option, void *settings, const char *const *values, Str *error);

struct Option {
    OptionKind kind;
    size_t field;             /* where in the settings                                                     */
    const char *name;         /* without the dashes; of a group its heading                                */
    char brief;               /* the one-letter form, or 0                                                 */
    const char *argument;     /* how help names the value; NULL with words: the words themselves           */
    const char *preset;       /* the default, as a user would write it (of a flag: "yes"); NULL: zero      */
    const char *help;         /* one line, no full stop                                                    */
    const char *const *words; /* of OPTION_ENUM and OPTION_SET, NULL-terminated                            */
    OptionCall *call;
    unsigned values; /* of OPTION_CALL: how many it takes, up to OPTION_VALUES                    */
    bool optional;   /* of OPTION_STRING and OPTION_LIST: --name alone gives ""                   */
};

enum { OPTION_VALUES = 4 };

#define OPTION_FIELD(Type, member, is_right) (offsetof(Type, member) + 0 * sizeof(char[(is_right) ? 1 : -1]))
#define OPTION_TYPED(Kind, Type, member, MemberType) \
    .kind = Kind,                                    \
    .field = OPTION_FIELD(Type, member,              \
                          __builtin_types_compatible_p(__typeof__(((Type *)0)->member), MemberType))

#define OPT_END                   .kind = OPTION_END
#define OPT_GROUP(heading)        .kind = OPTION_GROUP, .name = (heading)
#define OPT_FLAG(Type, member)    OPTION_TYPED(OPTION_FLAG, Type, member, bool)
#define OPT_COUNT(Type, member)   OPTION_TYPED(OPTION_COUNT, Type, member, unsigned)
#define OPT_INT(Type, member)     OPTION_TYPED(OPTION_INT, Type, member, int64_t)
#define OPT_UINT(Type, member)    OPTION_TYPED(OPTION_UINT, Type, member, uint64_t)
#define OPT_SIZE(Type, member)    OPTION_TYPED(OPTION_SIZE, Type, member, uint64_t)
#define OPT_SECONDS(Type, member) OPTION_TYPED(OPTION_SECONDS, Type, member, double)
#define OPT_STRING(Type, member)  OPTION_TYPED(OPTION_STRING, Type, member, const char *)
#define OPT_LIST(Type, member)    OPTION_TYPED(OPTION_LIST, Type, member, StrVec)
#define OPT_ENUM(Type, member) \
    .kind = OPTION_ENUM, .field = OPTION_FIELD(Type, member, sizeof(((Type *)0)->member) == sizeof(unsigned))
#define OPT_SET(Type, member)        OPTION_TYPED(OPTION_SET, Type, member, uint64_t)
#define OPT_CALL(function, how_many) .kind = OPTION_CALL, .call = (function), .values = (how_many), .field = 0
#define OPT_COMPILER(Type, member) \
    OPTION_TYPED(OPTION_COMPILER, Type, member, StrVec), .help = "passed on to the compiler"

/* What was no option, and which options there were. Zero-initialised is ready; texts are the caller's own
 * argv. */
typedef struct OptionArgs {
    StrVec plain;  /* before "--" */
    StrVec rest;   /* behind "--" */
    bool ended;    /* there was a "--" */
    StrVec given;  /* names of options, from the tables, as often as they were used; not the compiler's */
    StrVec values; /* what each was given, "" if nothing, "no" as --no-name; owned */
} OptionArgs;

/* Checks the tables (a slip in them is a bug) and gives every setting its preset. Call it once, before
 * parsing. */
void options_preset(const Option *const *tables, void *settings);

/* Takes in argc words. Requires: options_preset was called. On false error holds one line without its end;
 * settings and args then hold what came before. Strings in settings point into argv and the tables. */
bool options_parse(const Option *const *tables, void *settings, int argc, char *const *argv, OptionArgs *args,
                   Str *error);

/* Frees the lists in settings. */
void options_free(const Option *const *tables, void *settings);
void options_args_free(OptionArgs *args);
/* Was the option of this long name among them? */
bool options_given(const OptionArgs *args, const char *name);
/* The options that were given, one a line, in the order of the tables, whatever the order and the way in
 * which they were written: but for those `without` (NULL at the end), and those that say what holds anyway.
 */
void options_canonical(const Option *const *tables, const OptionArgs *args, const char *const *without,
                       Str *out);

/* The candidate (of a NULL-terminated list) that the word is most likely a slip of, or NULL. */
const char *options_nearest(const char *word, const char *const *candidates);

/* The options in groups, names in one column and help in another, no line longer than width (at least 60). */
void options_help(const Option *const *tables, uint32_t width, Str *out);
/* The same as a fragment of a manual page: .SS for each group, .TP for each option. */
void options_roff(const Option *const *tables, Str *out);

#endif
