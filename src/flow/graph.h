/* graph.h - graphs as flow calls them. Private to flow. */
#ifndef SHEAF_FLOW_GRAPH_H
#define SHEAF_FLOW_GRAPH_H

#include "flow/flow.h"

typedef GraphEdge Edge;
typedef GraphEdges EdgeVec;

#endif
