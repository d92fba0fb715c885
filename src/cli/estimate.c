/* estimate.c - see estimate.h. */
#include "cli/estimate.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

void estimate_note(Estimate *e, double seconds, double part)
{
    if (!e->begun)
        *e = (Estimate){.begun = true, .began = seconds, .from = part, .part = part};
    e->seconds = seconds;
    e->part = part > e->part ? part : e->part;
}

double estimate_left(const Estimate *e)
{
    static const double least_seconds = 3, least_part = 0.01;
    double took = e->seconds - e->began, explored = e->part - e->from;
    return took >= least_seconds && explored >= least_part ? took * (1 - e->part) / explored : -1;
}

static unsigned long long in_units(double seconds, unsigned unit)
{
    return (unsigned long long)(seconds / unit + 0.5);
}

/* No more digits than an estimate has. */
static void add_time(double seconds, Str *out)
{
    if (seconds < 1.5 * MINUTE)
        str_printf(out, "%llu s", seconds < 1 ? 1 : in_units(seconds, 1));
    else if (seconds < 1.5 * HOUR)
        str_printf(out, "%llu min", in_units(seconds, MINUTE));
    else if (seconds < 2 * DAY)
        str_printf(out, "%llu h", in_units(seconds, HOUR));
    else
        str_printf(out, "%llu days", in_units(seconds, DAY));
}

void estimate_text(const Estimate *e, double limit, Str *out)
{
    double left = e->part < 1 ? estimate_left(e) : -1;
    bool limited = limit >= 0 && (left < 0 || limit < left);
    str_printf(out, "%u %% explored", (unsigned)(100 * e->part));
    if (e->part >= 1) /* Explorer.more: how long that takes is not known */
        str_add(out, ", looking for what is missing");
    if (left >= 0 && !limited) {
        str_add(out, ", about ");
        add_time(left, out);
        str_add(out, " left");
    }
    if (limited) {
        str_add(out, ", ");
        add_time(limit, out);
        str_add(out, " to --max-time");
    }
}
