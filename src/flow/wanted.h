/* wanted.h - private to flow: bytes of memory that may be read before they are written. */
#ifndef SHEAF_FLOW_WANTED_H
#define SHEAF_FLOW_WANTED_H

#include "flow/places.h"

/* ---- sets of bytes (spans.c) ------------------------------------------------------------------- */

/* Bytes first ... end - 1 of a root (bases.h). */
typedef struct Span {
    uint32_t root;
    int64_t first, end; /* INT64_MIN, INT64_MAX: without bound */
} Span;
typedef Vec(Span) Spans; /* sorted, apart */

void spans_add(Spans *s, Span x);
void spans_copy(Spans *to, const Spans *from);
void spans_unite(Spans *s, const Spans *with);
void spans_remove(Spans *s, const Spans *less);
void spans_intersect(Spans *s, const Spans *with);
bool spans_same(const Spans *a, const Spans *b);
bool spans_have_root(const Spans *s, uint32_t root);
Span span_moved(Span x, uint32_t root, int64_t by);
Span span_whole(uint32_t root);

/* ---- at a point of a function (wanted.c) --------------------------------------------------------- */

/* Of what the function does from the point on until it returns: bytes that it may read before they are
 * written; bytes that it writes in any case. */
typedef struct Want {
    Spans reads, written;
    bool never; /* it does not return: all is written */
} Want;

typedef struct WantedFn {
    const Base *bases; /* by register */
    Want *in;          /* by block: at its beginning */
    bool made;
    bool opaque; /* given up: all memory may be read at any point */
} WantedFn;

struct Wanted {
    WantedFn *fns; /* by function */
    uint64_t steps;
};
typedef Vec(FlowWanted) WantedVec;

const WantedFn *wanted_fn(Flow *flow, uint32_t fn); /* of the user's, defined */
/* Before the instruction, or behind it. */
void want_at(Flow *flow, FlowSite at, bool behind, Want *out);
void want_free(Want *w);
/* All that may be behind the register, as classes and globals. */
void want_behind(Flow *flow, uint32_t fn, uint32_t reg, Span bytes, Spans *out);
void want_places(Flow *flow, FlowPlaces places, Spans *out);
void wanted_free(struct Flow *flow);

#endif
