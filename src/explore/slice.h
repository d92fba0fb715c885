/* slice.h - private to explore: the relevant slice of a run (PESO), and of several runs of one input.
 *
 * The relevant slice of a run are the decisions that its output depends on, in PESO's order: an input that
 * satisfies the conditions before a position meets the same decisions up to there (the prefix property). Runs
 * of other programs on the same input may follow: where the whole condition of the first run holds, its part
 * is the same, and the prefix property of the next one says the rest. */
#ifndef SHEAF_EXPLORE_SLICE_H
#define SHEAF_EXPLORE_SLICE_H

#include "explore/explore_int.h"

typedef struct SlicePlace {
    const VmTrace *trace;
    uint32_t decision; /* of the trace */
} SlicePlace;
typedef Vec(SlicePlace) Slice;

/* Appends the decisions of a label of the run; decisions of runs before it stay before them. */
void slice_add(Slice *s, const ExprPool *pool, VmLabel label, const VmTrace *trace);
/* What held at the decisions, each condition once. Clears and fills out. */
void slice_condition(const Slice *s, ExprVec *out);
/* Does the run made for a task meet the decision that it was made for at its place? If not, the machine is
 * not a function of its input, and the ledger says so. */
void slice_check_follows(Explore *x, const Task *task, const Slice *s);
/* PESO, Algorithm 1, lines 25-28: files a task for each alternative of each position from task->bound on,
 * under the conditions before it. An alternative of a condition that stands before it already is not feasible
 * and not filed. False: --max-depth left some out. */
bool slice_file_tasks(Explore *x, const Task *task, const Slice *s, Origin *origin);

#endif
