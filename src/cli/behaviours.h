/* behaviours.h - private to cli: the distinct behaviours that runs show, so that explorers can be held
 * against each other.
 *
 * A behaviour is a way in which something that matters comes about: a place together with the conditions
 * that what happens there depends on (its label) and what held there. What matters are the fault checks
 * and failing ends for `dependence`, what is observed at the end of a run for other explorers, both or
 * every decision where the sinks say so. Runs of different explorations are compared by conditions brought
 * into one pool; they need labels of one policy (ExploreOptions.labels_of). */
#ifndef SHEAF_CLI_BEHAVIOURS_H
#define SHEAF_CLI_BEHAVIOURS_H

#include "explore/explore.h"

typedef struct Behaviours {
    unsigned what;    /* counts */
    ExprPool *common; /* of the conditions of all explorations; not owned */
    const ExprPool *from;
    ExprImport *import; /* from there to common */
    Map seen;
    struct {
        U32Vec ids;      /* of each decision's condition, in common */
        Map last;        /* id to the label that it was counted in last */
        uint64_t labels; /* counted so far */
    } run;
} Behaviours;

/* Of an exploration whose behaviours are what matters to this explorer with these options. */
void behaviours_begin(Behaviours *b, ExprPool *common, const ExploreOptions *of);
void behaviours_note(Behaviours *b, const ExploreRun *run);
/* How many of `b` are in `other`. */
uint64_t behaviours_common(const Behaviours *b, const Behaviours *other);
void behaviours_free(Behaviours *b);

/* Does the explorer keep labels by itself? */
static inline bool behaviours_labelled(const char *explorer)
{
    return strcmp(explorer, "full") && strcmp(explorer, "states");
}

#endif
