/* libgen.c - the names of a path's parts. Both may write into their argument, as POSIX allows. */
#include <libgen.h>
#include <string.h>

#include "internal.h"

static size_t without_slashes(const char *path, size_t length)
{
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

char *__xpg_basename(char *path)
{
    if (!path || !*path)
        return ".";
    size_t length = without_slashes(path, strlen(path));
    if (length == 1 && *path == '/') /* nothing but slashes: the last of them */
        return path + strlen(path) - 1;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *dirname(char *path)
{
    if (!path || !*path)
        return ".";
    size_t length = without_slashes(path, strlen(path));
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length == 0)
        return ".";
    size_t kept = without_slashes(path, length);
    if (kept == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
        kept = 2; /* POSIX leaves the meaning of "//" to the system */
    path[kept] = '\0';
    return path;
}
