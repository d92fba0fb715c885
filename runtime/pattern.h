/* pattern.h - regular expressions, between their parser (regex.c) and their matcher (regex_match.c). */
#ifndef SHEAF_RUNTIME_PATTERN_H
#define SHEAF_RUNTIME_PATTERN_H

#include <regex.h>

#include "internal.h"

typedef enum PatternKind {
    PATTERN_EMPTY,
    PATTERN_CHAR,
    PATTERN_ANY,
    PATTERN_SET,
    PATTERN_LINE_START,
    PATTERN_LINE_END,
    PATTERN_TEXT_START,
    PATTERN_TEXT_END,
    PATTERN_WORD_EDGE,
    PATTERN_WORD_INSIDE,
    PATTERN_WORD_START,
    PATTERN_WORD_END,
    PATTERN_SAME,   /* what group `group` matched */
    PATTERN_GROUP,  /* a */
    PATTERN_BOTH,   /* a, then b */
    PATTERN_EITHER, /* a or b */
    PATTERN_REPEAT  /* a, low to high times */
} PatternKind;

typedef struct PatternRange {
    unsigned char low, high;
} PatternRange;

typedef struct Pattern {
    PatternKind kind;
    struct Pattern *made; /* all of one expression, to be freed */
    struct Pattern *a, *b;
    int low, high; /* high -1: no limit */
    int group;
    unsigned char c;
    bool negated; /* of a set */
    int nranges;
    PatternRange ranges[]; /* of a set: few comparisons instead of a table */
} Pattern;

/* What regcomp leaves behind in regex_t's buffer. */
typedef struct Compiled {
    Pattern *root, *made;
    int groups, flags; /* flags of regcomp */
} Compiled;

#endif
