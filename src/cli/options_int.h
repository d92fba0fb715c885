/* options_int.h - private to options.c and options_text.c. */
#ifndef SHEAF_CLI_OPTIONS_INT_H
#define SHEAF_CLI_OPTIONS_INT_H

#include "cli/options.h"

/* Over all entries of all tables, groups included. No break: it would leave one table only. */
#define FOR_OPTIONS(o, tables)                                               \
    for (const Option *const *o##_table = (tables); *o##_table; o##_table++) \
        for (const Option *o = *o##_table; o->kind != OPTION_END; o++)

static inline bool option_has_name(const Option *o)
{
    return o->kind != OPTION_GROUP && o->kind != OPTION_COMPILER;
}

/* Can it be taken back with --no-? */
static inline bool option_has_no(const Option *o)
{
    return o->kind == OPTION_FLAG || o->kind == OPTION_COUNT;
}

/* Adds how help names its value: "N", "text|json". Nothing for a flag. */
void option_argument(const Option *o, Str *out);

#endif
