/* gauge.h - a library for tests of --emit c: types that the header shows, and one that it hides. */
#ifndef GAUGE_H
#define GAUGE_H
#include <stddef.h>

typedef struct Sample {
    short level;
    unsigned char flags : 3, unit : 5;
    double weight;
    struct Sample *next;
} Sample;

typedef struct Gauge Gauge; /* hidden */
typedef enum { GAUGE_LOW, GAUGE_HIGH } GaugeKind;
typedef struct Pair {
    int low;
    float high;
} Pair;

Sample *gauge_raise(Sample *s, int by);
GaugeKind gauge_kind(const Gauge *g, size_t limit);
Pair gauge_pair(Pair p, int swap);
char *gauge_text(const char *s);
int gauge_spread(const int *a, int n, int *least);
void gauge_end(int code);
void gauge_drop(Sample *s);

#endif
