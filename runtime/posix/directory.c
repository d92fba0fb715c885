/* directory.c - dirent.h over the modelled file system. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "posix.h"

struct __dirstream {
    int fd;
    long entry; /* how many were read, for telldir */
    struct dirent current;
};

static DIR *over(int fd)
{
    DIR *d = __sheaf_alloc(sizeof *d, 16, 1);
    if (!d) {
        errno = ENOMEM;
        return NULL;
    }
    d->fd = fd;
    return d;
}

static DIR *open_directory(const char *path)
{
    int fd = (int)with_errno(__sheaf_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
    return fd < 0 ? NULL : over(fd);
}

DIR *opendir(const char *path) { return open_directory(path); }

DIR *fdopendir(int fd)
{
    char path[PATH_MAX];
    return with_errno(__sheaf_path(fd, path, sizeof path)) < 0 ? NULL : over(fd);
}

static int close_directory(DIR *d)
{
    int result = (int)with_errno(__sheaf_close(d->fd));
    __sheaf_free(d);
    return result;
}

int closedir(DIR *d) { return close_directory(d); }

int dirfd(DIR *d) { return d->fd; }

static struct dirent *next_entry(DIR *d)
{
    long status[4];
    long n = __sheaf_entry(d->fd, d->current.d_name, sizeof d->current.d_name, status);
    if (n <= 0) {
        with_errno(n);
        return NULL;
    }
    d->current.d_ino = (ino_t)status[2];
    d->current.d_type = (unsigned char)IFTODT(status[0]);
    d->current.d_off = ++d->entry;
    d->current.d_reclen = sizeof d->current;
    return &d->current;
}

struct dirent *readdir(DIR *d) { return next_entry(d); }

struct dirent64 *readdir64(DIR *d) { return (struct dirent64 *)next_entry(d); }

int readdir_r(DIR *restrict d, struct dirent *restrict out, struct dirent **restrict result)
{
    int before = errno;
    errno = 0;
    struct dirent *entry = next_entry(d);
    int error = errno;
    errno = before;
    if (entry)
        *out = *entry;
    *result = entry ? out : NULL;
    return error;
}

static void to_start(DIR *d)
{
    __sheaf_seek(d->fd, 0, SEEK_SET);
    d->entry = 0;
}

void rewinddir(DIR *d) { to_start(d); }

long telldir(DIR *d) { return d->entry; }

void seekdir(DIR *d, long entry)
{
    to_start(d);
    while (d->entry < entry && next_entry(d))
        ;
}

int alphasort(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void drop_list(struct dirent **list, size_t n)
{
    while (n)
        free(list[--n]);
    free(list);
}

typedef int Select(const struct dirent *);
typedef int Compare(const struct dirent **, const struct dirent **);

static int scan(const char *path, struct dirent ***out, Select *select, Compare *compare)
{
    DIR *d = open_directory(path);
    struct dirent **list = NULL, *entry;
    size_t n = 0;
    if (!d)
        return -1;
    while ((entry = next_entry(d))) {
        if (select && !select(entry))
            continue;
        struct dirent **longer = realloc(list, (n + 1) * sizeof *list);
        struct dirent *copy = malloc(sizeof *copy);
        list = longer ? longer : list;
        if (!longer || !copy) {
            free(copy);
            drop_list(list, n);
            close_directory(d);
            return -1;
        }
        *copy = *entry;
        list[n++] = copy;
    }
    close_directory(d);
    if (compare && n)
        qsort(list, n, sizeof *list, (int (*)(const void *, const void *))compare);
    *out = list;
    return (int)n;
}

int scandir(const char *restrict path, struct dirent ***restrict out, Select *select, Compare *compare)
{
    return scan(path, out, select, compare);
}

/* The structures with and without 64 are the same on this target. */
int scandir64(const char *restrict path, struct dirent64 ***restrict out,
              int (*select)(const struct dirent64 *),
              int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
    return scan(path, (struct dirent ***)out, (Select *)select, (Compare *)compare);
}

int alphasort64(const struct dirent64 **a, const struct dirent64 **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}
