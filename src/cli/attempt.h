/* attempt.h - an input that was found by reasoning, run on the machine. */
#ifndef SHEAF_CLI_ATTEMPT_H
#define SHEAF_CLI_ATTEMPT_H

#include "backward/backward.h"
#include "explore/explore.h"

/* The run that the answer of `bw` proposes, on the machine of x, and its input (cleared and filled). Inputs
 * of calls are named by the machine as a run meets them, so it is run again with what was learned until
 * nothing changes. An attempt that does not end takes a tenth of what is left until the moment `until`, at
 * most; the machine's deadline is `until` afterwards. vm_trace_free. */
VmTrace *attempt_run(Explore *x, Backward *bw, const BackwardAnswer *answer, ExprInput *input, double until);

#endif
