/* misc.c - messages, random numbers, the clock. */
#include "base/base.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/sanitizer.h"

/* ---- messages -------------------------------------------------------------------------------- */

/* The line goes out in one write, so that lines of several processes do not mix. No allocation: the heap may
 * be the very thing that is broken or used up. A longer message is cut. */
static void say(const char *prefix, const char *fmt, va_list args)
{
    char line[4096];
    size_t room = sizeof line - 1; /* for the end of the line */
    int n = snprintf(line, room, "sheaf: %s", prefix);
    size_t at = n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
    n = vsnprintf(line + at, room - at, fmt, args);
    at += n < 0 ? 0 : (size_t)n < room - at ? (size_t)n : room - at - 1;
    line[at++] = '\n';
    fflush(stdout); /* what was said before stands before */
    fwrite(line, 1, at, stderr);
}

/* Who dies frees nothing; the leak check must not turn its exit status into another. */
#if UNDER_ASAN
static volatile int dying;
int __lsan_is_turned_off(void) { return dying; }
static void leak_check_skip(void) { dying = 1; }
#else
static void leak_check_skip(void) {}
#endif

void die(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("", fmt, args);
    va_end(args);
    leak_check_skip();
    exit(EXIT_USAGE);
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
    char prefix[256];
    va_list args;
    snprintf(prefix, sizeof prefix, "bug at %s:%d: ", file, line);
    va_start(args, fmt);
    say(prefix, fmt, args);
    va_end(args);
    if (getenv("SHEAF_ABORT"))
        abort();
    leak_check_skip();
    exit(EXIT_BUG);
}

void warn(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("warning: ", fmt, args);
    va_end(args);
}

/* ---- random numbers -------------------------------------------------------------------------- */

static inline uint64_t rotated(uint64_t x, unsigned by) { return x << by | x >> (64 - by); }

/* The state is filled by a counter run through a mixer that maps 64-bit words one to one; two equal words can
 * not follow each other, so the state is never all zero, from which the generator would not move. */
void rng_seed(Rng *r, uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++)
        r->state[i] = hash_u64(seed += 0x9e3779b97f4a7c15u);
}

/* xoshiro256**, of Blackman and Vigna. */
uint64_t rng_next(Rng *r)
{
    uint64_t *s = r->state;
    uint64_t result = rotated(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotated(s[3], 45);
    return result;
}

/* The high half of limit * random is uniform once the low halves that come up too often are thrown away. */
uint64_t rng_below(Rng *r, uint64_t limit)
{
    if (!limit)
        bug("a random number below 0");
    u128 product = (u128)rng_next(r) * limit;
    if ((uint64_t)product < limit)
        for (uint64_t least = -limit % limit; (uint64_t)product < least;)
            product = (u128)rng_next(r) * limit;
    return (uint64_t)(product >> 64);
}

/* ---- time and memory ------------------------------------------------------------------------- */

static double clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clock_seconds(void) { return clock_read(CLOCK_MONOTONIC); }
double clock_processor_seconds(void) { return clock_read(CLOCK_PROCESS_CPUTIME_ID); }

size_t memory_resident(void)
{
    enum { PAGE_BYTES = 4096 };
    char text[128];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    unsigned long total, resident;
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return 0;
    text[n] = 0;
    return sscanf(text, "%lu %lu", &total, &resident) == 2 ? resident * (size_t)PAGE_BYTES : 0;
}
