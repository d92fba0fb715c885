/* harness_int.h - what the files that write a harness share. */
#ifndef SHEAF_CLI_HARNESS_INT_H
#define SHEAF_CLI_HARNESS_INT_H

#include "cli/harness.h"

typedef struct Writer {
    const HarnessTask *t;
    Arena *arena;
    U32Vec types;  /* records that have a function, in the order in which they were met */
    U32Vec inputs; /* an input of each, whose pointers are asked for */
    BitSet filled; /* of these: are also filled in where they stand, not made */
    Str *out;      /* of main */
    Str makers, stubs;
    Str handles;     /* functions that make them */
    bool calls_back; /* a parameter is a function */
    uint32_t depth;  /* of lists and trees, which may be less than was asked for */
} Writer;

/* One argument of a call, which gets a variable of the parameter's name. */
typedef struct HarnessArgument {
    const FrontendFunction *f;
    uint32_t number; /* of its parameters */
    uint32_t type;   /* C's; 0: not known */
    uint32_t input;  /* of the trace */
    bool bounded;    /* a length that is at most ELEMENTS */
    const char *indent;
} HarnessArgument;
void harness_argument(Writer *w, const HarnessArgument *a);
bool harness_is_pointer(const Writer *w, const HarnessArgument *a);
/* "int (*f)(int)", "char *s", "int a[4]" of the type and the name. */
const char *harness_declared(const Writer *w, const char *type, const char *name);
const char *harness_without_const(const Writer *w, const char *type);

/* harness_handles.c: a parameter that a constructor makes, if it is one. */
bool harness_handle(Writer *w, uint32_t number);
void harness_includes(const Writer *w, Str *out); /* headers that declare what makes them */

#endif
