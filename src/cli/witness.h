/* witness.h - what `sheaf prove` found, as a witness in SV-COMP's exchange format (YAML, version 2.0): a
 * validator can check it. */
#ifndef SHEAF_CLI_WITNESS_H
#define SHEAF_CLI_WITNESS_H

#include "cli/proving.h"

/* A correctness witness of a proof: invariants of loops, as far as they speak of variables in scope. A
 * violation witness of a fault: what calls gave, and where it failed. Requires: status is not OPEN. `files`:
 * the program's sources; `time`: seconds since 1970. */
void witness_text(const Proving *p, const StrVec *files, int64_t time, Str *out);

#endif
