/* harness.h - the functions of <sheaf.h>. Part of replay.c. */

void sheaf_symbolic(void *object, size_t size, const char *name);
void sheaf_assume(long condition);
void sheaf_fail_if(long condition);
void sheaf_output(const void *object, size_t size, const char *name);

SHEAF_WEAK void sheaf_symbolic(void *object, size_t size, const char *name)
{
    sheaf_replay_input(object, size, name);
}

SHEAF_WEAK void sheaf_assume(long condition)
{
    if (!condition)
        sheaf_replay_no_assumption("an assumption does not hold");
}

static _Noreturn void sheaf_replay_error(const char *what)
{
    sheaf_replay_event("reported", "%s", what);
    abort();
}

SHEAF_WEAK void sheaf_fail_if(long condition)
{
    if (condition)
        sheaf_replay_error("sheaf_fail_if");
}

SHEAF_WEAK void sheaf_output(const void *object, size_t size, const char *name)
{
    const char *path = getenv("SHEAF_OUTPUT");
    const volatile unsigned char *bytes = object;
    FILE *file = path ? fopen(path, "ab") : NULL;
    for (size_t i = 0; i < size; i++)
        (void)bytes[i]; /* read even if nothing is written: it must be there */
    if (!file)
        return;
    fprintf(file, "%s ", name);
    for (size_t i = 0; i < size; i++)
        fprintf(file, "%02x", bytes[i]);
    fputc('\n', file);
    fclose(file);
}

/* Objects of a harness end exactly where the test's do, so that a sanitizer sees an access beyond. */

void *sheaf_object(size_t size, const char *name);
char *sheaf_string(size_t max, const char *name);
size_t sheaf_size(size_t max, const char *name);
void *sheaf_array(size_t n, size_t size, const char *name);
void *sheaf_maybe_null(const void *object);
size_t sheaf_choice(size_t n, const char *name);

/* The next input of the test, if it is one of that name and no longer than `most`; else NULL. */
static const SheafReplayObject *sheaf_replay_next(const char *name, size_t most)
{
    sheaf_replay_load();
    unsigned i = sheaf_replay.next;
    while (i < sheaf_replay.n &&
           (!sheaf_replay_is(&sheaf_replay.objects[i], "call") || !sheaf_replay.objects[i].size))
        i++;
    const SheafReplayObject *o = i < sheaf_replay.n ? &sheaf_replay.objects[i] : NULL;
    return o && o->size <= most && sheaf_replay_same_name(o->name, name) ? o : NULL;
}

/* Which object is which, for the names of what may be NULL. */
typedef struct SheafGiven {
    struct SheafGiven *next;
    const void *object;
    const char *name;
} SheafGiven;
static SheafGiven *sheaf_given;

static void *sheaf_replay_given(size_t size, const char *name)
{
    sheaf_replay.own++;
    void *memory = malloc(size ? size : 1); /* exactly, so that a sanitizer knows its bounds */
    SheafGiven *given = malloc(sizeof *given);
    if (!memory || !given)
        abort();
    *given = (SheafGiven){sheaf_given, memory, name};
    sheaf_given = given; /* and so no leak of the program */
    if (!size && __asan_poison_memory_region)
        __asan_poison_memory_region(memory, 1);
    sheaf_replay.own--;
    return memory;
}

SHEAF_WEAK void *sheaf_object(size_t size, const char *name)
{
    void *object = sheaf_replay_given(size, name);
    sheaf_replay_input(object, size, name);
    return object;
}

SHEAF_WEAK char *sheaf_string(size_t max, const char *name)
{
    const SheafReplayObject *o = sheaf_replay_next(name, max + 1);
    size_t size = o ? o->size : 1;
    char *s = sheaf_replay_given(size, name);
    sheaf_replay_input(s, size, name);
    return s;
}

void *sheaf_stream(size_t max, const char *name);
SHEAF_WEAK void *sheaf_stream(size_t max, const char *name)
{
    const SheafReplayObject *o = sheaf_replay_next(name, max);
    if (o)
        sheaf_replay.next = (unsigned)(o - sheaf_replay.objects) + 1;
    FILE *file = sheaf_replay_stream(o ? o->data : "", o ? o->size : 0, name);
    SheafGiven *given = malloc(sizeof *given);
    if (!given)
        abort();
    *given = (SheafGiven){sheaf_given, file, name};
    sheaf_given = given;
    return file;
}

SHEAF_WEAK size_t sheaf_size(size_t max, const char *name)
{
    size_t n;
    sheaf_replay_input(&n, sizeof n, name);
    sheaf_assume(n <= max);
    return n;
}

/* The test has no array that was too long to be of interest, nor one without elements. */
SHEAF_WEAK void *sheaf_array(size_t n, size_t size, const char *name)
{
    size_t bytes = 0;
    bool is_there = !__builtin_mul_overflow(n, size, &bytes) && bytes;
    if (is_there && sheaf_replay.present)
        is_there = sheaf_replay_next(name, SIZE_MAX) != NULL;
    return is_there ? sheaf_object(bytes, name) : sheaf_replay_given(0, name);
}

SHEAF_WEAK void *sheaf_maybe_null(const void *object)
{
    unsigned char null;
    char name[512] = "pointer_null";
    if (!object)
        return NULL;
    for (const SheafGiven *g = sheaf_given; g; g = g->next)
        if (g->object == object) {
            snprintf(name, sizeof name, "%s_null", g->name);
            break;
        }
    sheaf_replay_input(&null, sizeof null, name);
    return null ? NULL : (void *)object;
}

SHEAF_WEAK size_t sheaf_choice(size_t n, const char *name)
{
    unsigned i;
    sheaf_replay_input(&i, sizeof i, name);
    sheaf_assume(i < n);
    return i;
}
