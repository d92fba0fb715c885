/* host.c - the primitives of runtime/prim.h on the real system, so that the models of libc run without Sheaf's machine
 * and can be held against the real libc. Only what tests/libc needs: a program's files are not modelled. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../../runtime/prim.h"

void rt___sheaf_start(int argc, char **argv, char **envp);
void __sheaf_constructors(int argc, char **argv, char **envp);
void __sheaf_destructors(void);

void *__sheaf_alloc(size_t size, size_t align, int zeroed)
{
    void *p = NULL;
    if (size > (size_t)1 << 40 || posix_memalign(&p, align < sizeof(void *) ? sizeof(void *) : align, size))
        return NULL;
    if (zeroed)
        memset(p, 0, size);
    return p;
}

void __sheaf_free(void *p)
{
    free(p);
}

size_t __sheaf_size(void *p)
{
    return malloc_usable_size(p);
}

static void flush_all(void);

void __sheaf_exit(int status)
{
    flush_all();
    _exit(status);
}

void __sheaf_abort(void)
{
    flush_all();
    abort();
}

void __sheaf_assert_fail(const char *text)
{
    (void)text;
    __sheaf_abort();
}

void __sheaf_report(const char *text)
{
    dprintf(2, "report: %s\n", text);
    __sheaf_abort();
}

void __sheaf_unsupported(const char *what)
{
    dprintf(2, "unsupported: %s\n", what);
    __sheaf_abort();
}

void __sheaf_assume(long condition)
{
    if (!condition)
        __sheaf_exit(0);
}

void __sheaf_symbolic(void *p, size_t n, const char *name)
{
    (void)name;
    memset(p, 0, n);
}

void __sheaf_output(const void *p, size_t n, const char *name)
{
    (void)p, (void)n, (void)name;
}

size_t __sheaf_most(size_t n) { return n; }
void __sheaf_bounded(size_t n, size_t max) { (void)n, (void)max; }
void __sheaf_given(void *p, int what, size_t limit, const char *name) { (void)p, (void)what, (void)limit, (void)name; }
void __sheaf_nullness(unsigned char *null, const void *p) { (void)p, *null = 0; }
int __sheaf_stream(void *p, size_t max, const char *name) { (void)p, (void)max, (void)name; return open("/dev/null", O_RDWR); }

/* What waits behind descriptors 0 to 15. */
enum { FDS = 16 };
static struct {
    char *data;
    size_t n;
} waiting[FDS];

static long out(int fd, const void *data, size_t n)
{
    long done = write(fd, data, n);
    return done < 0 ? -errno : done;
}

static long flush(int fd)
{
    if (fd < 0 || fd >= FDS)
        return 0;
    out(fd, waiting[fd].data, waiting[fd].n);
    waiting[fd].n = 0;
    return 0;
}

static void flush_all(void)
{
    for (int fd = 0; fd < FDS; fd++)
        flush(fd);
}

long __sheaf_write(int fd, const void *data, size_t n)
{
    int real = fd & ~SHEAF_PENDING;
    if (real == fd || real >= FDS)
        return out(real, data, n);
    waiting[real].data = realloc(waiting[real].data, waiting[real].n + n + 1);
    memcpy(waiting[real].data + waiting[real].n, data, n);
    waiting[real].n += n;
    return real == 2 ? (flush(real), (long)n) : (long)n;
}

long __sheaf_put(int fd, const void *data, size_t n)
{
    long done = __sheaf_write(fd, data, n);
    return done < 0 ? done : (long)n - done;
}

long __sheaf_control(int fd, int what, long value)
{
    (void)value;
    switch (what) {
    case CONTROL_FLUSH:
        return flush(fd);
    case CONTROL_DROP:
        waiting[fd].n = 0;
        return 0;
    case CONTROL_WAITING:
        return (long)waiting[fd].n;
    default:
        return 0;
    }
}

/* The host's printf does one conversion. */
static int convert(char *to, size_t cap, const char *spec, long width, long precision, const void *value, size_t size)
{
    size_t flags = strlen(spec) - 1;
    char format[64], letter = spec[flags];
    const char *length = strchr("diuoxX", letter) ? (size == 8   ? "l"
                                                     : size == 2 ? "h"
                                                     : size == 1 ? "hh"
                                                                 : "")
                         : strchr("cp", letter)   ? ""
                         : size == 16             ? "L"
                                                  : "";
    snprintf(format, sizeof format, "%%%.*s*.*%s%c", (int)flags, spec, length, letter);
    int w = (int)width, p = (int)precision;
    if (strchr("eEfFgGaA", letter)) {
        long double wide = 0;
        double narrow = 0;
        memcpy(size == 16 ? (void *)&wide : (void *)&narrow, value, size);
        return size == 16 ? snprintf(to, cap, format, w, p, wide) : snprintf(to, cap, format, w, p, narrow);
    }
    long integer = 0;
    memcpy(&integer, value, size < 8 ? size : 8);
    return size == 8 ? snprintf(to, cap, format, w, p, integer) : snprintf(to, cap, format, w, p, (int)integer);
}

static long left;

long __sheaf_sent(int fd)
{
    (void)fd;
    return left;
}

long __sheaf_emit(int fd, const char *spec, long width, long precision, const void *value, size_t size)
{
    int n = convert(NULL, 0, spec, width, precision, value, size);
    char *text = malloc((size_t)n + 1);
    convert(text, (size_t)n + 1, spec, width, precision, value, size);
    left = __sheaf_put(fd, text, (size_t)n);
    free(text);
    return n;
}

long __sheaf_format_float(char *to, size_t cap, const char *spec, long width, long precision, const void *value,
                          size_t size)
{
    int n = convert(NULL, 0, spec, width, precision, value, size);
    char *text = malloc((size_t)n + 1);
    convert(text, (size_t)n + 1, spec, width, precision, value, size);
    memcpy(to, text, (size_t)n < cap ? (size_t)n : cap);
    free(text);
    return n;
}

long __sheaf_parse_float(const char *text, void *to, size_t size)
{
    char *end;
    errno = 0;
    if (size == 4)
        *(float *)to = strtof(text, &end);
    else if (size == 8)
        *(double *)to = strtod(text, &end);
    else
        *(long double *)to = strtold(text, &end);
    return errno == ERANGE ? -1 - (end - text) : end - text;
}

_Noreturn void __sheaf_fault(const char *kind, const char *text)
{
    (void)kind;
    __sheaf_report(text);
}

int __sheaf_is_symbolic(unsigned long value)
{
    (void)value;
    return 0;
}

void __sheaf_differs(const char *text)
{
    (void)text;
}

int __sheaf_protect(void *p, int writable)
{
    (void)p, (void)writable;
    return 0;
}

size_t __sheaf_extent(void *p)
{
    return __sheaf_size(p);
}

/* Windows of any length, as the machine makes them of symbolic bytes: the models must give the same however
 * a string is cut into them. `end`: behind the n bytes there is one that ends the window. */
static size_t cut(size_t n, int end)
{
    static unsigned long state = 1;
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    size_t skip = (state >> 33) % 3 ? 0 : (state >> 40) % (n + 1), seen = (state >> 50) % 4;
    if (seen == 3 || seen > n - skip)
        seen = n - skip + (size_t)end;
    return skip << 32 | seen;
}

size_t __sheaf_window(const void *s, size_t most, int end, int c)
{
    const unsigned char *p = s;
    size_t n = 0;
    while (n < most && n < 32 && p[n] != end && p[n] != c)
        n++;
    return cut(n, n < most && n < 32) & 0xffffffff;
}

size_t __sheaf_window_pair(const void *a, const void *b, size_t most, int end, int folded)
{
    const unsigned char *p = a, *q = b;
    size_t n = 0;
    while (n < most && n < 32 && (p[n] == q[n] || (folded && (p[n] ^ q[n]) == 32 && isalpha(p[n]))) && p[n] != end)
        n++;
    return cut(n, n < most && n < 32);
}

unsigned char __sheaf_peek(const void *p)
{
    return *(const unsigned char *)p;
}

int __sheaf_environment(int what, void *p, size_t n, const char *name)
{
    (void)what, (void)p, (void)n, (void)name;
    return 0;                                    /* fixed */
}

long __sheaf_clock(int which)
{
    (void)which;
    return 1700000000l * 1000000000;
}

long __sheaf_read(int fd, void *buffer, size_t n)
{
    long done = read(fd, buffer, n);
    return done < 0 ? -errno : done;
}

int __sheaf_open(const char *path, int flags, int mode)
{
    int fd = open(path, flags, mode);
    return fd < 0 ? -errno : fd;
}

int __sheaf_close(int fd)
{
    return close(fd) < 0 ? -errno : 0;
}

long __sheaf_seek(int fd, long offset, int whence)
{
    long at = lseek(fd, offset, whence);
    return at < 0 ? -errno : at;
}

int __sheaf_truncate(int fd, long size)
{
    return ftruncate(fd, size) < 0 ? -errno : 0;
}

static int fill(int result, const struct stat *s, long to[4])
{
    if (result < 0)
        return -errno;
    to[0] = s->st_mode, to[1] = s->st_size, to[2] = (long)s->st_ino, to[3] = (long)s->st_nlink;
    return 0;
}

int __sheaf_stat_fd(int fd, long to[4])
{
    struct stat s;
    return fill(fstat(fd, &s), &s, to);
}

int __sheaf_stat_path(const char *path, long to[4])
{
    struct stat s;
    return fill(stat(path, &s), &s, to);
}

int __sheaf_unlink(const char *path)
{
    return unlink(path) < 0 ? -errno : 0;
}

#define ABSENT(name, ...)                                                                                              \
    name(__VA_ARGS__)                                                                                                  \
    {                                                                                                                  \
        return -ENOSYS;                                                                                                \
    }
ABSENT(int __sheaf_rename, const char *from __attribute__((unused)), const char *to __attribute__((unused)))
ABSENT(int __sheaf_dup, int fd __attribute__((unused)), int target __attribute__((unused)),
       int exact __attribute__((unused)))
ABSENT(int __sheaf_pipe, int fds[2] __attribute__((unused)))
ABSENT(int __sheaf_mkdir, const char *path __attribute__((unused)), int mode __attribute__((unused)))
ABSENT(int __sheaf_rmdir, const char *path __attribute__((unused)))
ABSENT(int __sheaf_chdir, const char *path __attribute__((unused)))
ABSENT(int __sheaf_chmod, const char *path __attribute__((unused)), int mode __attribute__((unused)))
ABSENT(long __sheaf_path, int fd __attribute__((unused)), char *to __attribute__((unused)),
       size_t cap __attribute__((unused)))
ABSENT(long __sheaf_entry, int fd __attribute__((unused)), char *to __attribute__((unused)),
       size_t cap __attribute__((unused)), long stat[4] __attribute__((unused)))

void __sheaf_constructors(int argc, char **argv, char **envp)
{
    (void)argc, (void)argv, (void)envp;
}

void __sheaf_destructors(void)
{
}

#ifndef HOST_WITHOUT_MAIN
int main(int argc, char **argv, char **envp)
{
    rt___sheaf_start(argc, argv, envp);
}
#endif
