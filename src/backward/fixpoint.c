/* fixpoint.c - conditions at all cut points at once, as the least fixpoint of moving them over segments.
 *
 *   X := false;  repeat  X' := project(ends at targets or X moved over the others)  until  invariant and X'
 * imply X
 *
 * Whatever is dropped on the way makes a condition weaker, so that a fixpoint that is false at the entry is a
 * proof. */
#include "backward/backward_int.h"

Expr bw_before(Backward *bw, uint32_t segment, const BitSet *which)
{
    Expr any = EXPR_FALSE;
    for (uint32_t i = 0; i < bw->segments.v[segment].ends.n; i++) {
        BwEnd end = bw->segments.v[segment].ends.v[i];
        Expr e = EXPR_FALSE;
        if (end.kind == BW_END_TARGET)
            e = bitset_has(which, end.target) ? bw_compose(bw, segment, &end, EXPR_TRUE) : EXPR_FALSE;
        else if (end.kind == BW_END_CUT)
            e = bw_compose(bw, segment, &end, bw->cuts.v[end.cut].condition);
        any = expr_or(bw->pool, any, e);
    }
    return any;
}

/* One round over all cuts; true if a condition became weaker. */
static bool round_of(Backward *bw, const BitSet *which)
{
    bool changed = false;
    for (uint32_t c = bw->cuts.n; c-- > 0 && !bw_out_of_time(bw);) {
        BwCut *cut = &bw->cuts.v[c];
        if (!cut->arrived || cut->segment == IR_NONE)
            continue;
        Expr old = cut->condition, now = bw_before(bw, cut->segment, which);
        /* Inputs on the way are projected only out of what is kept: in the question they may be what they
         * are. */
        if (expr_is_true(old) || bw_unsat(bw, bw_cut_holds(bw, c, now, old), now, expr_not(bw->pool, old)))
            continue;
        bool same = bw->options.rules_off & BACKWARD_OFF_UNKNOWN;
        bw->cuts.v[c].condition = expr_or(bw->pool, old, same ? now : bw_project(bw, now));
        changed = true;
    }
    return changed;
}

bool bw_fixpoint(Backward *bw, const BitSet *which, Expr *entry, BackwardAnswer *answer, uint32_t iterations)
{
    bool stable = bw->stable = false;
    for (uint32_t c = 0; c < bw->cuts.n; c++)
        bw->cuts.v[c].condition = EXPR_FALSE;
    for (uint32_t i = 0; i < iterations && !stable && !bw_out_of_time(bw); i++) {
        stable = !round_of(bw, which);
        answer->iterations = i + 1;
    }
    *entry = bw_before(bw, bw->start, which);
    return bw->stable = stable && !bw_out_of_time(bw);
}
