/* status.c - names in the modelled file system: stat and its kin, access, unlink, directories, modes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "posix.h"

static int mask = 022;

int __sheaf_umask(void) { return mask; }

mode_t umask(mode_t bits)
{
    int before = mask;
    mask = (int)bits & 0777;
    return (mode_t)before;
}

const char *__sheaf_path_at(int directory, const char *path, char *out)
{
    if (directory == AT_FDCWD || *path == '/' || !*path)
        return path;
    long n = with_errno(__sheaf_path(directory, out, PATH_MAX));
    if (n < 0)
        return NULL;
    size_t size = strlen(path);
    if ((size_t)n + size + 2 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    out[n] = '/';
    __builtin_memcpy(out + n + 1, path, size + 1);
    return out;
}

/* ---- stat ------------------------------------------------------------------------------------ */

/* Times are zero: a file has no history here. */
static int fill(int result, const long status[4], struct stat *out)
{
    if (result < 0)
        return (int)with_errno(result);
    *out = (struct stat){
        .st_dev = 0x801,
        .st_ino = (ino_t)status[2],
        .st_mode = (mode_t)status[0],
        .st_nlink = (nlink_t)status[3],
        .st_uid = getuid(),
        .st_gid = getgid(),
        .st_size = status[1],
        .st_blksize = 4096,
        .st_blocks = (status[1] + 511) / 512,
    };
    return 0;
}

static int stat_path(const char *path, struct stat *out)
{
    long status[4];
    return fill(__sheaf_stat_path(path, status), status, out);
}

static int stat_fd(int fd, struct stat *out)
{
    long status[4];
    return fill(__sheaf_stat_fd(fd, status), status, out);
}

static int stat_at(int directory, const char *path, struct stat *out, int flags)
{
    char absolute[PATH_MAX];
    if (!*path && flags & AT_EMPTY_PATH && directory != AT_FDCWD)
        return stat_fd(directory, out);
    path = __sheaf_path_at(directory, path, absolute);
    return path ? stat_path(path, out) : -1;
}

/* struct stat64 is struct stat on this target. */
#define STATS(suffix, type)                                                                      \
    int stat##suffix(const char *restrict path, type *restrict out)                              \
    {                                                                                            \
        return stat_path(path, (struct stat *)out);                                              \
    }                                                                                            \
    int lstat##suffix(const char *restrict path, type *restrict out)                             \
    {                                                                                            \
        return stat_path(path, (struct stat *)out);                                              \
    }                                                                                            \
    int fstat##suffix(int fd, type *out) { return stat_fd(fd, (struct stat *)out); }             \
    int fstatat##suffix(int directory, const char *restrict path, type *restrict out, int flags) \
    {                                                                                            \
        return stat_at(directory, path, (struct stat *)out, flags);                              \
    }                                                                                            \
    int __xstat##suffix(int version, const char *path, type *out);                               \
    int __xstat##suffix(int version, const char *path, type *out)                                \
    {                                                                                            \
        (void)version;                                                                           \
        return stat_path(path, (struct stat *)out);                                              \
    }                                                                                            \
    int __lxstat##suffix(int version, const char *path, type *out);                              \
    int __lxstat##suffix(int version, const char *path, type *out)                               \
    {                                                                                            \
        (void)version;                                                                           \
        return stat_path(path, (struct stat *)out);                                              \
    }                                                                                            \
    int __fxstat##suffix(int version, int fd, type *out);                                        \
    int __fxstat##suffix(int version, int fd, type *out)                                         \
    {                                                                                            \
        (void)version;                                                                           \
        return stat_fd(fd, (struct stat *)out);                                                  \
    }
STATS(, struct stat)
STATS(64, struct stat64)

static int may_access(const char *path, int how)
{
    long status[4];
    int result = __sheaf_stat_path(path, status);
    if (result == 0 && ((unsigned long)how & ~(unsigned long)(status[0] >> 6) & 7))
        result = -EACCES;
    return (int)with_errno(result);
}

int access(const char *path, int how) { return may_access(path, how); }

int eaccess(const char *path, int how) { return may_access(path, how); }

int euidaccess(const char *path, int how) { return may_access(path, how); }

int faccessat(int directory, const char *path, int how, int flags)
{
    char absolute[PATH_MAX];
    (void)flags;
    path = __sheaf_path_at(directory, path, absolute);
    return path ? may_access(path, how) : -1;
}

/* ---- names ----------------------------------------------------------------------------------- */

int unlink(const char *path) { return (int)with_errno(__sheaf_unlink(path)); }

int rmdir(const char *path) { return (int)with_errno(__sheaf_rmdir(path)); }

int unlinkat(int directory, const char *path, int flags)
{
    char absolute[PATH_MAX];
    path = __sheaf_path_at(directory, path, absolute);
    if (!path)
        return -1;
    return (int)with_errno(flags & AT_REMOVEDIR ? __sheaf_rmdir(path) : __sheaf_unlink(path));
}

int mkdir(const char *path, mode_t mode) { return (int)with_errno(__sheaf_mkdir(path, (int)mode & ~mask)); }

int mkdirat(int directory, const char *path, mode_t mode)
{
    char absolute[PATH_MAX];
    path = __sheaf_path_at(directory, path, absolute);
    return path ? (int)with_errno(__sheaf_mkdir(path, (int)mode & ~mask)) : -1;
}

int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    char absolute_from[PATH_MAX], absolute_to[PATH_MAX];
    from = __sheaf_path_at(from_directory, from, absolute_from);
    to = from ? __sheaf_path_at(to_directory, to, absolute_to) : NULL;
    return to ? (int)with_errno(__sheaf_rename(from, to)) : -1;
}

int chdir(const char *path) { return (int)with_errno(__sheaf_chdir(path)); }

int fchdir(int fd)
{
    char path[PATH_MAX];
    long n = __sheaf_path(fd, path, sizeof path);
    return (int)with_errno(n < 0 ? n : __sheaf_chdir(path));
}

static char *working_directory(char *out, size_t size)
{
    char path[PATH_MAX];
    long n = __sheaf_path(AT_FDCWD, path, sizeof path);
    if (out && !size)
        n = -EINVAL;
    else if (size && n >= 0 && (size_t)n >= size)
        n = -ERANGE;
    if (with_errno(n) < 0)
        return NULL;
    if (!out && !(out = malloc(size ? size : (size_t)n + 1)))
        return NULL;
    return __builtin_memcpy(out, path, (size_t)n + 1);
}

char *getcwd(char *out, size_t size) { return working_directory(out, size); }

char *__getcwd_chk(char *out, size_t size, size_t capacity);

char *__getcwd_chk(char *out, size_t size, size_t capacity)
{
    if (size > capacity)
        __chk_fail();
    return working_directory(out, size);
}

char *get_current_dir_name(void) { return working_directory(NULL, 0); }

char *getwd(char *out) { return working_directory(out, PATH_MAX); }

/* There are no symbolic links: what exists is none. */
static ssize_t no_link(const char *path)
{
    long status[4];
    int result = __sheaf_stat_path(path, status);
    return with_errno(result < 0 ? result : -EINVAL);
}

ssize_t readlink(const char *restrict path, char *restrict out, size_t size)
{
    (void)out, (void)size;
    return no_link(path);
}

ssize_t readlinkat(int directory, const char *restrict path, char *restrict out, size_t size)
{
    char absolute[PATH_MAX];
    (void)out, (void)size;
    path = __sheaf_path_at(directory, path, absolute);
    return path ? no_link(path) : -1;
}

static char *real_path(const char *path, char *out)
{
    char here[PATH_MAX], *result = NULL;
    long status[4];
    int found = __sheaf_stat_path(path, status);
    if (with_errno(found) < 0 || __sheaf_path(AT_FDCWD, here, sizeof here) < 0)
        return NULL;
    /* The directory's own path is known to the machine; so step into it and ask. */
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    char parent[PATH_MAX];
    bool directory = S_ISDIR(status[0]);
    size_t n = directory ? strlen(path) : slash ? (size_t)(slash - path) + 1 : 0;
    __builtin_memcpy(parent, path, n);
    parent[n] = 0;
    if (n == 0 || __sheaf_chdir(parent) == 0) {
        char absolute[PATH_MAX];
        long length = __sheaf_path(AT_FDCWD, absolute, sizeof absolute);
        __sheaf_chdir(here);
        if (!directory) {
            length -= length == 1;
            absolute[length++] = '/';
            size_t size = strlen(last);
            __builtin_memcpy(absolute + length, last, size);
            length += (long)size;
        }
        absolute[length] = 0;
        result = out ? out : malloc((size_t)length + 1);
        if (result)
            __builtin_memcpy(result, absolute, (size_t)length + 1);
    }
    return result;
}

char *realpath(const char *restrict path, char *restrict out) { return real_path(path, out); }

char *__realpath_chk(const char *path, char *out, size_t capacity);

char *__realpath_chk(const char *path, char *out, size_t capacity)
{
    if (capacity < PATH_MAX)
        __chk_fail();
    return real_path(path, out);
}

char *canonicalize_file_name(const char *path) { return real_path(path, NULL); }

int chmod(const char *path, mode_t mode) { return (int)with_errno(__sheaf_chmod(path, (int)mode)); }

int fchmod(int fd, mode_t mode) { return (int)with_errno(__sheaf_control(fd, CONTROL_CHMOD, (long)mode)); }

int fchmodat(int directory, const char *path, mode_t mode, int flags)
{
    char absolute[PATH_MAX];
    (void)flags;
    path = __sheaf_path_at(directory, path, absolute);
    return path ? (int)with_errno(__sheaf_chmod(path, (int)mode)) : -1;
}

static int exists(const char *path)
{
    long status[4];
    return (int)with_errno(__sheaf_stat_path(path, status));
}

int chown(const char *path, uid_t owner, gid_t group)
{
    (void)owner, (void)group;
    return exists(path);
}

int lchown(const char *path, uid_t owner, gid_t group)
{
    (void)owner, (void)group;
    return exists(path);
}

int fchown(int fd, uid_t owner, gid_t group)
{
    long status[4];
    (void)owner, (void)group;
    return (int)with_errno(__sheaf_stat_fd(fd, status));
}

int utime(const char *path, const struct utimbuf *times)
{
    (void)times;
    return exists(path);
}

int utimes(const char *path, const struct timeval times[2]);
int utimensat(int directory, const char *path, const struct timespec times[2], int flags);
int futimens(int fd, const struct timespec times[2]);

int utimes(const char *path, const struct timeval times[2])
{
    (void)times;
    return exists(path);
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags)
{
    char absolute[PATH_MAX];
    (void)times, (void)flags;
    path = __sheaf_path_at(directory, path, absolute);
    return path ? exists(path) : -1;
}

int futimens(int fd, const struct timespec times[2])
{
    long status[4];
    (void)times;
    return (int)with_errno(__sheaf_stat_fd(fd, status));
}

static long limit_of(int name)
{
    switch (name) {
    case _PC_PATH_MAX: return PATH_MAX;
    case _PC_NAME_MAX: return NAME_MAX;
    case _PC_PIPE_BUF: return PIPE_BUF;
    case _PC_LINK_MAX: return 127;
    default: return -1;
    }
}

long pathconf(const char *path, int name)
{
    (void)path;
    return limit_of(name);
}

long fpathconf(int fd, int name)
{
    (void)fd;
    return limit_of(name);
}
