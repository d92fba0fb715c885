/* influence.h - the part of flow.h for dependence: slices, what may run before what, influence and
 * interaction of decisions; flow.h includes it at its end. docs/flow.md says what is computed and why it may
 * be trusted.
 *
 * A FlowInfluence answers under one policy and for one set of sinks. What it knows of a function is computed
 * once, callees first; the tree of calls from the entry is opened to a bound. Where a budget is spent the
 * answer is "yes". */
#ifndef SHEAF_FLOW_INFLUENCE_H
#define SHEAF_FLOW_INFLUENCE_H

enum {
    FLOW_SINK_FAULTS = 1,
    FLOW_SINK_OUTPUTS = 2,
    FLOW_SINK_ALL = 4,
    FLOW_SINK_GIVEN = 8 /* of flow_guards: those given, which always are, and no others */
};
/* Fault checks beside those that always are. Uninit: each use that decides something, and all that is handed
 * to the library. Leak: the run's end depends on all memory that is left then. */
enum { FLOW_CHECK_OVERFLOW = 1, FLOW_CHECK_SHIFT = 2, FLOW_CHECK_UNINIT = 4, FLOW_CHECK_LEAK = 8 };

typedef struct FlowInfluenceOptions {
    unsigned policy;       /* FLOW_TIE_* */
    unsigned sinks;        /* FLOW_SINK_*; 0: faults */
    unsigned checks;       /* FLOW_CHECK_* */
    const FlowSite *given; /* of flow_guards: instructions that are sinks too */
    uint32_t ngiven;
    uint64_t max_steps;    /* 0: default */
    size_t max_memory;     /* bytes; 0: default */
    uint32_t max_contexts; /* calls opened, at most; 0: default */
    uint32_t max_listed;   /* objects that an instruction touches: more are a set; 0: default */
} FlowInfluenceOptions;

typedef struct FlowInfluence FlowInfluence;
/* NULL options: the defaults */
FlowInfluence *flow_influence_new(Flow *flow, const FlowInfluenceOptions *options);
void flow_influence_free(FlowInfluence *influence);

typedef struct FlowInfluenceStats {
    uint32_t functions, cut;   /* analysed; of them given up: all in them interacts */
    uint32_t contexts, closed; /* calls opened; left closed for lack of budget */
    uint32_t items, sinks;
    uint64_t nodes, edges, steps;
    size_t bytes;
    bool spent; /* no budget left, so far: everything interacts */
} FlowInfluenceStats;
FlowInfluenceStats flow_influence_stats(const FlowInfluence *influence);

/* ---- guards ---------------------------------------------------------------------------------- */

/* Branches between which and their post-dominator a sink may run. Of the options policy, sinks, checks and
 * given count; given sites at a branch make it one. The options' lists are not needed any more. */
typedef struct FlowGuards FlowGuards;
FlowGuards *flow_guards_new(Flow *flow, const FlowInfluenceOptions *options);
void flow_guards_free(FlowGuards *guards); /* NULL is allowed */
bool flow_guards(FlowGuards *guards, uint32_t fn, uint32_t block);
bool flow_holds_sink(FlowGuards *guards, uint32_t fn,
                     uint32_t block); /* or a call in the block may lead to one */
/* May one run below this call of the user's code? False only where the table describes what is called. */
bool flow_call_holds_sink(FlowGuards *guards, FlowSite call);
bool flow_calls_back(const FlowGuards *guards,
                     uint32_t fn); /* of runtime/: may code of the user's run below it? */

/* ---- decisions, seen statically -------------------------------------------------------------- */

/* What decides at an instruction: where control goes; whether a fault check holds; which value or object is
 * meant. */
typedef enum FlowItemKind { FLOW_ITEM_BRANCH, FLOW_ITEM_CHECK, FLOW_ITEM_VALUE } FlowItemKind;

/* An item is an instruction that decides, qualified by the calls that led to it. Decisions below a call that
 * is not opened (runtime/, recursion, budget) share one item, and interact. */
enum {
    FLOW_ITEM_ANY = 0,  /* interacts with everything; sound only for what comes before
                           the entry */
    FLOW_ITEM_END = 1,  /* all decisions after the entry's end: handlers, destructors */
    FLOW_ITEM_FIRST = 2 /* the first that flow_item may give for a decision under the entry */
};

/* path: calls under way, from the entry's frame on, then the instruction itself. Items are numbered as the
 * tree of calls is walked, the same on every ask. */
uint32_t flow_item(FlowInfluence *influence, const FlowSite *path, uint32_t n, FlowItemKind kind);
/* Can it influence a sink, or is it one? Others need no combination with anything. */
bool flow_item_keep(FlowInfluence *influence, uint32_t item);
uint32_t flow_item_count(const FlowInfluence *influence);
/* What an item is: its instruction (of a closed call: the call), and how many calls lead there. */
typedef struct FlowItem {
    FlowSite at;
    FlowItemKind kind;
    uint32_t depth;
    bool closed;
} FlowItem;
FlowItem flow_item_about(const FlowInfluence *influence, uint32_t item);
/* The call at `depth` on the way to the item (depth below FlowItem.depth). */
FlowSite flow_item_call(const FlowInfluence *influence, uint32_t item, uint32_t depth);

/* How two decisions of a run lie to each other: the first loop around both, outermost first, in which their
 * iterations differ. frame: how many calls lead to the frame in which the loop is. loop IR_NONE: none
 * differs. */
typedef struct FlowWay {
    uint32_t frame, loop;
} FlowWay;
#define FLOW_SAME ((FlowWay){0, IR_NONE})

/* Must the two be combined? `a` is the earlier decision of the run: some later node may depend on both, or
 * both interact with a later third. False only if no run needs their combination to reach a sink in a new
 * way. */
bool flow_interact(FlowInfluence *influence, uint32_t a, uint32_t b, FlowWay way);
/* A place where they meet, for people: the sink that both reach, or (of the closure) that a and a third
 * reach. fn is IR_NONE if they do not interact or one of them is FLOW_ITEM_ANY. */
FlowSite flow_interact_at(FlowInfluence *influence, uint32_t a, uint32_t b, FlowWay way);
/* Sinks that an item reaches, each once, whatever the context. The list is the influence's, until the next
 * ask. */
FlowSites flow_item_sinks(FlowInfluence *influence, uint32_t item);

/* The same for two decisions with their loop counters, outermost first; a is the earlier. */
typedef struct FlowIteration {
    uint32_t frame, loop;
    uint64_t count;
} FlowIteration;
typedef struct FlowInstance {
    uint32_t item;
    uint32_t n;
    const FlowIteration *iterations;
} FlowInstance;
bool flow_instances_interact(FlowInfluence *influence, const FlowInstance *a, const FlowInstance *b);

/* ---- instructions ---------------------------------------------------------------------------- */

/* May what `to` computes, or whether it runs, depend on what `from` computed or decided, directly or through
 * others, in some context? Slices are kept: asking for many `to` of one `from` is cheap. */
bool flow_may_depend(FlowInfluence *influence, FlowSite from, FlowSite to);
/* Instructions in a slice: forward, what may depend on one of `of`; backward, what one of `of` may depend on;
 * `of` included. Calls and returns are matched. In the order of the program; the list is the influence's,
 * until the next ask. */
FlowSites flow_slice(FlowInfluence *influence, const FlowSite *of, uint32_t n, bool forward);
/* The same for the code of a line of a file (as in ir_site_is_at). Empty if there is none. */
FlowSites flow_slice_line(FlowInfluence *influence, const char *file, uint32_t line, bool forward);
/* May `a` execute before `b` in some run? */
bool flow_may_precede(FlowInfluence *influence, FlowSite a, FlowSite b);

/* ---- dumps ----------------------------------------------------------------------------------- */

/* The following are for people: lines and names of the source. */
/* line 0: all of the function; else what stands on that line, of a graph still all. */
void flow_dump_control(Flow *flow, uint32_t fn, unsigned policy, uint32_t line, bool dot, Str *out);
void flow_dump_points_to(Flow *flow, uint32_t fn, uint32_t line, bool dot, Str *out);
/* Branches at a line of a file (as in ir_site_is_at): what they can influence, and with which other
 * branches they interact and where they meet; of those in calls that are not opened, why. False if no branch
 * stands there. */
bool flow_dump_influence(FlowInfluence *influence, const char *file, uint32_t line, bool dot, Str *out);
bool flow_dump_slice(FlowInfluence *influence, const char *file, uint32_t line, bool forward, bool dot,
                     Str *out);
/* JSON: every branch, every pair of them that interacts and in which way, and out of how many possible pairs;
 * calls that are not opened stand for the branches in them. "everything": nothing is opened, or the budget is
 * spent. */
void flow_dump_interactions(FlowInfluence *influence, Str *out);

#endif
