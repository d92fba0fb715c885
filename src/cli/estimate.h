/* estimate.h - private to cli: how far an exploration is, and how long it may still take.
 *
 * The part of the tree of executions that is explored is an estimate (explore_explored), and so is the time:
 * what is left takes as long for its part as what was explored since this run began. Trees are
 * lopsided: no time is said before a part of the tree and some seconds have gone by. */
#ifndef SHEAF_CLI_ESTIMATE_H
#define SHEAF_CLI_ESTIMATE_H

#include "base/base.h"

/* Of one exploration. Begin with zeros. */
typedef struct Estimate {
    bool begun;
    double began, from;   /* the first time that was noted, and the part then: of an earlier session */
    double seconds, part; /* the last one; the part never shrinks */
} Estimate;

/* After so many seconds so much is explored, 0 to 1. What processes report may for a moment be less than it
 * was. */
void estimate_note(Estimate *e, double seconds, double part);
/* Seconds; negative: not known yet. */
double estimate_left(const Estimate *e);
/* "37 % explored, about 2 min left". limit: seconds until a limit ends it, which may be before; negative:
 * there is none. */
void estimate_text(const Estimate *e, double limit, Str *out);

#endif
