/* budget.c - time, memory and the wish to stop, for one call. */
#include "solver/solver_int.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };
static const double memory_interval = 0.02;   /* reading the size costs some microseconds */

static size_t resident_bytes(void)
{
    char text[128];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = 0;
    unsigned long total, resident;
    return sscanf(text, "%lu %lu", &total, &resident) == 2 ? resident * (size_t)PAGE_BYTES : 0;
}

void budget_start(Budget *b, double seconds, size_t bytes, const volatile bool *stop)
{
    double now = clock_seconds();
    *b = (Budget){ .deadline = seconds > 0 ? now + seconds : INFINITY, .bytes = bytes, .memory_looked = now, .stop = stop };
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
    if (now >= b->deadline) {
        b->spent = SOLVER_REASON_TIME;
    } else if (b->bytes && now - b->memory_looked > memory_interval) {
        size_t resident = resident_bytes();
        b->memory_looked = now;
        if (!b->bytes_at_start)               /* most queries end before this: asking costs more than they do */
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
        double now = clock_seconds();
        part.deadline = now + (b->deadline - now) * share;
    }
    return part;
}
