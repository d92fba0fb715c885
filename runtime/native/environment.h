/* environment.h - libc's functions that --env makes inputs of: allocation, time, identity, randomness,
 * variables, read. Part of replay.c. */

/* Linked with -Wl,--wrap=malloc and so on, the program's calls come here first. What the test does not hold
 * is the system's. */
static bool sheaf_replay_environment(void *to, size_t size, const char *name)
{
    if (!sheaf_replay.running || sheaf_replay.own)
        return false;
    sheaf_replay_load();
    for (unsigned i = 0; i < sheaf_replay.n; i++)
        if (sheaf_replay_is(&sheaf_replay.objects[i], "call") &&
            sheaf_replay_same_name(sheaf_replay.objects[i].name, name)) {
            sheaf_replay_input(to, size, name);
            return true;
        }
    return false;
}

static void sheaf_replay_stop(void) { sheaf_replay.running = false; }

SHEAF_WEAK int __real_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp);
SHEAF_WEAK int __wrap_main(int argc, char **argv, char **envp)
{
    atexit(sheaf_replay_stop); /* runs behind the program's own handlers */
    sheaf_replay.running = true;
    return __real_main(argc, argv, envp);
}

static bool sheaf_replay_fails(const char *name)
{
    unsigned char failed = 0;
    if (!sheaf_replay_environment(&failed, sizeof failed, name) || !failed)
        return false;
    errno = ENOMEM;
    return true;
}

#define SHEAF_WRAP(type, name, parameters)    \
    SHEAF_WEAK type __real_##name parameters; \
    type __wrap_##name parameters;            \
    SHEAF_WEAK type __wrap_##name parameters
#define SHEAF_ALLOCATOR(name, parameters, arguments)                              \
    SHEAF_WRAP(void *, name, parameters)                                          \
    {                                                                             \
        return sheaf_replay_fails("env." #name) ? NULL : __real_##name arguments; \
    }
SHEAF_ALLOCATOR(malloc, (size_t size), (size))
SHEAF_ALLOCATOR(calloc, (size_t n, size_t size), (n, size))
SHEAF_ALLOCATOR(memalign, (size_t align, size_t size), (align, size))
SHEAF_ALLOCATOR(aligned_alloc, (size_t align, size_t size), (align, size))
SHEAF_ALLOCATOR(valloc, (size_t size), (size))
SHEAF_ALLOCATOR(pvalloc, (size_t size), (size))
SHEAF_ALLOCATOR(strdup, (const char *s), (s))
SHEAF_ALLOCATOR(__strdup, (const char *s), (s))
SHEAF_ALLOCATOR(strndup, (const char *s, size_t n), (s, n))
SHEAF_ALLOCATOR(__strndup, (const char *s, size_t n), (s, n))
SHEAF_WRAP(void *, realloc, (void *p, size_t size))
{
    return (!p || size) && sheaf_replay_fails("env.realloc") ? NULL : __real_realloc(p, size);
}
SHEAF_WRAP(void *, reallocarray, (void *p, size_t n, size_t size))
{
    return (!p || (n && size)) && sheaf_replay_fails("env.reallocarray") ? NULL
                                                                         : __real_reallocarray(p, n, size);
}
SHEAF_WRAP(int, posix_memalign, (void **out, size_t align, size_t size))
{
    int before = errno, failed = sheaf_replay_fails("env.posix_memalign");
    errno = before;
    return failed ? ENOMEM : __real_posix_memalign(out, align, size);
}

SHEAF_WRAP(time_t, time, (time_t * out))
{
    time_t now;
    if (!sheaf_replay_environment(&now, sizeof now, "env.time"))
        return __real_time(out);
    if (out)
        *out = now;
    return now;
}
SHEAF_WRAP(clock_t, clock, (void))
{
    clock_t now;
    return sheaf_replay_environment(&now, sizeof now, "env.clock") ? now : __real_clock();
}
SHEAF_WRAP(int, clock_gettime, (clockid_t which, struct timespec *out))
{
    return sheaf_replay_environment(out, sizeof *out, "env.clock_gettime") ? 0
                                                                           : __real_clock_gettime(which, out);
}
SHEAF_WRAP(int, gettimeofday, (struct timeval * out, void *zone))
{
    return sheaf_replay_environment(out, sizeof *out, "env.gettimeofday") ? 0
                                                                          : __real_gettimeofday(out, zone);
}

#define SHEAF_IDENTITY(name)                                                         \
    SHEAF_WRAP(int, name, (void))                                                    \
    {                                                                                \
        static int value, asked;                                                     \
        if (!asked && !sheaf_replay_environment(&value, sizeof value, "env." #name)) \
            return __real_##name();                                                  \
        asked = 1;                                                                   \
        return value;                                                                \
    }
SHEAF_IDENTITY(getpid)
SHEAF_IDENTITY(getppid)
SHEAF_IDENTITY(getuid)
SHEAF_IDENTITY(geteuid)
SHEAF_IDENTITY(getgid)
SHEAF_IDENTITY(getegid)

#define SHEAF_NUMBER(type, name)                                                                             \
    SHEAF_WRAP(type, name, (void))                                                                           \
    {                                                                                                        \
        long value;                                                                                          \
        return sheaf_replay_environment(&value, sizeof value, "env." #name) ? (type)value : __real_##name(); \
    }
SHEAF_NUMBER(int, rand)
SHEAF_NUMBER(long, random)
SHEAF_NUMBER(long, lrand48)
SHEAF_NUMBER(long, mrand48)
SHEAF_WRAP(double, drand48, (void))
{
    long value;
    return sheaf_replay_environment(&value, sizeof value, "env.drand48") ? (double)value * 0x1p-48
                                                                         : __real_drand48();
}
SHEAF_WRAP(ssize_t, getrandom, (void *out, size_t n, unsigned flags))
{
    return sheaf_replay_environment(out, n, "env.getrandom") ? (ssize_t)n : __real_getrandom(out, n, flags);
}
SHEAF_WRAP(int, getentropy, (void *out, size_t n))
{
    return n <= 256 && sheaf_replay_environment(out, n, "env.getentropy") ? 0 : __real_getentropy(out, n);
}
SHEAF_WRAP(uint32_t, arc4random, (void))
{
    uint32_t value;
    return sheaf_replay_environment(&value, sizeof value, "env.arc4random") ? value : __real_arc4random();
}
SHEAF_WRAP(uint32_t, arc4random_uniform, (uint32_t bound))
{
    uint32_t value;
    if (!sheaf_replay_environment(&value, sizeof value, "env.arc4random_uniform"))
        return __real_arc4random_uniform(bound);
    return bound ? value % bound : 0;
}
SHEAF_WRAP(void, arc4random_buf, (void *out, size_t n))
{
    if (!sheaf_replay_environment(out, n, "env.arc4random_buf"))
        __real_arc4random_buf(out, n);
}

/* A variable is asked for once: absent, or a value of up to 8 bytes. If the program sets it later, that is
 * its value. */
typedef struct SheafReplayVariable {
    struct SheafReplayVariable *next;
    const char *before; /* what the system had when it was asked for */
    char *name, set, value[9];
} SheafReplayVariable;

static char *sheaf_replay_variable(char *now, const char *name, const char *function)
{
    static SheafReplayVariable *all;
    char label[64], input[9];
    for (SheafReplayVariable *v = all; v; v = v->next)
        if (!strcmp(v->name, name))
            return now != v->before ? now : v->set ? v->value : NULL;
    snprintf(label, sizeof label, "env.%s.%s", function, name);
    if (!sheaf_replay_environment(input, sizeof input, label))
        return now;
    sheaf_replay.own++;
    SheafReplayVariable *v = calloc(1, sizeof *v);
    if (!v || !(v->name = strdup(name)))
        abort();
    sheaf_replay.own--;
    v->before = now;
    v->set = input[0];
    memcpy(v->value, input + 1, 8);
    v->next = all;
    all = v;
    return v->set ? v->value : NULL;
}

static bool sheaf_replay_is_ours(const char *name)
{
    return !strncmp(name, "SHEAF_", 6) || !strcmp(name, "KTEST_FILE");
}

SHEAF_WRAP(char *, getenv, (const char *name))
{
    char *value = __real_getenv(name);
    return sheaf_replay_is_ours(name) ? value : sheaf_replay_variable(value, name, "getenv");
}
SHEAF_WRAP(char *, secure_getenv, (const char *name))
{
    char *value = __real_secure_getenv(name);
    return sheaf_replay_variable(value, name, "secure_getenv");
}

SHEAF_WRAP(ssize_t, read, (int fd, void *out, size_t n))
{
    unsigned char outcome = 0; /* 1: fails, 2: one byte */
    if (sheaf_replay_environment(&outcome, sizeof outcome, "env.read") && outcome == 1) {
        errno = EIO;
        return -1;
    }
    return __real_read(fd, out, outcome == 2 && n > 1 ? 1 : n);
}
