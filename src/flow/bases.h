/* bases.h - private to flow: where the addresses of a function come from. */
#ifndef SHEAF_FLOW_BASES_H
#define SHEAF_FLOW_BASES_H

#include "flow/flow.h"

/* What an address is the beginning of: a kind and a number. The last two are of sets of bytes (wanted.h)
 * only. */
enum {
    ROOT_PARAM,            /* what a parameter of the frame points to */
    ROOT_LOCAL = 1 << 28,  /* a local of the frame, by its register */
    ROOT_GLOBAL = 2 << 28, /* a global */
    ROOT_CLASS = 3 << 28,  /* any object of a class: FlowObject's id */
    ROOT_KIND = 7 << 28,
    ROOT_ANY = INT32_MAX /* all memory */
};

/* What an address is a sum of, in its function. */
typedef enum BaseKind {
    BASE_NONE,   /* numbers of the text, null above all */
    BASE_AT,     /* the root and an offset */
    BASE_WITHIN, /* somewhere in the object behind the root */
    BASE_UNKNOWN
} BaseKind;
typedef struct Base {
    BaseKind kind;
    uint32_t root;
    int64_t offset;
} Base;

const Base *bases_of(Flow *flow, uint32_t fn); /* by register */
/* Is it a sum of one parameter and nothing else? */
bool base_of_param(Base base, uint32_t *param);

#endif
