/* influence.h - the part of flow.h for data dependence, slices and influence; flow.h includes it at its end. */
#ifndef SHEAF_FLOW_INFLUENCE_H
#define SHEAF_FLOW_INFLUENCE_H

#endif
