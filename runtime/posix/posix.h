/* posix.h - shared by the models of POSIX files. */
#ifndef SHEAF_POSIX_POSIX_H
#define SHEAF_POSIX_POSIX_H

#include "../internal.h"

/* A primitive's result as POSIX wants it: -1 with errno, or the result. */
static inline long with_errno(long result)
{
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

int __sheaf_umask(void);               /* the bits that new files do not get */
void __sheaf_broken_pipe(long result); /* raises SIGPIPE if a write's result is -EPIPE */

/* A path relative to an open directory, made absolute in `out` (PATH_MAX bytes) if it has to be: the path to
 * use, or NULL with errno. */
const char *__sheaf_path_at(int directory, const char *path, char *out);

#endif
