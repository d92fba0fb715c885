#include "gauge.h"

#include <stdlib.h>
#include <string.h>

struct Gauge {
    int n;
    char *label;
    Sample *last;
};

Sample *gauge_raise(Sample *s, int by)
{
    if (!s)
        return NULL;
    if (by > 4)
        s->flags = 5;
    s->level = (short)(s->level + 1);
    s->weight = 0.5;
    return s->next ? s->next : s;
}

GaugeKind gauge_kind(const Gauge *g, size_t limit)
{
    return g && g->label && g->label[0] == 'h' && limit > 3 ? GAUGE_HIGH : GAUGE_LOW;
}

Pair gauge_pair(Pair p, int swap)
{
    if (swap == 7)
        p.high = (float)p.low;
    return p;
}

char *gauge_text(const char *s)
{
    char *copy = s ? malloc(strlen(s) + 9) : NULL; /* behind the text there is what malloc left */
    if (copy)
        strcpy(copy, s);
    return copy;
}

int gauge_spread(const int *a, int n, int *least)
{
    if (!a || !least || n < 2)
        return -1;
    *least = a[0] < a[1] ? a[0] : a[1];
    return a[0] > 0 ? a[n] : 0; /* a[n] is behind the array */
}

void gauge_end(int code)
{
    if (code == 3)
        exit(4);
}

void gauge_drop(Sample *s) { free(s); }

static int gauge_inner(Pair p) { return p.low > 2 ? 1 : 0; }
int gauge_outer(int x) { return gauge_inner((Pair){x, 0}); }
