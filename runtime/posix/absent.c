/* absent.c - what the model does not have, said in the words of errno: terminals, children, links, other
 * users. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "posix.h"

static int refuse(int error)
{
    errno = error;
    return -1;
}

static int on_descriptor(int fd, int error)
{
    long status[4];
    int result = __sheaf_stat_fd(fd, status);
    return refuse(result < 0 ? -result : error);
}

/* ---- terminals ------------------------------------------------------------------------------- */

int tcgetattr(int fd, struct termios *out)
{
    (void)out;
    return on_descriptor(fd, ENOTTY);
}

int tcsetattr(int fd, int when, const struct termios *settings)
{
    (void)when, (void)settings;
    return on_descriptor(fd, ENOTTY);
}

int tcflush(int fd, int queue)
{
    (void)queue;
    return on_descriptor(fd, ENOTTY);
}

int tcdrain(int fd) { return on_descriptor(fd, ENOTTY); }

pid_t tcgetpgrp(int fd) { return on_descriptor(fd, ENOTTY); }

int tcsetpgrp(int fd, pid_t group)
{
    (void)group;
    return on_descriptor(fd, ENOTTY);
}

/* ---- children -------------------------------------------------------------------------------- */

pid_t wait(int *status)
{
    (void)status;
    return refuse(ECHILD);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    (void)pid, (void)status, (void)options;
    return refuse(ECHILD);
}

/* ---- names that the file system cannot hold -------------------------------------------------- */

static int refuse_name(const char *path)
{
    long status[4];
    int result = __sheaf_stat_path(path, status);
    return refuse(result == 0 ? EEXIST : result == -ENOENT ? EPERM : -result);
}

int link(const char *from, const char *to)
{
    long status[4];
    int result = __sheaf_stat_path(from, status);
    return result < 0 ? refuse(-result) : refuse_name(to);
}

int symlink(const char *target, const char *path)
{
    (void)target;
    return refuse_name(path);
}

int mkfifo(const char *path, mode_t mode)
{
    (void)mode;
    return refuse_name(path);
}

int mknod(const char *path, mode_t mode, dev_t device)
{
    (void)mode, (void)device;
    return refuse_name(path);
}

int chroot(const char *path)
{
    (void)path;
    return refuse(EPERM);
}

/* ---- what is there, but always the same ------------------------------------------------------ */

static int fill(int result, struct statvfs *out)
{
    if (result < 0)
        return refuse(-result);
    *out = (struct statvfs){.f_bsize = 4096,
                            .f_frsize = 4096,
                            .f_blocks = 1 << 20,
                            .f_bfree = 1 << 19,
                            .f_bavail = 1 << 19,
                            .f_files = 1 << 16,
                            .f_ffree = 1 << 15,
                            .f_favail = 1 << 15,
                            .f_namemax = NAME_MAX};
    return 0;
}

int statvfs(const char *restrict path, struct statvfs *restrict out)
{
    long status[4];
    return fill(__sheaf_stat_path(path, status), out);
}

int fstatvfs(int fd, struct statvfs *out)
{
    long status[4];
    return fill(__sheaf_stat_fd(fd, status), out);
}
