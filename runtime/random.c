/* random.c - the pseudo-random generators of stdlib.h, number for number those of glibc. */
#include <stdlib.h>
#include <sys/random.h>

#include "internal.h"

/* random: additive feedback over a ring of `degree` words, the sum of two that are `separation` apart; kind 0
 * is a linear congruence. The word before the ring keeps the kind and the place while the state is not in
 * use. */
enum { KINDS = 5 };
static const int degrees[KINDS] = {0, 7, 15, 31, 63};
static const int separations[KINDS] = {0, 3, 1, 3, 1};

static void save_place(struct random_data *r)
{
    r->state[-1] = r->rand_type == 0 ? 0 : (int32_t)(KINDS * (r->rptr - r->state)) + r->rand_type;
}

static void set_kind(struct random_data *r, int32_t *state, int kind)
{
    r->rand_type = kind;
    r->rand_deg = degrees[kind];
    r->rand_sep = separations[kind];
    r->state = state;
    r->end_ptr = state + degrees[kind];
}

static int32_t next_random(struct random_data *r)
{
    if (r->rand_type == 0) {
        r->state[0] = (int32_t)(((uint32_t)r->state[0] * 1103515245u + 12345u) & 0x7fffffff);
        return r->state[0];
    }
    uint32_t sum = (uint32_t)*r->fptr + (uint32_t)*r->rptr;
    *r->fptr = (int32_t)sum;
    r->fptr = r->fptr + 1 == r->end_ptr ? r->state : r->fptr + 1;
    r->rptr = r->rptr + 1 == r->end_ptr ? r->state : r->rptr + 1;
    return (int32_t)(sum >> 1);
}

static void seed_random(struct random_data *r, unsigned seed)
{
    int32_t word = seed == 0 ? 1 : (int32_t)seed;
    r->state[0] = word;
    if (r->rand_type == 0)
        return;
    for (int i = 1; i < r->rand_deg; i++) { /* 16807 * word mod 2^31 - 1, without a longer product */
        word = 16807 * (word % 127773) - 2836 * (word / 127773);
        word += word < 0 ? 2147483647 : 0;
        r->state[i] = word;
    }
    r->fptr = r->state + r->rand_sep;
    r->rptr = r->state;
    for (int i = 0; i < 10 * r->rand_deg; i++)
        next_random(r);
}

static int kind_of_size(size_t n)
{
    return n >= 256 ? 4 : n >= 128 ? 3 : n >= 64 ? 2 : n >= 32 ? 1 : n >= 8 ? 0 : -1;
}

static int start_state(unsigned seed, char *state, size_t n, struct random_data *r)
{
    int kind = kind_of_size(n);
    if (kind < 0) {
        errno = EINVAL;
        return -1;
    }
    if (r->state)
        save_place(r);
    set_kind(r, (int32_t *)state + 1, kind);
    seed_random(r, seed);
    save_place(r);
    return 0;
}

static int change_state(char *state, struct random_data *r)
{
    int32_t *ring = (int32_t *)state + 1;
    save_place(r); /* it may be the same state again */
    int kind = ring[-1] % KINDS, place = ring[-1] / KINDS;
    if (kind < 0 || place < 0) {
        errno = EINVAL;
        return -1;
    }
    set_kind(r, ring, kind);
    if (kind != 0) {
        r->rptr = ring + place;
        r->fptr = ring + (place + r->rand_sep) % r->rand_deg;
    }
    return 0;
}

int random_r(struct random_data *restrict r, int32_t *restrict out)
{
    *out = next_random(r);
    return 0;
}

int srandom_r(unsigned seed, struct random_data *r)
{
    seed_random(r, seed);
    return 0;
}

int initstate_r(unsigned seed, char *restrict state, size_t n, struct random_data *restrict r)
{
    return start_state(seed, state, n, r);
}

int setstate_r(char *restrict state, struct random_data *restrict r) { return change_state(state, r); }

/* The generator behind random and rand: seeded with 1 before its first use. */
static struct random_data *common(void)
{
    static int32_t ring[32];
    static struct random_data data;
    if (!data.state)
        start_state(1, (char *)ring, sizeof ring, &data);
    return &data;
}

/* With --env rand: in which order numbers were drawn and generators seeded, mixed into one number. Versions
 * that differ in it would go on with other numbers. */
static unsigned long random_history;

static void note_seed(void) { random_history = random_history * 1000003 + 7919; }

/* With --env rand: any number from `least` to `most`. */
static bool any_number(long *out, const char *name, long least, long most)
{
    if (!__sheaf_environment(ENV_RAND, out, sizeof *out, name))
        return false;
    __sheaf_assume((*out >= least) & (*out <= most));
    random_history++;
    return true;
}

static void seed_common(unsigned seed)
{
    seed_random(common(), seed);
    note_seed();
}

long random(void)
{
    long number;
    return any_number(&number, "env.random", 0, RAND_MAX) ? number : next_random(common());
}

void srandom(unsigned seed) { seed_common(seed); }

char *initstate(unsigned seed, char *state, size_t n)
{
    struct random_data *r = common();
    char *before = (char *)(r->state - 1);
    return start_state(seed, state, n, r) == 0 ? before : NULL;
}

char *setstate(char *state)
{
    struct random_data *r = common();
    char *before = (char *)(r->state - 1);
    return change_state(state, r) == 0 ? before : NULL;
}

int rand(void)
{
    long number;
    return any_number(&number, "env.rand", 0, RAND_MAX) ? (int)number : next_random(common());
}

void srand(unsigned seed) { seed_common(seed); }

int rand_r(unsigned *seed)
{
    static const unsigned widths[3] = {2048, 1024, 1024};
    unsigned next = *seed, result = 0;
    for (int i = 0; i < 3; i++) {
        next = next * 1103515245u + 12345u;
        result = (result << 10) ^ (next / 65536 % widths[i]);
    }
    *seed = next;
    return (int)result;
}

/* drand48: a linear congruence of 48 bits. */
static struct drand48_data drand_data;

static uint64_t word_of(const unsigned short x[3])
{
    return (uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0];
}

static void words_from(unsigned short x[3], uint64_t value)
{
    x[0] = (unsigned short)value;
    x[1] = (unsigned short)(value >> 16);
    x[2] = (unsigned short)(value >> 32);
}

static void reset_constants(struct drand48_data *d)
{
    d->__a = 0x5deece66dull;
    d->__c = 0xb;
    d->__init = 1;
}

static uint64_t next48(unsigned short x[3], struct drand48_data *d)
{
    if (!d->__init)
        reset_constants(d);
    uint64_t value = (word_of(x) * d->__a + d->__c) & 0xffffffffffffull;
    words_from(x, value);
    return value;
}

static double unit(uint64_t value) { return (double)value * 0x1p-48; }

double drand48(void)
{
    long number;
    if (any_number(&number, "env.drand48", 0, (1l << 48) - 1))
        return unit((uint64_t)number);
    return unit(next48(drand_data.__x, &drand_data));
}

double erand48(unsigned short x[3]) { return unit(next48(x, &drand_data)); }

long lrand48(void)
{
    long number;
    if (any_number(&number, "env.lrand48", 0, INT_MAX))
        return number;
    return (long)(next48(drand_data.__x, &drand_data) >> 17);
}

long nrand48(unsigned short x[3]) { return (long)(next48(x, &drand_data) >> 17); }

long mrand48(void)
{
    long number;
    if (any_number(&number, "env.mrand48", INT_MIN, INT_MAX))
        return number;
    return (int32_t)(next48(drand_data.__x, &drand_data) >> 16);
}

long jrand48(unsigned short x[3]) { return (int32_t)(next48(x, &drand_data) >> 16); }

int srand48_r(long seed, struct drand48_data *d)
{
    words_from(d->__x, (uint64_t)(uint32_t)seed << 16 | 0x330e);
    reset_constants(d);
    return 0;
}

void srand48(long seed)
{
    srand48_r(seed, &drand_data);
    note_seed();
}

unsigned short *seed48(unsigned short seed[3])
{
    __builtin_memcpy(drand_data.__old_x, drand_data.__x, sizeof drand_data.__x);
    __builtin_memcpy(drand_data.__x, seed, sizeof drand_data.__x);
    reset_constants(&drand_data);
    return drand_data.__old_x;
}

void lcong48(unsigned short p[7])
{
    __builtin_memcpy(drand_data.__x, p, sizeof drand_data.__x);
    drand_data.__a = word_of(p + 3);
    drand_data.__c = p[6];
    drand_data.__init = 1;
}

int drand48_r(struct drand48_data *restrict d, double *restrict out)
{
    *out = unit(next48(d->__x, d));
    return 0;
}

int lrand48_r(struct drand48_data *restrict d, long *restrict out)
{
    *out = (long)(next48(d->__x, d) >> 17);
    return 0;
}

int mrand48_r(struct drand48_data *restrict d, long *restrict out)
{
    *out = (int32_t)(next48(d->__x, d) >> 16);
    return 0;
}

/* The kernel's random bytes: a run must be repeatable, so these come from a generator with a fixed seed, or
 * are inputs. */
static void fill_random(void *buffer, size_t n, const char *name)
{
    if (__sheaf_environment(ENV_ENTROPY, buffer, n, name))
        return;
    static uint64_t state = 0x9e3779b97f4a7c15ull;
    unsigned char *p = buffer;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        p[i] = (unsigned char)(state >> 56);
    }
}

ssize_t getrandom(void *buffer, size_t n, unsigned flags)
{
    (void)flags;
    fill_random(buffer, n, "env.getrandom");
    return (ssize_t)n;
}

int getentropy(void *buffer, size_t n)
{
    if (n > 256) {
        errno = EIO;
        return -1;
    }
    fill_random(buffer, n, "env.getentropy");
    return 0;
}

uint32_t arc4random(void)
{
    uint32_t value;
    fill_random(&value, sizeof value, "env.arc4random");
    return value;
}

void arc4random_buf(void *buffer, size_t n) { fill_random(buffer, n, "env.arc4random_buf"); }

uint32_t arc4random_uniform(uint32_t bound)
{
    uint32_t value;
    fill_random(&value, sizeof value, "env.arc4random_uniform");
    return bound ? value % bound : 0;
}

int erand48_r(unsigned short x[3], struct drand48_data *restrict d, double *restrict out)
{
    *out = unit(next48(x, d));
    return 0;
}

int nrand48_r(unsigned short x[3], struct drand48_data *restrict d, long *restrict out)
{
    *out = (long)(next48(x, d) >> 17);
    return 0;
}

int jrand48_r(unsigned short x[3], struct drand48_data *restrict d, long *restrict out)
{
    *out = (int32_t)(next48(x, d) >> 16);
    return 0;
}

int seed48_r(unsigned short seed[3], struct drand48_data *d)
{
    __builtin_memcpy(d->__old_x, d->__x, sizeof d->__x);
    __builtin_memcpy(d->__x, seed, sizeof d->__x);
    reset_constants(d);
    return 0;
}
