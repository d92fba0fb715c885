/* versions_int.h - private to versions: what the parts of pairing share. */
#ifndef SHEAF_VERSIONS_INT_H
#define SHEAF_VERSIONS_INT_H

#include "versions/versions.h"

/* Which functions of a program neither have effects nor fail: total.c. */
typedef struct Totals {
    const IrProgram *program;
    Flow *flow;
    uint64_t checks; /* VmOptions.checks */
    unsigned rules_off;
    uint8_t *state, *local; /* by function; the latter of its own code alone */
    bool *repeats; /* by function that was asked for: it, or what it calls, has a loop or calls itself */
} Totals;
void totals_init(Totals *t, const IrProgram *program, Flow *flow, uint64_t checks, unsigned rules_off);
void totals_free(Totals *t);
bool totals_has(Totals *t, uint32_t fn);
/* Has an instruction of a function neither effects nor faults, nor what it calls? */
bool totals_has_insn(Totals *t, uint32_t fn, uint32_t block, const IrInsn *insn);
/* And does it pay not to enter calls of it? It repeats something, and has one result. */
bool totals_is_abstractable(Totals *t, uint32_t fn);

/* Does the function end on all inputs, as far as its code shows: ends.c. */
bool versions_ends(const IrProgram *program, uint32_t fn);

/* Pairing under way. A token stands for a function or global that instructions refer to: equal tokens, the
 * same thing. */
typedef struct Pairing {
    Versions *v;
    unsigned rules_off;
    uint64_t *fn_token[2], *global_token[2];
} Pairing;

/* pair_canon.c */
void pair_order(const IrFn *fn, U32Vec *out); /* blocks that the entry reaches, in reverse postorder */
/* The function in canonical form: equal words, equal code. `erased`: whatever functions it calls of the
 * user's. */
void pair_canon(const Pairing *p, unsigned version, uint32_t fn, bool erased, U64Vec *out);
uint64_t pair_const_token(const Pairing *p, unsigned version, const IrConst *c, unsigned width);
/* Does the instruction report a failed assertion? Its arguments are text, file, line and function. */
bool pair_is_assertion(const IrProgram *p, const IrInsn *insn);
/* pair_globals.c */
void pair_globals(Pairing *p);
/* pair_insn.c */
enum { PAIR_STRENGTHS = 3 }; /* of keys, the strongest first */
typedef struct PairPlace {
    uint32_t block, insn;
    uint64_t key[PAIR_STRENGTHS];
    uint32_t partner; /* index in the other list, IR_NONE: none */
    bool moved;
} PairPlace;
typedef Vec(PairPlace) PairPlaces;
void pair_places(const Pairing *p, unsigned version, uint32_t fn, PairPlaces *out);
void pair_match(PairPlaces *old, PairPlaces *new);
void pair_insns(Pairing *p, VersionsFn *f);
/* pair_tags.c */
void pair_tags(Pairing *p);

#endif
