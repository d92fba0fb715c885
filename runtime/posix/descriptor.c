/* descriptor.c - unistd.h and fcntl.h on descriptors: opening, reading, writing, duplicating. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "posix.h"

void __sheaf_broken_pipe(long result)
{
    if (result == -EPIPE)
        raise(SIGPIPE);
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_path(const char *path, int flags, int mode)
{
    return (int)with_errno(__sheaf_open(path, flags, mode & ~__sheaf_umask()));
}

static int open_at(int directory, const char *path, int flags, int mode)
{
    char absolute[PATH_MAX];
    path = __sheaf_path_at(directory, path, absolute);
    return path ? open_path(path, flags, mode) : -1;
}

/* The third argument is there only if a file may be made. */
#define OPENS(header, last, call)                                  \
    header;                                                        \
    header                                                         \
    {                                                              \
        int mode = 0;                                              \
        if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) { \
            va_list args;                                          \
            va_start(args, last);                                  \
            mode = va_arg(args, int);                              \
            va_end(args);                                          \
        }                                                          \
        return call;                                               \
    }
OPENS(int open(const char *path, int flags, ...), flags, open_path(path, flags, mode))
OPENS(int open64(const char *path, int flags, ...), flags, open_path(path, flags, mode))
OPENS(int openat(int directory, const char *path, int flags, ...), flags,
      open_at(directory, path, flags, mode))
OPENS(int openat64(int directory, const char *path, int flags, ...), flags,
      open_at(directory, path, flags, mode))

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

int __open_2(const char *path, int flags) { return open_path(path, flags, 0); }

int __open64_2(const char *path, int flags) { return open_path(path, flags, 0); }

int creat(const char *path, mode_t mode) { return open_path(path, O_WRONLY | O_CREAT | O_TRUNC, (int)mode); }

int creat64(const char *path, mode_t mode)
{
    return open_path(path, O_WRONLY | O_CREAT | O_TRUNC, (int)mode);
}

int close(int fd) { return (int)with_errno(__sheaf_close(fd)); }

int close_range(unsigned first, unsigned last, int flags)
{
    (void)flags;
    for (unsigned fd = first; fd <= last && fd < 1024; fd++)
        __sheaf_close((int)fd);
    return 0;
}

void closefrom(int first)
{
    for (int fd = first; fd < 1024; fd++)
        __sheaf_close(fd);
}

/* ---- reading and writing --------------------------------------------------------------------- */

/* The kernel takes no address that is surely none: an error, not a crash. */
static bool is_nowhere(const void *address, size_t size) { return (address == NULL) & (size != 0); }

static ssize_t refuse_nowhere(long result) { return with_errno(result < 0 ? result : -EFAULT); }

ssize_t read(int fd, void *out, size_t size)
{
    enum { WHOLE, FAILS, SHORT };
    unsigned char outcome = WHOLE;
    if (__sheaf_environment(ENV_READ, &outcome, sizeof outcome, "env.read"))
        __sheaf_assume(outcome <= (size > 1 ? SHORT : FAILS));
    if (outcome == FAILS)
        return with_errno(-EIO);
    if (outcome == SHORT) {
        decided();
        size = 1;
    }
    if (is_nowhere(out, size))
        return refuse_nowhere(__sheaf_read(fd, out, 0));
    return with_errno(__sheaf_read(fd, out, size));
}

ssize_t __read_chk(int fd, void *out, size_t size, size_t capacity);

ssize_t __read_chk(int fd, void *out, size_t size, size_t capacity)
{
    if (size > capacity)
        __chk_fail();
    return with_errno(__sheaf_read(fd, out, size));
}

static ssize_t write_all(int fd, const void *data, size_t size)
{
    long n = __sheaf_write(fd, data, size);
    if (n >= 0)
        return n;
    __sheaf_broken_pipe(n);
    return with_errno(n);
}

ssize_t write(int fd, const void *data, size_t size)
{
    if (is_nowhere(data, size))
        return refuse_nowhere(__sheaf_write(fd, data, 0));
    return write_all(fd, data, size);
}

static off_t seek(int fd, off_t offset, int whence) { return with_errno(__sheaf_seek(fd, offset, whence)); }

off_t lseek(int fd, off_t offset, int whence) { return seek(fd, offset, whence); }

off64_t lseek64(int fd, off64_t offset, int whence) { return seek(fd, offset, whence); }

/* At a place of its own, the descriptor's place unmoved. */
static ssize_t at_offset(int fd, void *out, const void *data, size_t size, off_t offset)
{
    long before = __sheaf_seek(fd, 0, SEEK_CUR);
    if (before < 0)
        return with_errno(before);
    long moved = offset < 0 ? -EINVAL : __sheaf_seek(fd, offset, SEEK_SET);
    if (moved < 0)
        return with_errno(moved);
    long n = out ? __sheaf_read(fd, out, size) : __sheaf_write(fd, data, size);
    __sheaf_seek(fd, before, SEEK_SET);
    return with_errno(n);
}

ssize_t pread(int fd, void *out, size_t size, off_t offset) { return at_offset(fd, out, NULL, size, offset); }

ssize_t pread64(int fd, void *out, size_t size, off64_t offset)
{
    return at_offset(fd, out, NULL, size, offset);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    return at_offset(fd, NULL, data, size, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
    return at_offset(fd, NULL, data, size, offset);
}

ssize_t readv(int fd, const struct iovec *parts, int n)
{
    ssize_t total = 0;
    for (int i = 0; i < n; i++) {
        long got = __sheaf_read(fd, parts[i].iov_base, parts[i].iov_len);
        if (got < 0)
            return total ? total : with_errno(got);
        total += got;
        if ((size_t)got < parts[i].iov_len)
            break;
    }
    return total;
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
    ssize_t total = 0;
    for (int i = 0; i < n; i++) {
        ssize_t done = write_all(fd, parts[i].iov_base, parts[i].iov_len);
        if (done < 0)
            return total ? total : done;
        total += done;
    }
    return total;
}

static int synchronise(int fd)
{
    long status[4];
    return (int)with_errno(__sheaf_stat_fd(fd, status));
}

int fsync(int fd) { return synchronise(fd); }

int fdatasync(int fd) { return synchronise(fd); }

void sync(void) {}

static int set_size(int fd, off_t size) { return (int)with_errno(__sheaf_truncate(fd, size)); }

int ftruncate(int fd, off_t size) { return set_size(fd, size); }

int ftruncate64(int fd, off64_t size) { return set_size(fd, size); }

static int set_size_of(const char *path, off_t size)
{
    int fd = __sheaf_open(path, O_WRONLY, 0);
    if (fd < 0)
        return (int)with_errno(fd);
    int result = set_size(fd, size);
    __sheaf_close(fd);
    return result;
}

int truncate(const char *path, off_t size) { return set_size_of(path, size); }

int truncate64(const char *path, off64_t size) { return set_size_of(path, size); }

static int reserve(int fd, off_t offset, off_t size)
{
    long status[4];
    int error = __sheaf_stat_fd(fd, status);
    if (!error && (offset < 0 || size <= 0))
        error = -EINVAL;
    if (!error && status[1] < offset + size)
        error = __sheaf_truncate(fd, offset + size);
    return -error;
}

int posix_fallocate(int fd, off_t offset, off_t size) { return reserve(fd, offset, size); }

int posix_fallocate64(int fd, off64_t offset, off64_t size) { return reserve(fd, offset, size); }

int fallocate(int fd, int mode, off_t offset, off_t size)
{
    return (int)with_errno(mode ? -EOPNOTSUPP : -reserve(fd, offset, size));
}

int posix_fadvise(int fd, off_t offset, off_t size, int advice)
{
    (void)offset, (void)size, (void)advice;
    long status[4];
    return -__sheaf_stat_fd(fd, status);
}

/* ---- duplicating ----------------------------------------------------------------------------- */

int dup(int fd) { return (int)with_errno(__sheaf_dup(fd, 0, 0)); }

int dup2(int fd, int to) { return (int)with_errno(__sheaf_dup(fd, to, 1)); }

int dup3(int fd, int to, int flags)
{
    int result = fd == to ? -EINVAL : __sheaf_dup(fd, to, 1);
    if (result >= 0 && flags & O_CLOEXEC)
        __sheaf_control(to, CONTROL_SET_CLOEXEC, FD_CLOEXEC);
    return (int)with_errno(result);
}

static int make_pipe(int fds[2], int flags)
{
    int result = __sheaf_pipe(fds);
    for (int i = 0; i < 2 && result == 0; i++) {
        if (flags & O_NONBLOCK)
            __sheaf_control(fds[i], CONTROL_SET_FLAGS, O_NONBLOCK);
        if (flags & O_CLOEXEC)
            __sheaf_control(fds[i], CONTROL_SET_CLOEXEC, FD_CLOEXEC);
    }
    return (int)with_errno(result);
}

int pipe(int fds[2]) { return make_pipe(fds, 0); }

int pipe2(int fds[2], int flags) { return make_pipe(fds, flags); }

static long control(int fd, int command, long value)
{
    int copy;
    switch (command) {
    case F_DUPFD: return __sheaf_dup(fd, (int)value, 0);
    case F_DUPFD_CLOEXEC:
        copy = __sheaf_dup(fd, (int)value, 0);
        if (copy >= 0)
            __sheaf_control(copy, CONTROL_SET_CLOEXEC, FD_CLOEXEC);
        return copy;
    case F_GETFD: return __sheaf_control(fd, CONTROL_GET_CLOEXEC, 0);
    case F_SETFD: return __sheaf_control(fd, CONTROL_SET_CLOEXEC, value);
    case F_GETFL: return __sheaf_control(fd, CONTROL_GET_FLAGS, 0);
    case F_SETFL: return __sheaf_control(fd, CONTROL_SET_FLAGS, value);
    case F_GETLK: ((struct flock *)value)->l_type = F_UNLCK; return 0;
    case F_SETLK: /* no other process could hold a lock */
    case F_SETLKW: return 0;
    default: return -EINVAL;
    }
}

/* The third argument: none, an int, or a pointer. */
static long control_value(int command, va_list args)
{
    switch (command) {
    case F_GETFD:
    case F_GETFL:
    case F_GETOWN: return 0;
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW: return (long)va_arg(args, void *);
    default: return va_arg(args, int);
    }
}

#define CONTROLS(name)                                       \
    int name(int fd, int command, ...)                       \
    {                                                        \
        va_list args;                                        \
        va_start(args, command);                             \
        long value = control_value(command, args);           \
        va_end(args);                                        \
        return (int)with_errno(control(fd, command, value)); \
    }
CONTROLS(fcntl)
CONTROLS(fcntl64)

int flock(int fd, int operation);

int flock(int fd, int operation)
{
    (void)operation;
    return synchronise(fd);
}

int lockf(int fd, int command, off_t size)
{
    (void)command, (void)size;
    return synchronise(fd);
}

/* ---- terminals: there are none --------------------------------------------------------------- */

static int no_terminal(int fd)
{
    long status[4];
    int result = __sheaf_stat_fd(fd, status);
    return result < 0 ? result : -ENOTTY;
}

int isatty(int fd)
{
    with_errno(no_terminal(fd));
    return 0;
}

char *ttyname(int fd)
{
    with_errno(no_terminal(fd));
    return NULL;
}

int ttyname_r(int fd, char *out, size_t size)
{
    (void)out, (void)size;
    return -no_terminal(fd);
}

int ioctl(int fd, unsigned long request, ...)
{
    if (request != FIONREAD)
        return (int)with_errno(no_terminal(fd));
    long n = with_errno(__sheaf_control(fd, CONTROL_READABLE, 0));
    if (n < 0)
        return -1;
    va_list args;
    va_start(args, request);
    *va_arg(args, int *) = (int)n;
    va_end(args);
    return 0;
}
