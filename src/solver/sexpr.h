/* sexpr.h - reading S-expressions of SMT-LIB 2, from files and from solvers. Private to solver.
 *
 * Iterative and bounded by the text's size: nesting of any depth is safe. Nodes and their text live in the
 * arena. */
#ifndef SHEAF_SOLVER_SEXPR_H
#define SHEAF_SOLVER_SEXPR_H

#include "base/base.h"

typedef enum SexprKind { SEXPR_LIST, SEXPR_ATOM, SEXPR_STRING } SexprKind;

typedef struct Sexpr {
    SexprKind kind;
    uint32_t line;
    uint32_t count;             /* of a list */
    const char *text;           /* of an atom (bars of |quoted symbols| removed) or a string */
    struct Sexpr *first, *next; /* children; sibling */
} Sexpr;

typedef struct SexprReader {
    Arena *arena;
    const char *at, *end;
    uint32_t line;
    const char *error; /* "line 3: …" once something is wrong; reading stops */
} SexprReader;

void sexpr_open(SexprReader *r, Arena *arena, const char *text, size_t size);
/* The next expression, or NULL at the end of the text and after an error. */
Sexpr *sexpr_read(SexprReader *r);

/* Where a reply that arrives in pieces becomes whole. Zero-initialised is the beginning. */
typedef struct SexprScan {
    size_t at; /* everything before it was looked at */
    size_t depth;
    char inside; /* '"', '|' or ';' while inside of such text; else 0 */
    bool atom;   /* inside of an atom at depth 0 */
} SexprScan;

/* How many bytes at the front of the text make one whole expression; 0 if it is not whole yet: call again
 * with the same text and more behind it. A closing parenthesis without an opening one counts as whole. */
size_t sexpr_whole(SexprScan *scan, const char *text, size_t size);

bool sexpr_is(const Sexpr *s, const char *atom);          /* s may be NULL */
const Sexpr *sexpr_child(const Sexpr *s, uint32_t index); /* NULL if there is none */

#endif
