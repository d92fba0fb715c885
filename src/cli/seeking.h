/* seeking.h - runs on real values where no model of a condition reaches a target: the second phase of `sheaf
 * reach`. */
#ifndef SHEAF_CLI_SEEKING_H
#define SHEAF_CLI_SEEKING_H

#include "cli/reaching.h"

/* Looks for an input that reaches the target, from that of the answer on, a model that failed; NULL: from
 * inputs of its own. Ends at this moment of clock_seconds, or after so many runs. What came nearest is noted
 * in `reached`. */
bool seek(Reaching *r, Backward *bw, uint32_t target, const BackwardAnswer *from, double until,
          uint32_t runs);

/* For an answer that is open: where the nearest run turned away, and where a model lost its condition. */
void seek_reasons(Reaching *r, Reached *result);

#endif
