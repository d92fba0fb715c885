/* generate.h - small random C programs with inputs that can be enumerated: the corpus that all oracles share.
 *
 * A batch is one C file of many programs. Compiled with -DNATIVE it runs every program on every input and
 * prints what happened; compiled without, it is what Sheaf explores, one program at a time (argv[1] is its
 * number). Both say the same things: which side each branch took, and which statement failed. See prelude.h
 * for the macros in between. */
#ifndef SHEAF_TESTS_GENERATE_H
#define SHEAF_TESTS_GENERATE_H

#include "base/base.h"

enum {
    GENERATE_INPUTS = 3, /* bytes of input, each */
    GENERATE_RANGE = 5,  /* from -2 to 2 */
    GENERATE_COMBINATIONS = 125,
    GENERATE_WIDE = 1000000,  /* seeds from here on: the wider grammar (wide.c) */
    GENERATE_PARTS = 2000000, /* and from here on: combinations and independent parts (parts.c) */
    GENERATE_SHARED =
        3000000, /* the wider grammar with functions that all programs of a batch hand pointers to */
    GENERATE_PLACES = 4000000, /* and from here on: where branches write (places.c) */
    GENERATE_MADE = 4250000,   /* of these from here on: memory that is made under branches as well */
    GENERATE_ROUNDS =
        4400000, /* and from here on: memory made in one round of a loop, written in another (rounds.c) */
    GENERATE_FAILURES = 4500000, /* and from here on: how code fails (failures.c) */
    GENERATE_UNSET = 4700000,    /* there, from here on: variables may be unset, and inputs be none */
    GENERATE_LOOPS =
        5000000, /* and from here on: which lines are reached, with loops of all kinds (loops.c) */
    GENERATE_SMALL = 5500000, /* of these from here on: small ones, about one thing each */
    GENERATE_DEEP =
        5800000, /* and from here on: functions that call themselves, arrays filled in loops (deep.c) */
    GENERATE_STRINGS = 6000000 /* and from here on: strings, compared and searched (strings.c) */
};

typedef struct GenerateOptions {
    uint64_t seed; /* program i of a batch is a function of seed + i alone */
    uint32_t count;
} GenerateOptions;

/* The text of a batch. */
void generate_batch(const GenerateOptions *options, Str *out);

/* The k-th of all inputs: GENERATE_INPUTS bytes. */
void generate_input(uint32_t k, uint8_t out[GENERATE_INPUTS]);

#endif
