/* slice_int.h - private to flow: what slices and the order of calls share. */
#ifndef SHEAF_FLOW_SLICE_INT_H
#define SHEAF_FLOW_SLICE_INT_H

#include "flow/depend.h"

struct FlowSlices {
    Flow *flow;
    DependSet *depend;
    Map kept; /* site to a Slice, for flow_may_depend */
    struct Slicer *slicer;
    Vec(FlowSite) list; /* the last answer */
    BitSet *leads_to;   /* by recursion: functions that a call may enter, its own included */
};

/* order.c. Functions that a call of `fn` may enter, itself included. */
const BitSet *slices_lead_to(FlowSlices *s, uint32_t fn);
/* The recursion (DependSet.scc) that a call enters, and the functions that may run then. */
uint32_t slices_entered(const FlowSlices *s, FlowSite call);
const BitSet *slices_lead_from(FlowSlices *s, uint32_t recursion);

#endif
