/* slice.h - the part of flow.h about dependence: branches that guard sinks, slices, and what may run before
 * what; flow.h includes it at its end. docs/flow.md says what is computed and why it may be trusted. */
#ifndef SHEAF_FLOW_SLICE_H
#define SHEAF_FLOW_SLICE_H

/* Fault checks beside those that always are. Uninit: each use that decides something, and all that is handed
 * to the library. Leak: the run's end depends on all memory that is left then. */
enum { FLOW_CHECK_OVERFLOW = 1, FLOW_CHECK_SHIFT = 2, FLOW_CHECK_UNINIT = 4, FLOW_CHECK_LEAK = 8 };

/* ---- guards ---------------------------------------------------------------------------------- */

enum {
    FLOW_SINK_FAULTS = 1,
    FLOW_SINK_OUTPUTS = 2,
    FLOW_SINK_ALL = 4,
    FLOW_SINK_GIVEN = 8 /* those given, which always are, and no others */
};

typedef struct FlowGuardOptions {
    unsigned policy;       /* FLOW_TIE_* */
    unsigned sinks;        /* FLOW_SINK_*; 0: faults */
    unsigned checks;       /* FLOW_CHECK_* */
    const FlowSite *given; /* instructions that are sinks too; at a branch they make it one */
    uint32_t ngiven;
} FlowGuardOptions;

/* Branches between which and their post-dominator a sink may run. The options' list is copied. */
typedef struct FlowGuards FlowGuards;
FlowGuards *flow_guards_new(Flow *flow, const FlowGuardOptions *options);
void flow_guards_free(FlowGuards *guards); /* NULL is allowed */
bool flow_guards(FlowGuards *guards, uint32_t fn, uint32_t block);
bool flow_holds_sink(FlowGuards *guards, uint32_t fn,
                     uint32_t block); /* or a call in the block may lead to one */
/* May one run below this call of the user's code? False only where the table describes what is called. */
bool flow_call_holds_sink(FlowGuards *guards, FlowSite call);
bool flow_calls_back(const FlowGuards *guards,
                     uint32_t fn); /* of runtime/: may code of the user's run below it? */

/* ---- slices ---------------------------------------------------------------------------------- */

typedef struct FlowSliceOptions {
    unsigned policy;     /* FLOW_TIE_* */
    uint64_t max_steps;  /* 0: default */
    size_t max_memory;   /* bytes; 0: default */
    uint32_t max_listed; /* objects that an instruction touches: more are a set; 0: default */
} FlowSliceOptions;

/* The graph of dependences, under one policy. What it knows of a function is computed once, callees first.
 * Where a budget is spent the answer is "yes". */
typedef struct FlowSlices FlowSlices;
FlowSlices *flow_slices_new(Flow *flow, const FlowSliceOptions *options); /* NULL: the defaults */
void flow_slices_free(FlowSlices *slices);

/* Instructions in a slice: forward, what may depend on one of `of`; backward, what one of `of` may depend on;
 * `of` included. Calls and returns are matched. In the order of the program; the list is the slices', until
 * the next ask. */
FlowSites flow_slice(FlowSlices *slices, const FlowSite *of, uint32_t n, bool forward);
/* The same for the code of a line of a file (as in ir_site_is_at). Empty if there is none. */
FlowSites flow_slice_line(FlowSlices *slices, const char *file, uint32_t line, bool forward);
/* May `a` execute before `b` in some run? */
bool flow_may_precede(FlowSlices *slices, FlowSite a, FlowSite b);

/* ---- dumps ----------------------------------------------------------------------------------- */

/* The following are for people: lines and names of the source. */
/* line 0: all of the function; else what stands on that line, of a graph still all. */
void flow_dump_control(Flow *flow, uint32_t fn, unsigned policy, uint32_t line, bool dot, Str *out);
void flow_dump_points_to(Flow *flow, uint32_t fn, uint32_t line, bool dot, Str *out);
/* False if no code stands there. */
bool flow_dump_slice(FlowSlices *slices, const char *file, uint32_t line, bool forward, bool dot, Str *out);

#endif
