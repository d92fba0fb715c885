/* plot.h - private to cli: lines in a diagram, as SVG. */
#ifndef SHEAF_CLI_PLOT_H
#define SHEAF_CLI_PLOT_H

#include "base/base.h"

typedef struct PlotPoint {
    double x, y;                              /* x above zero */
} PlotPoint;

typedef struct PlotLine {
    const char *name, *colour;
    const char *dashes;                       /* of SVG; NULL: none */
    Vec(PlotPoint) points;                    /* x ascending; drawn as steps */
} PlotLine;

/* x is logarithmic. Texts may hold any characters. */
void plot_svg(const char *title, const char *x_name, const char *y_name, const PlotLine *lines, uint32_t n,
              Str *out);

#endif
