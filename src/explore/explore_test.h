/* explore_test.h - for tests of explore: leaves rules out, to see that a test finds the difference, and
 * schedules lanes. No part of the face. */
#ifndef SHEAF_EXPLORE_TEST_H
#define SHEAF_EXPLORE_TEST_H

#include "explore/explore.h"

/* Rules of `dependence`. */
enum {
    EXPLORE_OFF_ORDER = 1,  /* decisions of a set are negated in the order of the run */
    EXPLORE_OFF_SINKS = 2,  /* nothing that a check depends on is explored, beyond decisions */
    EXPLORE_OFF_GUARDS = 4, /* nor how it comes about that a sink is reached */
    EXPLORE_OFF_FLIPS = 8,  /* each decision is tried under its label alone */
    EXPLORE_OFF_LANE = 16   /* the lane beside it begins without its first task */
};

typedef struct ExploreTest {
    unsigned rules_off;
    uint64_t beside_after; /* runs before the lane beside it begins; 0: as without a test */
    uint64_t apart_after;  /* runs before that lane has a process of its own; 0: the same */
    /* For measurements: a task was done, in so many seconds of processor time. Runs are named by addresses,
     * which may be used again when nothing pending follows from a run any more. */
    void (*on_task)(void *context, const void *parent, const void *run, double seconds);
    bool waits;     /* the first lane waits for the process of the second */
    bool progress;  /* on_progress is called as often as can be */
    bool weighs;    /* after each task: are the weights of all tasks, pending and done, the whole? */
    unsigned kills; /* workers that are killed at random moments */
    bool pauses;    /* workers make checkpoints often */
    unsigned turns; /* if so: so many runs by turns */
} ExploreTest;

/* As explore_new. */
Explore *explore_new_test(const IrProgram *program, const VmEnvironment *environment,
                          const ExploreOptions *options, const ExploreTest *test);

#endif
