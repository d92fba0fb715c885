/* places.h - private to flow: sets of places. */
#ifndef SHEAF_FLOW_PLACES_H
#define SHEAF_FLOW_PLACES_H

#include "flow/bases.h"
#include "flow/points.h"

typedef Vec(FlowPlace) PlaceVec;
enum { PLACES_APART = 8 }; /* ranges of one object that are kept apart in lists */

/* A set of places: those of objects as a shared set of their numbers, those of parameters as a list, sorted
 * and merged. */
typedef struct PlaceSet {
    uint32_t objects;
    FlowPlaces params;
} PlaceSet;

/* A set, and the list that the face gives of it: v is NULL until asked for. */
typedef struct PlaceAnswer {
    PlaceSet set;
    FlowPlaces list;
} PlaceAnswer;

typedef struct PlaceTable {
    PlaceVec v;  /* places of objects by number */
    Map index;   /* hash of a place to its number */
    U32Vec next; /* by place: another one of its object, or IR_NONE */
    Map last;    /* object to the last of its places */
    Sets sets;
    Map behind; /* hash of (points-to set, bytes) to a set */
    Map frames; /* hash of a function to the state of its frame */
    Map lists;  /* set to its list in flat */
    Vec(FlowPlaces) flat;
    Map insns, within; /* what was asked for, to index in kept; of an instruction two:
                          writes, reads */
    Vec(PlaceAnswer) kept;
    Map branches; /* hash of a branch to index in branch */
    Vec(FlowBranch *) branch;
    Map unsure_of; /* function and block to index in unsure (branch.c) */
    Vec(const uint8_t *) unsure;
} PlaceTable;

PlaceTable *places_of(Flow *flow);                      /* made when first asked for */
void places_free(PlaceTable *t);                        /* NULL is allowed */
uint32_t places_of_object(Flow *flow, uint32_t object); /* all that are numbered so far */
FlowPlaces places_list(Flow *flow, PlaceAnswer *answer);

struct Region;

/* A set under construction: single places in order of addition, and shared sets. */
typedef struct PlaceBag {
    PlaceVec few;
    U32Vec shared;
    struct Region *region; /* not NULL: takes what is behind registers that it knows */
    bool older;            /* memory that is made on the way does not count */
} PlaceBag;
void bag_add(PlaceBag *bag, uint32_t object, uint64_t first, uint64_t size);
void bag_add_param(PlaceBag *bag, uint32_t param, uint64_t first, uint64_t size);
void bag_add_shared(PlaceBag *bag, uint32_t set);
void bag_add_set(PlaceBag *bag, const PlaceSet *set);
PlaceSet bag_close(Flow *flow, PlaceBag *bag); /* frees the bag */
void bag_free(PlaceBag *bag);

/* The points-to set that an access through the register means. An empty set says that no object's address is
 * among what makes the register. That is null where only the text's own numbers make it, and then nothing is
 * accessed; else it may be put together from numbers of an input, and means everything. Code of runtime/
 * makes no address of numbers. */
uint32_t points_address(Flow *flow, uint32_t fn, uint32_t reg);

/* Bytes first … first + size behind an address; the state of the objects there; the objects, contents as a
 * whole. */
void places_behind(Flow *flow, uint32_t fn, uint32_t reg, uint64_t first, uint64_t size, PlaceBag *out);
void places_state(Flow *flow, uint32_t fn, uint32_t reg, PlaceBag *out);
uint32_t places_pointees(Flow *flow, uint32_t fn, uint32_t reg);

/* branch.c: is the register's value known when the region's branch is decided? Then that is the place; size
 * 0: the state. */
bool region_takes(struct Region *r, uint32_t reg, uint64_t first, uint64_t size);

/* What something touches. */
typedef struct Touched {
    PlaceBag writes, reads;
} Touched;
/* Something goes through an address. If that may be a pointer of an input, it is followed: which ones were,
 * and where they led, is read and written. The second: if it may be, for a reason of the caller's. */
void touch_followed(Flow *flow, uint32_t points, Touched *out); /* places.c */
void touch_links(Flow *flow, bool followed, Touched *out);
bool points_may_be_input(Flow *flow, uint32_t fn, uint32_t reg); /* as a value, whatever follows it */
void touch_insn(Flow *flow, FlowSite at, Touched *out);          /* modref.c */
PlaceSet insn_places(Flow *flow, FlowSite at,
                     bool write);                       /* the same as flow_insn_writes, _reads, as a set */
void touch_call(Flow *flow, FlowSite at, Touched *out); /* modref_call.c */
uint32_t call_argument(const IrCall *call, uint32_t i); /* its register, or IR_NONE */

/* modref_sum.c: what a call of the function touches, as its caller sees it; of functions in a circle without
 * parameters. */
const PlaceSet *summary(Flow *flow, uint32_t fn, bool write);
const PlaceSet *summary_older(Flow *flow, uint32_t fn); /* writes, but for memory that the call makes */
/* Does a callee's body count, and not the table? */
bool summary_counts(const Flow *flow, uint32_t callee, bool runtime);
/* The union over a group of calls; runtime: the caller is. Others: members that do not count by their
 * bodies. */
const PlaceSet *summary_group(Flow *flow, uint32_t group, bool runtime, bool write, FlowList *others);
/* What a described function does to runtime/'s own state, from its body; NULL while that is under way, in a
 * circle. */
const PlaceSet *summary_own(Flow *flow, uint32_t fn, bool write);
/* Everything that can be reached in memory from a points-to set: contents, or states, as a set of places. */
uint32_t summary_reached(Flow *flow, uint32_t points, bool states);
/* May a pointer of an input be found there, or in what is reached from there: behind the set, in these
 * places? */
bool summary_reaches_inputs(Flow *flow, uint32_t points);
bool summary_places_reach_inputs(Flow *flow, const PlaceSet *places);
uint32_t summary_stream(Flow *flow, uint32_t global); /* the standard stream that it is, 0 to 2; 3: none */
bool summary_streams_over_memory(Flow *flow); /* may the program make FILEs that hold memory of its own? */

#endif
