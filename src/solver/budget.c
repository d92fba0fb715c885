/* budget.c - time, memory and the wish to stop, for one call. */
#include "solver/solver_int.h"

#include <math.h>

static const double memory_interval = 0.02; /* reading the size costs some microseconds */

/* Processor time passes no faster than time does, and to ask for it is a system call: it is asked for when it
 * may be up. */
static void set_deadline(Budget *b, double now, double processor)
{
    b->deadline = now + (b->processor_end - processor);
    if (b->until < b->deadline)
        b->deadline = b->until;
}

void budget_start(Budget *b, double seconds, double until, size_t bytes, const volatile bool *stop)
{
    double now = clock_seconds(), processor = seconds > 0 ? clock_processor_seconds() : 0;
    *b = (Budget){.until = until > 0 ? until : INFINITY,
                  .processor_end = seconds > 0 ? processor + seconds : INFINITY,
                  .bytes = bytes,
                  .memory_looked = now,
                  .stop = stop};
    set_deadline(b, now, processor);
}

static bool time_is_up(Budget *b, double now)
{
    if (now < b->deadline)
        return false;
    double processor = clock_processor_seconds();
    set_deadline(b, now, processor);
    return now >= b->until || processor >= b->processor_end;
}

bool budget_spent(Budget *b)
{
    if (b->spent != SOLVER_REASON_NONE)
        return true;
    if (b->stop && *b->stop) {
        b->spent = SOLVER_REASON_STOPPED;
        return true;
    }
    double now = clock_seconds();
    if (time_is_up(b, now)) {
        b->spent = SOLVER_REASON_TIME;
    } else if (b->bytes && now - b->memory_looked > memory_interval) {
        size_t resident = memory_resident();
        b->memory_looked = now;
        if (!b->bytes_at_start) /* most queries end before this: asking costs more than they do */
            b->bytes_at_start = resident;
        else if (resident > b->bytes_at_start + b->bytes)
            b->spent = SOLVER_REASON_MEMORY;
    }
    return b->spent != SOLVER_REASON_NONE;
}

Budget budget_part(const Budget *b, double share)
{
    Budget part = *b;
    if (isfinite(b->deadline)) {
        double now = clock_seconds(), processor = clock_processor_seconds();
        part.until = now + (b->until - now) * share;
        part.processor_end = processor + (b->processor_end - processor) * share;
        set_deadline(&part, now, processor);
    }
    return part;
}
