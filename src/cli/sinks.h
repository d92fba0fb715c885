/* sinks.h - --sinks of `sheaf test`: what the explorer `dependence` looks for. */
#ifndef SHEAF_CLI_SINKS_H
#define SHEAF_CLI_SINKS_H

#include "explore/explore.h"

/* Each list has words parted by commas: faults, outputs, all, FILE:LINE; what counts is their union. Fills in
 * sinks and sink_sites of the options, which stay as they are without a list; the sites are in the arena.
 * die()s on a word that is none, and on a line without code. */
void sinks_read(const StrVec *lists, const IrProgram *program, Arena *arena, ExploreOptions *out);

/* Which test was kept of which run. */
typedef struct RunTests {
    Map index; /* run to its place in `paths` */
    StrVec paths;
} RunTests;

/* --explain-pruning: what was left out, and why. The text has the first ones. */
void sinks_pruned_text(const Explore *x, const RunTests *tests, Str *out);
void sinks_pruned_json(const Explore *x, const RunTests *tests, JsonOut *json);

#endif
