/* outline.h - private to versions: loops as functions of their own.
 *
 * A loop that computes values from registers alone, and neither stores nor fails, is a function of the
 * registers that it reads. Outlined, it can be abstracted like any other function without effects
 * (joint_abstract.c), so that a loop that both versions have is not unrolled. Each value that is used behind
 * the loop is a function: a copy of the loop that returns this value. */
#ifndef SHEAF_VERSIONS_OUTLINE_H
#define SHEAF_VERSIONS_OUTLINE_H

#include "versions/versions_int.h"

typedef enum OutlineKind {
    OUTLINE_REG,  /* a register that the loop defines */
    OUTLINE_PHI,  /* what a phi behind the loop gets from it */
    OUTLINE_WHICH /* one bit: does it leave to the first of its two targets? */
} OutlineKind;

typedef struct OutlineValue {
    OutlineKind kind;
    uint32_t reg;         /* of a register */
    uint32_t target, phi; /* of a phi: its block and instruction */
    uint8_t width;
    IrFn fn;     /* the copy that returns it */
    U64Vec code; /* of that: equal words, equal code */
} OutlineValue;

/* A loop that can be outlined, and what becomes of it. */
typedef struct Outline {
    uint32_t fn, loop;
    U32Vec blocks;  /* of the loop, in reverse postorder: the header first; and blocks behind it that do
                       nothing but lead on */
    BitSet inside;  /* the same as a set */
    U32Vec targets; /* blocks that it leaves to, one or two */
    U32Vec phis;    /* of the header: instructions. Their values at the first iteration are arguments, */
    U32Vec args;    /* and these registers, which are defined before the loop */
    Vec(OutlineValue) values;
} Outline;

/* outline_find.c: false if the loop has effects, may fail, or is not of that form. Fills out but for the
 * copies; outline_free in either case. */
bool outline_find(Totals *t, uint32_t fn, uint32_t loop, const IrLive *live, Outline *out);
void outline_free(Outline *o);
/* outline_copy.c: makes the copies. */
void outline_copy(IrProgram *p, const IrLive *live, Outline *o);
/* outline_rewrite.c: the function calls `callee`, by value, in the place of the loop. Of loops of one
 * function, those that come first in reverse postorder are rewritten first. */
void outline_rewrite(IrProgram *p, const Outline *o, const U32Vec *callees);

#endif
