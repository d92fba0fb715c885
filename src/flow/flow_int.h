/* flow_int.h - private to flow: the state behind the face. */
#ifndef SHEAF_FLOW_INT_H
#define SHEAF_FLOW_INT_H

#include "flow/flow.h"

struct Flow {
    const IrProgram *program;
    FlowOptions options;
    FlowStats stats;
    Arena *arena;                             /* results */
    FlowControl **control;                    /* by policy and function */
    Vec(FlowObject) objects;                  /* contents only: object id / 2 */
};

#endif
