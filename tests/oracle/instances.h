/* instances.h - decisions of runs as the static analysis names them: see instances.c. */
#ifndef SHEAF_ORACLE_INSTANCES_H
#define SHEAF_ORACLE_INSTANCES_H

#include "flow/flow.h"
#include "vm/vm.h"

typedef Vec(FlowIteration) FlowIterationVec;

/* An activation: the calls from the entry's outermost frame on, and the loops around them. */
typedef struct Place {
    bool made, known, after; /* known: it is below the entry; after: below the exit that follows it */
    uint32_t depth, niterations;
    FlowSite *calls;
    FlowIteration *iterations;
} Place;

typedef struct Instances {
    const Vm *vm;
    FlowInfluence *influence;
    uint32_t entry, exit;
    Arena *arena;
    Vec(Place) places; /* by VmPath */
    Map found;         /* hash of activation, instruction and kind to item */
} Instances;

void instances_init(Instances *s, const Vm *vm, const IrProgram *program, FlowInfluence *influence);
void instances_free(Instances *s);
/* The decision, with the loops around it, outermost first, in `out`, which it points into. */
FlowInstance instance_of(Instances *s, const VmDecision *d, const VmLoopCount *loops, FlowIterationVec *out);

#endif
