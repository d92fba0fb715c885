/* effects.h - what the table runtime/effects.def says of a function, taken apart. Private to flow. */
#ifndef SHEAF_FLOW_EFFECTS_H
#define SHEAF_FLOW_EFFECTS_H

#include "flow/flow.h"

typedef enum EffectKind {
    EFFECT_READ,     /* a: behind it is read */
    EFFECT_READ_ALL, /* a: everything that can be reached from it is read */
    EFFECT_WRITE,
    EFFECT_WRITE_ALL,
    EFFECT_FREE,
    EFFECT_RETURN,      /* the result is a */
    EFFECT_RETURN_INTO, /* the result points into what a points into */
    EFFECT_RETURN_NEW,
    EFFECT_COPY,       /* contents behind b, pointers included, go to behind a */
    EFFECT_PUT,        /* behind a a pointer into what b points into is stored */
    EFFECT_CALL,       /* a is called with `args` */
    EFFECT_STREAM,     /* a: descriptor 0 … 3 */
    EFFECT_STREAM_OF,  /* the stream of FILE a; what the body writes behind a */
    EFFECT_DESCRIPTOR, /* descriptor a */
    EFFECT_FORMAT,     /* a is a format; without %n variable arguments are not written */
    EFFECT_INPUT,      /* behind a come bytes of an input */
    EFFECT_EXITS,      /* may end the run in order */
    EFFECT_NEVER       /* does not come back */
} EffectKind;

/* Operands: 0 … 9 arguments, and these. */
enum { EFFECT_VARIABLE = 16, EFFECT_RESULT, EFFECT_NEW, EFFECT_NOTHING };

typedef struct Effect {
    EffectKind kind;
    uint8_t a, b;
    uint8_t nargs, args[6];
} Effect;

typedef struct Effects {
    const char *name;
    uint32_t n;
    const Effect *v;
} Effects;

/* By function: its line, or NULL. A function of the user's own has none, whatever its name. */
const Effects **effects_bind(const IrProgram *p, Arena *a);
bool effects_have(const Effects *e, EffectKind kind);
/* Does it write nothing but memory that it makes and returns? It may free other memory. NULL is allowed. */
bool effects_only_make(const Effects *e);
/* Of the table itself, for tests: the i-th line, NULL behind the last. */
const char *effects_name(uint32_t i);

#endif
