/* require_grammar.h - random functions whose failures can be seen natively: parameters, a global, a table,
 * pointers that may be equal, a structure with a pointer, a callee, loops, endless ones too, and a function
 * of which Sheaf knows nothing. */
#ifndef SHEAF_TESTS_REQUIRE_GRAMMAR_H
#define SHEAF_TESTS_REQUIRE_GRAMMAR_H

#include "base/base.h"

/* The text of function f_NUMBER; true if one of its loops may run for very long without being endless. */
bool require_function(uint64_t seed, uint32_t number, Str *out);
/* So many functions, of the seeds from `seed` on, and with -DNATIVE a main that calls each at all its points
 * and writes a byte for each: 0 it returned, 1 it failed, 2 not known. */
/* A loop over all points, open at its end, that sets up what function `number` is called with: ARGUMENTS,
 * globals and memory. */
void require_setup(uint64_t seed, uint32_t number, Str *out);
void require_batch(uint64_t seed, uint32_t count, Str *out);

#endif
