/* plot.h - private to cli: lines in a diagram, as SVG. */
#ifndef SHEAF_CLI_PLOT_H
#define SHEAF_CLI_PLOT_H

#include "base/base.h"

typedef struct PlotPoint {
    double x, y; /* x above zero; y a whole number from zero on */
} PlotPoint;

typedef struct PlotLine {
    const char *name, *colour;
    const char *dashes;    /* of SVG; NULL: none */
    Vec(PlotPoint) points; /* x ascending; drawn as steps */
} PlotLine;

/* x is logarithmic. Texts may hold any characters. `if_empty` is said where no line rises above zero. */
void plot_svg(const char *title, const char *x_name, const char *y_name, const PlotLine *lines, uint32_t n,
              const char *if_empty, Str *out);

#endif
