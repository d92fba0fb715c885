/* file.c - whole files in, whole files out. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_AT_ONCE = 64 << 10, NAME_TRIES = 100, DIRECTORY_DEPTH = 32 };

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_all(int fd, size_t limit, Str *out)
{
    for (;;) {
        vec_reserve(out, out->n + READ_AT_ONCE);
        ssize_t got = read(fd, out->v + out->n, out->cap - out->n - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        out->n += (uint32_t)got;
        out->v[out->n] = 0;
        if (!got)
            return true;
        if (out->n > limit) {
            errno = EFBIG;
            return false;
        }
    }
}

bool file_read(const char *path, size_t limit, Str *out)
{
    vec_clear(out);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    size_t most = UINT32_MAX / 2; /* of a Str, with room to grow */
    bool ok = read_all(fd, limit < most ? limit : most, out);
    int why = errno;
    close(fd);
    if (!ok)
        vec_clear(out);
    errno = why;
    return ok;
}

bool file_exists(const char *path) { return !access(path, F_OK); }

/* ---- writing --------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t put = write(fd, data, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        data += put;
        size -= (size_t)put;
    }
    return true;
}

/* Writes and closes fd; errno is of the first failure. */
static bool write_and_close(int fd, const void *data, size_t size)
{
    bool ok = write_all(fd, data, size);
    int why = errno;
    if (close(fd) && ok)
        return false;
    errno = why;
    return ok;
}

/* Opens a new file beside path, whose name is left in name. */
static int open_beside(const char *path, Str *name)
{
    for (unsigned i = 0; i < NAME_TRIES; i++) {
        vec_clear(name);
        str_printf(name, "%s.%ld-%u.tmp", path, (long)getpid(), i);
        int fd = open(name->v, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Requires: path is a regular file or does not exist; old is what it was, if it was. */
static bool replace(const char *path, const struct stat *old, const void *data, size_t size)
{
    Str name = {0};
    int fd = open_beside(path, &name);
    bool ok = fd >= 0;
    if (ok) {
        if (old)
            (void)!fchmod(fd, old->st_mode & 07777); /* a courtesy: its failure loses no data */
        ok = write_and_close(fd, data, size) && !rename(name.v, path);
        int why = errno;
        if (!ok)
            unlink(name.v);
        errno = why;
    }
    str_free(&name);
    return ok;
}

bool file_write_atomic(const char *path, const void *data, size_t size)
{
    struct stat old;
    if (stat(path, &old))
        return replace(path, NULL, data, size);
    if (!S_ISREG(old.st_mode)) { /* a terminal, a pipe, /dev/null: must not be replaced by a file */
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        return fd >= 0 && write_and_close(fd, data, size);
    }
    char *real = realpath(path, NULL); /* a symbolic link stays one */
    bool ok = real && replace(real, &old, data, size);
    free(real);
    return ok;
}

bool file_write_at(int directory, const char *name, const char *scratch, const void *data, size_t size)
{
    int fd = openat(directory, scratch, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && write_and_close(fd, data, size) && !renameat(directory, scratch, directory, name);
    int why = errno;
    if (fd >= 0 && !ok)
        unlinkat(directory, scratch, 0);
    errno = why;
    return ok;
}

/* ---- directories ----------------------------------------------------------------------------- */

bool directory_make(const char *path)
{
    char *copy = mem_strdup(path);
    bool ok = true;
    for (char *p = copy; *p && ok; p++) {
        if (p == copy || *p != '/')
            continue;
        *p = 0;
        ok = !mkdir(copy, 0777) || errno == EEXIST;
        *p = '/';
    }
    ok = ok && (!mkdir(copy, 0777) || errno == EEXIST);
    struct stat st;
    if (ok && !stat(path, &st) && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        ok = false;
    }
    mem_free(copy);
    return ok;
}

static int remove_one(const char *path, const struct stat *st, int what, struct FTW *where)
{
    (void)st, (void)what, (void)where;
    remove(path);
    return 0;
}

static int open_up(const char *path, const struct stat *st, int what, struct FTW *where)
{
    (void)st, (void)where;
    if (what == FTW_DNR) /* the program may have taken our rights away */
        chmod(path, 0700);
    return 0;
}

void directory_remove(const char *path)
{
    nftw(path, open_up, DIRECTORY_DEPTH, FTW_PHYS);
    nftw(path, remove_one, DIRECTORY_DEPTH, FTW_DEPTH | FTW_PHYS);
}
