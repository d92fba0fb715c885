/* places.h - private to flow: sets of places under construction, and where an address in a function comes from. */
#ifndef SHEAF_FLOW_PLACES_H
#define SHEAF_FLOW_PLACES_H

#include "flow/points.h"

/* Kept sorted by param, object and first once places_close was called; before that, in order of addition. */
typedef Vec(FlowPlace) PlaceVec;
enum { PLACES_APART = 8 };                    /* ranges of one object that are kept apart */

void places_add(PlaceVec *set, uint32_t object, uint64_t first, uint64_t size);
void places_add_param(PlaceVec *set, uint32_t param, uint64_t first, uint64_t size);
void places_add_all(PlaceVec *set, FlowPlaces more);
void places_close(PlaceVec *set);             /* sorts, merges */
FlowPlaces places_keep(Flow *flow, PlaceVec *set);                     /* closes, copies into the Flow's memory, frees */

/* What an address is a sum of, in its function: one parameter and nothing else, or not. */
typedef enum OriginKind { ORIGIN_NONE, ORIGIN_PARAM, ORIGIN_PARAM_ANYWHERE, ORIGIN_OTHER } OriginKind;
typedef struct Origin {
    OriginKind kind;
    uint32_t param;
    int64_t offset;
} Origin;
const Origin *origins_of(Flow *flow, uint32_t fn);                     /* by register */

/* What something touches. */
typedef struct Touched {
    PlaceVec writes, reads;
    BitSet *states;                           /* if not NULL: states that are read are collected here, not in reads */
} Touched;

/* Bytes behind an address: contents, and the state of the objects. */
void places_behind(Flow *flow, uint32_t fn, uint32_t reg, uint64_t size, PlaceVec *out);
void places_state(Flow *flow, uint32_t fn, uint32_t reg, PlaceVec *out);
void touch_state(Flow *flow, uint32_t fn, uint32_t reg, Touched *out);         /* reads it */

/* modref_call.c */
void touch_call(Flow *flow, FlowSite at, Touched *out);
void touch_insn(Flow *flow, FlowSite at, Touched *out);
void touched_free(Touched *t);

#endif
