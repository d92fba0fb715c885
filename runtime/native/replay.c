/* replay.c - what a natively compiled program needs to run one test: sheaf.h, KLEE's intrinsics, SV-COMP's
 * functions, and a main for fuzz targets. Not part of the models that run on Sheaf's machine.
 *
 *     clang -g -fsanitize=address,undefined prog.c replay.c && SHEAF_TEST=0001.ktest ./a.out
 *
 * Inputs are taken in the order of the calls; where the program asks for another input than the test holds
 * next, that is reported and the run ends. Arguments, standard input and files are the caller's to set up:
 * `sheaf replay` does. Every definition is weak: a program may have its own.
 *
 * Environment: SHEAF_TEST (or KTEST_FILE) the test; without one all inputs are zero. SHEAF_REPORT a file to
 * which events are added instead of standard error; SHEAF_OUTPUT a file for what sheaf_output names;
 * SHEAF_SHOWN one for the result of an entry function and all memory that leads from it and from its
 * parameters. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define SHEAF_WEAK __attribute__((weak))
enum { SHEAF_STATUS_MISMATCH = 96, SHEAF_STATUS_ASSUMPTION = 97 };

#ifndef SHEAF_REPLAY_TYPES /* generated C has them before its tables */
typedef struct SheafReplayObject {
    const char *name, *origin; /* origin: a word of suite.def */
    const void *data;
    size_t size;
} SheafReplayObject;

typedef struct SheafReplayLink {
    unsigned object, offset, target, delta;
} SheafReplayLink;
#endif

static struct {
    bool loaded, present; /* looked for a test; there is one */
    const SheafReplayObject *objects;
    const SheafReplayLink *links;
    unsigned n, nlinks;
    unsigned next; /* where the search for the next call's object begins */
    bool running;  /* main has begun: what a profiler or sanitizer does before and after is theirs */
    unsigned own;  /* calls of ours are under way: what they allocate is not the program's */
    void **memory; /* of parameters and what they point to, once made */
} sheaf_replay;

/* ---- events ---------------------------------------------------------------------------------- */

/* One line: the word, a blank, the rest. */
static void sheaf_replay_event(const char *word, const char *format, ...)
{
    char line[1024];
    va_list args;
    int n = snprintf(line, sizeof line, "%s ", word);
    va_start(args, format);
    vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
    va_end(args);
    for (char *p = line; *p; p++)
        if (*p == '\n')
            *p = ' ';
    strcat(line, "\n");
    const char *path = getenv("SHEAF_REPORT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : dup(2);
    if (fd < 0)
        return;
    if (write(fd, line, strlen(line)) < 0)
        errno = 0; /* the reader is gone */
    close(fd);
}

static _Noreturn void sheaf_replay_mismatch(const char *asked, size_t size, const SheafReplayObject *has)
{
    if (has)
        sheaf_replay_event("mismatch",
                           "the program asks for \"%s\" (%zu bytes) where the test has \"%s\" (%zu bytes)",
                           asked, size, has->name, has->size);
    else
        sheaf_replay_event(
            "more", "the program asks for \"%s\" (%zu bytes) behind the last input of the test", asked, size);
    _exit(SHEAF_STATUS_MISMATCH);
}

static _Noreturn void sheaf_replay_no_assumption(const char *what)
{
    sheaf_replay_event("assumption", "%s", what);
    fflush(NULL);
    _exit(SHEAF_STATUS_ASSUMPTION);
}

/* ---- the test -------------------------------------------------------------------------------- */

/* A cursor over a .ktest; `bad` once it ran beyond the end. */
typedef struct SheafReplayFile {
    const unsigned char *p, *end;
    bool bad;
} SheafReplayFile;

static unsigned sheaf_replay_u32(SheafReplayFile *f)
{
    if (f->end - f->p < 4) {
        f->bad = true;
        return 0;
    }
    unsigned x = (unsigned)f->p[0] << 24 | (unsigned)f->p[1] << 16 | (unsigned)f->p[2] << 8 | f->p[3];
    f->p += 4;
    return x;
}

/* A copy with a NUL behind it. */
static char *sheaf_replay_bytes(SheafReplayFile *f, unsigned n)
{
    if (f->bad || (size_t)(f->end - f->p) < n) {
        f->bad = true;
        return NULL;
    }
    char *copy = malloc((size_t)n + 1);
    if (!copy)
        abort();
    memcpy(copy, f->p, n);
    copy[n] = 0;
    f->p += n;
    return copy;
}

static unsigned char *sheaf_replay_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = NULL;
    size_t room = 0;
    *size = 0;
    if (!file)
        return NULL;
    for (;;) {
        if (*size == room && !(data = realloc(data, room = room ? 2 * room : 65536)))
            abort();
        size_t got = fread(data + *size, 1, room - *size, file);
        if (!got)
            break;
        *size += got;
    }
    fclose(file);
    return data;
}

static bool sheaf_replay_ends(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n > m && !strcmp(text + n - m, ending);
}

/* In a file for KLEE, whose names tell it: arguments, files and the like are not the program's calls. */
static const char *sheaf_replay_origin(const char *name)
{
    bool argument = !strncmp(name, "arg", 3) && name[3] && strspn(name + 3, "0123456789") == strlen(name + 3);
    bool other = argument || !strcmp(name, "n_args") || !strcmp(name, "stdin") || !strcmp(name, "stdout") ||
                 !strcmp(name, "model_version") || sheaf_replay_ends(name, "_stat") ||
                 sheaf_replay_ends(name, "-stat") || sheaf_replay_ends(name, "_data") ||
                 sheaf_replay_ends(name, "-data");
    return other ? "environment" : "call";
}

static void sheaf_replay_shape(SheafReplayObject *objects, unsigned n, char *text)
{
    unsigned room = 0, i, a, b, c;
    SheafReplayLink *links = NULL;
    char word[16];
    for (const char *p = text; *p; p++)
        room += *p == '\n';
    links = calloc(room + 1u, sizeof *links);
    if (!links)
        abort();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (sscanf(line, "origin %9u %15[a-z]", &i, word) == 2 && i < n)
            objects[i].origin = strdup(word);
        else if (sscanf(line, "empty %9u", &i) == 1 && i < n)
            objects[i].size = 0;
        else if (sscanf(line, "link %9u %9u %9u %9u", &i, &a, &b, &c) == 4 && i < n && b < n)
            links[sheaf_replay.nlinks++] = (SheafReplayLink){i, a, b, c};
    }
    sheaf_replay.links = links;
}

/* False if it is no .ktest. */
static bool sheaf_replay_parse(SheafReplayFile *f)
{
    if (f->end - f->p < 5 || (memcmp(f->p, "KTEST", 5) && memcmp(f->p, "BOUT\n", 5)))
        return false;
    f->p += 5;
    unsigned version = sheaf_replay_u32(f), words = sheaf_replay_u32(f);
    for (; words && !f->bad; words--)
        free(sheaf_replay_bytes(f, sheaf_replay_u32(f)));
    if (version >= 2) {
        sheaf_replay_u32(f);
        sheaf_replay_u32(f);
    }
    unsigned n = sheaf_replay_u32(f);
    if (f->bad || n > (size_t)(f->end - f->p) / 8)
        return false;
    SheafReplayObject *objects = calloc(n + 1u, sizeof *objects);
    if (!objects)
        abort();
    for (unsigned i = 0; i < n && !f->bad; i++) {
        objects[i].name = sheaf_replay_bytes(f, sheaf_replay_u32(f));
        objects[i].size = sheaf_replay_u32(f);
        objects[i].data = sheaf_replay_bytes(f, (unsigned)objects[i].size);
        objects[i].origin = objects[i].name ? sheaf_replay_origin(objects[i].name) : "call";
    }
    if (f->bad)
        return false;
    if (n && !strcmp(objects[n - 1].name, "sheaf_shape")) {
        n--;
        sheaf_replay_shape(objects, n, (char *)objects[n].data);
    }
    sheaf_replay.objects = objects;
    sheaf_replay.n = n;
    return true;
}

static void sheaf_replay_load(void)
{
    const char *path = getenv("SHEAF_TEST") ? getenv("SHEAF_TEST") : getenv("KTEST_FILE");
    size_t size;
    if (sheaf_replay.loaded)
        return;
    sheaf_replay.loaded = true;
    if (!path)
        return;
    sheaf_replay.own++;
    unsigned char *data = sheaf_replay_read(path, &size);
    SheafReplayFile file = {data, data + size, false};
    if (!data || !sheaf_replay_parse(&file)) {
        sheaf_replay_event("mismatch", "%s cannot be read as a test", path);
        _exit(SHEAF_STATUS_MISMATCH);
    }
    free(data);
    sheaf_replay.present = true;
    sheaf_replay.own--;
}

static bool sheaf_replay_is(const SheafReplayObject *o, const char *origin)
{
    return !strcmp(o->origin, origin);
}

/* ---- inputs by call -------------------------------------------------------------------------- */

/* The same name again gets a number: "x", "x_1", "x#2". */
static bool sheaf_replay_same_name(const char *has, const char *asked)
{
    size_t n = strlen(asked);
    if (strncmp(has, asked, n))
        return false;
    return !has[n] ||
           (strchr("_#@", has[n]) && has[n + 1] && strspn(has + n + 1, "0123456789") == strlen(has + n + 1));
}

static void sheaf_replay_input(void *to, size_t size, const char *name)
{
    sheaf_replay_load();
    if (!size)
        return; /* tests do not hold inputs without bytes */
    if (!sheaf_replay.present) {
        memset(to, 0, size);
        return;
    }
    unsigned i = sheaf_replay.next;
    while (i < sheaf_replay.n &&
           (strcmp(sheaf_replay.objects[i].origin, "call") || !sheaf_replay.objects[i].size))
        i++;
    const SheafReplayObject *object = i < sheaf_replay.n ? &sheaf_replay.objects[i] : NULL;
    if (!object || object->size != size || !sheaf_replay_same_name(object->name, name))
        sheaf_replay_mismatch(name, size, object);
    sheaf_replay.next = i + 1;
    memcpy(to, object->data, size);
}

/* ---- the environment (--env) ----------------------------------------------------------------- */

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

/* ---- sorting with a callback of the test ----------------------------------------------------- */

/* Sanitizers call the comparison more often than qsort does. These make the calls that Sheaf's model makes.
 */
typedef int SheafCompare(const void *, const void *, void *);
static int sheaf_replay_compare(const void *a, const void *b, void *compare)
{
    int (**plain)(const void *, const void *) = compare;
    return (*plain)(a, b);
}

static void sheaf_replay_sort(char *base, size_t n, size_t size, SheafCompare *compare, void *context,
                              char *spare)
{
    size_t left = n / 2, right = n - left;
    char *a = base, *b = base + left * size, *to = spare;
    if (n <= 1)
        return;
    sheaf_replay_sort(a, left, size, compare, context, spare);
    sheaf_replay_sort(b, right, size, compare, context, spare);
    for (; left > 0 && right > 0; to += size) {
        bool first = compare(a, b, context) <= 0;
        memcpy(to, first ? a : b, size);
        *(first ? &a : &b) += size;
        --*(first ? &left : &right);
    }
    memcpy(to, a, left * size);
    memcpy(base, spare, (n - right) * size);
}

SHEAF_WRAP(void, qsort_r, (void *base, size_t n, size_t size, SheafCompare *compare, void *context))
{
    if (n <= 1 || !size)
        return;
    sheaf_replay.own++;
    char *spare = malloc(n * size);
    sheaf_replay.own--;
    if (!spare)
        abort();
    sheaf_replay_sort(base, n, size, compare, context, spare);
    free(spare);
}

SHEAF_WRAP(void, qsort, (void *base, size_t n, size_t size, int (*compare)(const void *, const void *)))
{
    __wrap_qsort_r(base, n, size, sheaf_replay_compare, &compare);
}

/* ---- an entry function's parameters ---------------------------------------------------------- */

static int sheaf_replay_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr; /* the program itself comes first */
    return 1;
}

/* A variable that no other file sees is still in the file's own table of symbols: if one of that name and
 * size is. */
static void *sheaf_replay_local(const char *name, size_t size)
{
    size_t n;
    uintptr_t base = 0, found = 0;
    unsigned count = 0;
    unsigned char *file = sheaf_replay_read("/proc/self/exe", &n);
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    if (!file || n < sizeof *head || memcmp(file, ELFMAG, SELFMAG) || head->e_shoff > n)
        return NULL;
    const Elf64_Shdr *parts = (const Elf64_Shdr *)(file + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++) {
        if (parts[i].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + parts[i].sh_offset);
        const char *texts = (const char *)file + parts[parts[i].sh_link].sh_offset;
        for (size_t k = 0; k < parts[i].sh_size / sizeof *symbols; k++) {
            if (ELF64_ST_TYPE(symbols[k].st_info) != STT_OBJECT || symbols[k].st_size < size ||
                strcmp(texts + symbols[k].st_name, name))
                continue;
            count++;
            found = symbols[k].st_value;
        }
    }
    free(file);
    dl_iterate_phdr(sheaf_replay_base, &base);
    return count == 1 ? (void *)(base + found) : NULL;
}

/* Functions that the entry gets as arguments. Each has a stub, which returns what the test holds next. */
enum { SHEAF_CALLBACKS = 16 };
static unsigned sheaf_callback_of[SHEAF_CALLBACKS], sheaf_callbacks; /* their objects */

static char sheaf_replay_returns(unsigned stub)
{
    return *(const char *)sheaf_replay.objects[sheaf_callback_of[stub]].data;
}

/* The next result, which must be of this stub; its pointers are set. */
static void sheaf_replay_result(unsigned stub, void *to, size_t size)
{
    static unsigned next;
    char name[256];
    snprintf(name, sizeof name, "%s()", sheaf_replay.objects[sheaf_callback_of[stub]].name + 1);
    while (next < sheaf_replay.n && !sheaf_replay_is(&sheaf_replay.objects[next], "result"))
        next++;
    const SheafReplayObject *o = next < sheaf_replay.n ? &sheaf_replay.objects[next] : NULL;
    if (!o || !sheaf_replay_same_name(o->name, name) || o->size > size)
        sheaf_replay_mismatch(name, size, o);
    memset(to, 0, size);
    memcpy(to, sheaf_replay.memory[next++], o->size);
}

/* All that is returned in the register for whole numbers, extended as a caller may rely on. */
static uint64_t sheaf_replay_word(unsigned stub)
{
    uint64_t word = 0;
    if (sheaf_replay_returns(stub) != 'v')
        sheaf_replay_result(stub, &word, sizeof word);
    switch (sheaf_replay_returns(stub)) {
    case 'b': return word & 1;
    case 'c': return (uint64_t)(int64_t)(int8_t)word;
    case 'h': return (uint64_t)(int64_t)(int16_t)word;
    default: return word;
    }
}

typedef long double sheaf_long_double;
#define SHEAF_STUB_OF(type, k)                        \
    static type sheaf_stub_##type##_##k(void)         \
    {                                                 \
        type value;                                   \
        sheaf_replay_result(k, &value, sizeof value); \
        return value;                                 \
    }
#define SHEAF_STUB(k)                                                          \
    static uint64_t sheaf_stub_word_##k(void) { return sheaf_replay_word(k); } \
    SHEAF_STUB_OF(float, k) SHEAF_STUB_OF(double, k) SHEAF_STUB_OF(sheaf_long_double, k)
#define SHEAF_STUB_ROW(k)                                                                      \
    {(void *)sheaf_stub_word_##k, (void *)sheaf_stub_float_##k, (void *)sheaf_stub_double_##k, \
     (void *)sheaf_stub_sheaf_long_double_##k},
#define SHEAF_STUB_ALL(X) \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
SHEAF_STUB_ALL(SHEAF_STUB)

static void *sheaf_replay_stub(unsigned object)
{
    static void *const stubs[SHEAF_CALLBACKS][4] = {SHEAF_STUB_ALL(SHEAF_STUB_ROW)};
    if (sheaf_callbacks == SHEAF_CALLBACKS) {
        sheaf_replay_event("mismatch", "more than %d callbacks", (int)SHEAF_CALLBACKS);
        _exit(SHEAF_STATUS_MISMATCH);
    }
    unsigned stub = sheaf_callbacks++;
    sheaf_callback_of[stub] = object;
    char returns = sheaf_replay_returns(stub);
    return stubs[stub][returns == 'f' ? 1 : returns == 'd' ? 2 : returns == 'l' ? 3 : 0];
}

/* Streams that the entry or a harness gets: a file in memory, which is still ours when the stream was closed.
 */
typedef struct SheafGivenStream {
    struct SheafGivenStream *next;
    FILE *file;
    int content; /* a descriptor of the same file */
    size_t size; /* at first */
    const char *name;
} SheafGivenStream;
static SheafGivenStream *sheaf_given_streams;

static FILE *sheaf_replay_stream(const void *data, size_t size, const char *name)
{
    sheaf_replay.own++;
    SheafGivenStream *s = calloc(1, sizeof *s);
    int fd = memfd_create("stream", MFD_CLOEXEC);
    FILE *file = fd < 0 || !s ? NULL : fdopen(dup(fd), "r+");
    /* without a buffer the file stands where the program does */
    if (!file || setvbuf(file, NULL, _IONBF, 0) || write(fd, data, size) != (ssize_t)size ||
        lseek(fd, 0, SEEK_SET))
        abort();
    *s = (SheafGivenStream){sheaf_given_streams, file, fd, size, name};
    sheaf_given_streams = s;
    sheaf_replay.own--;
    return file;
}

__attribute__((weak)) void __asan_poison_memory_region(void const volatile *address, size_t size);

static void *sheaf_replay_make(const SheafReplayObject *o)
{
    if (sheaf_replay_is(o, "global")) {
        void *symbol = dlsym(RTLD_DEFAULT, o->name);
        symbol = symbol ? symbol : sheaf_replay_local(o->name, o->size);
        if (!symbol) {
            sheaf_replay_event("mismatch",
                               "the variable \"%s\" cannot be set: there is none, or more than one", o->name);
            _exit(SHEAF_STATUS_MISMATCH);
        }
        memcpy(symbol, o->data, o->size);
        return symbol;
    }
    if (sheaf_replay_is(o, "callback") && o->size)
        return sheaf_replay_stub((unsigned)(o - sheaf_replay.objects));
    if (sheaf_replay_is(o, "stream"))
        return sheaf_replay_stream(o->data, o->size, o->name);
    if (!sheaf_replay_is(o, "parameter") && !sheaf_replay_is(o, "pointee") && !sheaf_replay_is(o, "result"))
        return NULL;
    void *memory = malloc(o->size ? o->size : 1); /* exactly, so that a sanitizer knows its bounds */
    if (!memory)
        abort();
    memcpy(memory, o->data, o->size);
    if (!o->size && __asan_poison_memory_region) /* which of no bytes makes one */
        __asan_poison_memory_region(memory, 1);
    return memory;
}

static void sheaf_replay_objects(void)
{
    sheaf_replay_load();
    if (sheaf_replay.memory)
        return;
    sheaf_replay.own++;
    sheaf_replay.memory = calloc(sheaf_replay.n + 1u, sizeof *sheaf_replay.memory);
    if (!sheaf_replay.memory)
        abort();
    for (unsigned i = 0; i < sheaf_replay.n; i++)
        sheaf_replay.memory[i] = sheaf_replay_make(&sheaf_replay.objects[i]);
    for (unsigned i = 0; i < sheaf_replay.nlinks; i++) {
        const SheafReplayLink *l = &sheaf_replay.links[i];
        size_t size = sheaf_replay.objects[l->object].size;
        char *from = sheaf_replay.memory[l->object], *to = sheaf_replay.memory[l->target];
        if (!from || !to || size < sizeof to || l->offset > size - sizeof to)
            continue;
        to += l->delta;
        memcpy(from + l->offset, &to, sizeof to);
    }
    sheaf_replay.own--;
}

/* The memory of a parameter; zero if the test does not have it, since the run never looked at it. */
void *sheaf_replay_parameter(const char *name, size_t size);
SHEAF_WEAK void *sheaf_replay_parameter(const char *name, size_t size)
{
    sheaf_replay_objects();
    for (unsigned i = 0; i < sheaf_replay.n; i++) {
        const SheafReplayObject *o = &sheaf_replay.objects[i];
        if (!sheaf_replay_is(o, "parameter") || strcmp(o->name, name))
            continue;
        if (o->size != size)
            sheaf_replay_mismatch(name, size, o);
        return sheaf_replay.memory[i];
    }
    sheaf_replay.own++;
    void *zero = calloc(1, size ? size : 1);
    sheaf_replay.own--;
    if (!zero)
        abort();
    return zero;
}

/* Variables that are inputs get their values before main. */
__attribute__((constructor)) static void sheaf_replay_globals(void)
{
    if (!getenv("SHEAF_TEST"))
        return;
    sheaf_replay_load();
    for (unsigned i = 0; i < sheaf_replay.n; i++)
        if (sheaf_replay_is(&sheaf_replay.objects[i], "global"))
            sheaf_replay_objects();
}

/* ---- what a call leaves behind --------------------------------------------------------------- */

/* AddressSanitizer knows which objects there are. */
SHEAF_WEAK void *__asan_region_is_poisoned(void *at, size_t size);
SHEAF_WEAK const char *__asan_locate_address(void *at, char *name, size_t name_size, void **region,
                                             size_t *region_size);

enum { SHEAF_SHOWN_MOST = 4096, SHEAF_SHOWN_BYTES = 1 << 20, SHEAF_SHOWN_NAME = 256 };
typedef struct SheafShown {
    const unsigned char *at;
    size_t size;
    char name[SHEAF_SHOWN_NAME];
} SheafShown;

static SheafShown *sheaf_shown_add(SheafShown *all, unsigned *n, const void *at, size_t size,
                                   const char *name)
{
    if (*n == SHEAF_SHOWN_MOST)
        return NULL;
    SheafShown *s = &all[(*n)++];
    s->at = at;
    s->size = size;
    snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

/* The object that a pointer leads to, which may be met for the first time; -1: it is no pointer, -2: to
 * something that cannot be shown. */
static int sheaf_shown_find(SheafShown *all, unsigned *n, unsigned from, size_t offset, uintptr_t value)
{
    for (unsigned i = 0; i < *n; i++)
        if (value - (uintptr_t)all[i].at < all[i].size)
            return (int)i;
    for (unsigned i = 0; i < *n; i++) /* one past the end */
        if (all[i].size && value - (uintptr_t)all[i].at == all[i].size)
            return (int)i;
    char name[64] = "", path[SHEAF_SHOWN_NAME + 32];
    void *region = NULL;
    size_t size = 0;
    const char *kind = __asan_locate_address && value > 65536 && value < (uintptr_t)1 << 47
                           ? __asan_locate_address((void *)value, name, sizeof name, &region, &size)
                           : "";
    if (!strcmp(kind, "stack"))
        return -2;
    if ((strcmp(kind, "heap") && strcmp(kind, "global")) || !region)
        return -1;
    if (value - (uintptr_t)region >
        size) /* a literal has no bounds of its own: the nearest variable is told */
        return -2;
    snprintf(path, sizeof path, "%s+%zu->", all[from].name, offset);
    return sheaf_shown_add(all, n, region, size, path) ? (int)*n - 1 : -2;
}

static void sheaf_shown_print(FILE *file, SheafShown *all, unsigned *n, unsigned i)
{
    const SheafShown *s = &all[i];
    size_t size = s->size < SHEAF_SHOWN_BYTES ? s->size : SHEAF_SHOWN_BYTES;
    bool freed = size && __asan_region_is_poisoned && __asan_region_is_poisoned((void *)s->at, size);
    fprintf(file, "object %u %zu %d %s\n", i, s->size, freed, s->name);
    if (freed)
        return;
    for (size_t k = 0; k < size; k++) {
        uintptr_t value = 0;
        int to = -1;
        if ((uintptr_t)(s->at + k) % sizeof value == 0 && size - k >= sizeof value) {
            memcpy(&value, s->at + k, sizeof value);
            to = value ? sheaf_shown_find(all, n, i, k, value) : -1;
        }
        if (to >= 0)
            fprintf(file, " >%d+%lld>", to, (long long)(value - (uintptr_t)all[to].at));
        else if (to == -2)
            fprintf(file, " >->");
        else
            fprintf(file, "%02x", s->at[k]);
        k += to != -1 ? sizeof value - 1 : 0;
    }
    fputc('\n', file);
}

/* Of a stream its first byte, which says whether its end or an error was met; what was written to it, or how
 * far it was read: seen from outside, by its descriptor. */
static void sheaf_shown_streams(SheafShown *all, unsigned *n)
{
    char name[SHEAF_SHOWN_NAME];
    for (const SheafGivenStream *s = sheaf_given_streams; s; s = s->next) {
        off_t position = lseek(s->content, 0, SEEK_CUR), size = lseek(s->content, 0, SEEK_END);
        unsigned char *content = malloc(size > 0 ? (size_t)size : 1);
        long *kept = malloc(sizeof *kept);
        if (!content || !kept || pread(s->content, content, (size_t)size, 0) != size)
            abort();
        snprintf(name, sizeof name, "stream %s", s->name);
        sheaf_shown_add(all, n, s->file, 1, name);
        if (!s->size && size)
            sheaf_shown_add(all, n, content, (size_t)size, s->name);
        *kept = position;
        snprintf(name, sizeof name, "ftell(%s)", s->name + (*s->name == '*'));
        if (s->size)
            sheaf_shown_add(all, n, kept, sizeof *kept, name);
    }
}

void sheaf_replay_show(const void *result, size_t size);
SHEAF_WEAK void sheaf_replay_show(const void *result, size_t size)
{
    const char *path = getenv("SHEAF_SHOWN");
    unsigned n = 0;
    if (!path)
        return;
    sheaf_replay.own++;
    SheafShown *all = calloc(SHEAF_SHOWN_MOST, sizeof *all);
    FILE *file = fopen(path, "wb");
    if (!all || !file)
        abort();
    if (size)
        sheaf_shown_add(all, &n, result, size, "result");
    for (unsigned i = 0; sheaf_replay.memory && i < sheaf_replay.n; i++)
        if (sheaf_replay.memory[i] && sheaf_replay.objects[i].size &&
            (sheaf_replay_is(&sheaf_replay.objects[i], "pointee") ||
             sheaf_replay_is(&sheaf_replay.objects[i], "global")))
            sheaf_shown_add(all, &n, sheaf_replay.memory[i], sheaf_replay.objects[i].size,
                            sheaf_replay.objects[i].name);
    sheaf_shown_streams(all, &n);
    for (unsigned i = 0; i < n; i++)
        sheaf_shown_print(file, all, &n, i);
    fclose(file);
    free(all);
    sheaf_replay.own--;
}

/* ---- sheaf.h --------------------------------------------------------------------------------- */

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

/* ---- KLEE ------------------------------------------------------------------------------------ */

/* KLEE's own header may declare these otherwise in details that do not matter to callers. */
void klee_make_symbolic(void *, size_t, const char *);
void klee_assume(uintptr_t);
void klee_assert(int);
int klee_int(const char *);
int klee_range(int, int, const char *);
uintptr_t klee_choose(uintptr_t);
void klee_abort(void);
void klee_silent_exit(int);
void klee_report_error(const char *, int, const char *, const char *);
size_t klee_get_obj_size(void *);
unsigned klee_is_symbolic(uintptr_t);
unsigned klee_is_replay(void);
void klee_prefer_cex(void *, uintptr_t);
void klee_posix_prefer_cex(void *, uintptr_t);
void klee_check_memory_access(const void *, size_t);
void klee_define_fixed_object(void *, size_t);
void klee_mark_global(void *);
void klee_set_forking(unsigned);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_print_expr(const char *, ...);
void klee_print_range(const char *, int);
void klee_stack_trace(void);
void klee_warning(const char *);
void klee_warning_once(const char *);
int klee_get_errno(void);
void klee_assert_fail(const char *, const char *, unsigned, const char *);

SHEAF_WEAK void klee_make_symbolic(void *object, size_t size, const char *name)
{
    sheaf_replay_input(object, size, name ? name : "unnamed");
}

SHEAF_WEAK void klee_assume(uintptr_t condition) { sheaf_assume(condition != 0); }
SHEAF_WEAK int klee_int(const char *name)
{
    int value;
    sheaf_replay_input(&value, sizeof value, name);
    return value;
}

SHEAF_WEAK void klee_assert(int condition)
{
    if (!condition)
        sheaf_replay_error("klee_assert");
}

SHEAF_WEAK int klee_range(int begin, int end, const char *name)
{
    if (begin >= end)
        sheaf_replay_error("klee_range: an empty range");
    int value = klee_int(name);
    sheaf_assume(value >= begin && value < end);
    return value;
}

SHEAF_WEAK uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t value;
    sheaf_replay_input(&value, sizeof value, "klee_choose");
    sheaf_assume(value < n);
    return value;
}

SHEAF_WEAK void klee_assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "%s:%u: %s: assertion `%s' failed\n", file, line, function, assertion);
    abort();
}
SHEAF_WEAK void klee_abort(void) { abort(); }
SHEAF_WEAK void klee_silent_exit(int status)
{
    (void)status;
    sheaf_replay_no_assumption("klee_silent_exit");
}
SHEAF_WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    sheaf_replay_error(message ? message : "klee_report_error");
}
/* AddressSanitizer knows objects of every kind. */
SHEAF_WEAK const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);
SHEAF_WEAK size_t klee_get_obj_size(void *object)
{
    char name[8];
    void *start;
    size_t size = 0;
    const char *kind =
        __asan_locate_address ? __asan_locate_address(object, name, sizeof name, &start, &size) : NULL;
    return kind && size ? size : malloc_usable_size(object);
}
SHEAF_WEAK unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
SHEAF_WEAK unsigned klee_is_replay(void)
{
    return 0;
} /* as on the machine: behaviour must not depend on it */
SHEAF_WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
SHEAF_WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
SHEAF_WEAK void klee_check_memory_access(const void *address, size_t size)
{
    const volatile char *bytes = address;
    if (size) {
        (void)bytes[0];
        (void)bytes[size - 1];
    }
}
SHEAF_WEAK void klee_define_fixed_object(void *address, size_t size) { (void)address, (void)size; }
SHEAF_WEAK void klee_mark_global(void *object) { (void)object; }
SHEAF_WEAK void klee_set_forking(unsigned on) { (void)on; }
SHEAF_WEAK void klee_open_merge(void) {}
SHEAF_WEAK void klee_close_merge(void) {}
SHEAF_WEAK void klee_print_expr(const char *message, ...) { (void)message; }
SHEAF_WEAK void klee_print_range(const char *name, int value) { (void)name, (void)value; }
SHEAF_WEAK void klee_stack_trace(void) {}
SHEAF_WEAK void klee_warning(const char *message) { (void)message; }
SHEAF_WEAK void klee_warning_once(const char *message) { (void)message; }
SHEAF_WEAK int klee_get_errno(void) { return errno; }

#define SHEAF_VALUE(type, suffix)      \
    type klee_get_value##suffix(type); \
    SHEAF_WEAK type klee_get_value##suffix(type value) { return value; }
SHEAF_VALUE(float, f)
SHEAF_VALUE(double, d)
SHEAF_VALUE(long, l)
SHEAF_VALUE(long long, ll)
SHEAF_VALUE(int32_t, _i32)
SHEAF_VALUE(int64_t, _i64)

/* ---- SV-COMP and Test-Comp ------------------------------------------------------------------- */

#define SHEAF_NONDET(type, suffix)                                              \
    type __VERIFIER_nondet_##suffix(void);                                      \
    SHEAF_WEAK type __VERIFIER_nondet_##suffix(void)                            \
    {                                                                           \
        type value;                                                             \
        sheaf_replay_input(&value, sizeof value, "__VERIFIER_nondet_" #suffix); \
        return value;                                                           \
    }
SHEAF_NONDET(char, char)
SHEAF_NONDET(signed char, schar)
SHEAF_NONDET(unsigned char, uchar)
SHEAF_NONDET(short, short)
SHEAF_NONDET(unsigned short, ushort)
SHEAF_NONDET(int, int)
SHEAF_NONDET(unsigned, uint)
SHEAF_NONDET(unsigned, unsigned)
SHEAF_NONDET(uint32_t, u32)
SHEAF_NONDET(long, long)
SHEAF_NONDET(unsigned long, ulong)
SHEAF_NONDET(long long, longlong)
SHEAF_NONDET(unsigned long long, ulonglong)
SHEAF_NONDET(__int128, int128)
SHEAF_NONDET(unsigned __int128, uint128)
SHEAF_NONDET(float, float)
SHEAF_NONDET(double, double)
SHEAF_NONDET(loff_t, loff_t)
SHEAF_NONDET(size_t, size_t)
SHEAF_NONDET(unsigned long, sector_t)
SHEAF_NONDET(pthread_t, pthread_t)
SHEAF_NONDET(char *, pchar)
SHEAF_NONDET(void *, pointer)
SHEAF_NONDET(unsigned char, unsigned_char)
SHEAF_NONDET(unsigned short, unsigned_short)
SHEAF_NONDET(unsigned, unsigned_int)
SHEAF_NONDET(unsigned long, unsigned_long)
SHEAF_NONDET(unsigned long long, unsigned_long_long)
SHEAF_NONDET(long long, long_long)
SHEAF_NONDET(uint8_t, u8)
SHEAF_NONDET(uint16_t, u16)
SHEAF_NONDET(uint64_t, u64)
SHEAF_NONDET(int8_t, s8)
SHEAF_NONDET(int16_t, s16)
SHEAF_NONDET(int32_t, s32)
SHEAF_NONDET(int64_t, s64)
SHEAF_NONDET(uint8_t, uint8_t)
SHEAF_NONDET(uint16_t, uint16_t)
SHEAF_NONDET(uint32_t, uint32_t)
SHEAF_NONDET(uint64_t, uint64_t)
SHEAF_NONDET(int8_t, int8_t)
SHEAF_NONDET(int16_t, int16_t)
SHEAF_NONDET(int32_t, int32_t)
SHEAF_NONDET(int64_t, int64_t)
SHEAF_NONDET(ssize_t, ssize_t)
SHEAF_NONDET(char *, charp)

bool __VERIFIER_nondet_bool(void);
bool __VERIFIER_nondet__Bool(void);
void __VERIFIER_nondet_memory(void *, size_t);
void reach_error(void);
void __VERIFIER_error(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

SHEAF_WEAK bool __VERIFIER_nondet_bool(void)
{
    unsigned char value;
    sheaf_replay_input(&value, sizeof value, "__VERIFIER_nondet_bool");
    sheaf_assume(value <= 1);
    return value;
}
SHEAF_WEAK bool __VERIFIER_nondet__Bool(void) { return __VERIFIER_nondet_bool(); }
SHEAF_WEAK void __VERIFIER_nondet_memory(void *object, size_t size)
{
    sheaf_replay_input(object, size, "__VERIFIER_nondet_memory");
}
SHEAF_WEAK void reach_error(void) { sheaf_replay_error("reach_error"); }
SHEAF_WEAK void __VERIFIER_error(void) { sheaf_replay_error("__VERIFIER_error"); }
SHEAF_WEAK void __VERIFIER_assume(int condition) { sheaf_assume(condition); }
SHEAF_WEAK void __VERIFIER_assert(int condition)
{
    if (!condition)
        reach_error();
}
SHEAF_WEAK void __VERIFIER_atomic_begin(void) {}
SHEAF_WEAK void __VERIFIER_atomic_end(void) {}

/* ---- fuzz targets ---------------------------------------------------------------------------- */

SHEAF_WEAK int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
SHEAF_WEAK int LLVMFuzzerInitialize(int *argc, char ***argv);

SHEAF_WEAK int main(int argc, char **argv)
{
    int status = 0;
    sheaf_replay_load();
    if (!LLVMFuzzerTestOneInput) {
        sheaf_replay_event("mismatch", "the program has neither main nor LLVMFuzzerTestOneInput");
        return SHEAF_STATUS_MISMATCH;
    }
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (unsigned i = 0; i < sheaf_replay.n; i++) {
        const SheafReplayObject *o = &sheaf_replay.objects[i];
        if (!sheaf_replay_is(o, "fuzz"))
            continue;
        sheaf_replay.own++;
        uint8_t *copy = malloc(o->size); /* exactly, so that a sanitizer knows its bounds */
        sheaf_replay.own--;
        if (!copy)
            abort();
        memcpy(copy, o->data, o->size);
        status = LLVMFuzzerTestOneInput(copy, o->size);
        free(copy);
    }
    return status;
}
