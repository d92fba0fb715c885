/* generate_int.h - what the files of the grammar share. */
#ifndef SHEAF_TESTS_GENERATE_INT_H
#define SHEAF_TESTS_GENERATE_INT_H

#include "generate.h"

enum { LOCALS = 4, GLOBALS = 3, CELLS = 4, DEPTH = 3 };

typedef struct Gen {
    uint64_t seed;
    Rng rng;
    Str *out;
    int statement; /* number of the last statement; also its line */
    int loops;     /* loop counters in scope */
    int budget;    /* statements left */
    bool in_helper;
    bool wide;                    /* statements of wide.c as well */
    bool jumping;                 /* locals must not be set: setjmp may come back */
    bool certain;                 /* failures.c: no branch in front */
    bool made;                    /* places.c, rounds.c: there is a cell that was made in this block */
    bool reads;                   /* loops.c: inputs are read one by one */
    bool small;                   /* loops.c: one function, about one thing; strings.c: numbers */
    uint8_t themes[3], wanted[3]; /* what a program is about, and what its gates open for */
    uint8_t choices[LOCALS][2];   /* what a local is set to, by one input */
} Gen;

static inline uint32_t pick(Gen *g, uint32_t n) { return (uint32_t)rng_below(&g->rng, n); }

void generate_variable(Gen *g, Str *s);
void generate_target(Gen *g, Str *s);
void generate_expression(Gen *g, Str *s, int depth);

/* parts.c: all functions of a program */
void generate_parts(Gen *g, uint32_t number);

/* places.c: the same */
void generate_places(Gen *g, uint32_t number);

/* rounds.c: the same */
void generate_rounds(Gen *g, uint32_t number);

/* failures.c: the same */
void generate_failures(Gen *g, uint32_t number);

/* loops.c: the same */
void generate_loops(Gen *g, uint32_t number);
void generate_deep(Gen *g, uint32_t number);

/* strings.c: the same */
void generate_strings(Gen *g, uint32_t number);

/* wide.c */
void generate_wide(Gen *g); /* one statement, behind its line */
void generate_wide_locals(Gen *g);
void generate_wide_functions(Gen *g, uint32_t number);
void generate_wide_end(Gen *g);

#endif
