/* poll.c - poll and select. Nothing else runs while a program waits, so what is not ready now never will be:
 * a wait with a limit ends at once, as if its time had passed. */
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/stat.h>

#include "posix.h"

/* An empty pipe with a writer is all that has nothing to read. */
static bool readable(int fd)
{
    long status[4];
    if (__sheaf_stat_fd(fd, status) < 0 || !S_ISFIFO(status[0]) || fd == 0)
        return true;
    return __sheaf_control(fd, CONTROL_READABLE, 0) != 0;
}

static short ready(int fd, short events)
{
    long flags = __sheaf_control(fd, CONTROL_GET_FLAGS, 0);
    if (fd < 0)
        return 0;
    if (flags < 0)
        return POLLNVAL;
    bool can_read = (flags & O_ACCMODE) != O_WRONLY, can_write = (flags & O_ACCMODE) != O_RDONLY;
    short result = 0;
    if (events & (POLLIN | POLLRDNORM) && can_read && readable(fd))
        result |= events & (POLLIN | POLLRDNORM);
    if (events & (POLLOUT | POLLWRNORM) && can_write)
        result |= events & (POLLOUT | POLLWRNORM);
    return result;
}

static int poll_all(struct pollfd *fds, nfds_t n)
{
    int count = 0;
    for (nfds_t i = 0; i < n; i++) {
        fds[i].revents = ready(fds[i].fd, fds[i].events);
        count += fds[i].revents != 0;
    }
    return count;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    (void)timeout;
    return poll_all(fds, n);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    (void)timeout, (void)mask;
    return poll_all(fds, n);
}

static int keep_ready(int n, fd_set *set, short event)
{
    int count = 0;
    for (int fd = 0; set && fd < n; fd++) {
        if (!FD_ISSET(fd, set))
            continue;
        short result = event ? ready(fd, event) : 0;
        if (result == POLLNVAL)
            return -1;
        if (result)
            count++;
        else
            FD_CLR(fd, set);
    }
    return count;
}

static int select_ready(int n, fd_set *in, fd_set *out, fd_set *odd)
{
    int readers = keep_ready(n, in, POLLIN), writers = keep_ready(n, out, POLLOUT),
        others = keep_ready(n, odd, 0);
    if (readers < 0 || writers < 0 || others < 0) {
        errno = EBADF;
        return -1;
    }
    return readers + writers;
}

int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd,
           struct timeval *restrict timeout)
{
    (void)timeout;
    return select_ready(n, in, out, odd);
}

int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd,
            const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    (void)timeout, (void)mask;
    return select_ready(n, in, out, odd);
}

long __fdelt_chk(long fd);

long __fdelt_chk(long fd)
{
    if (fd < 0 || fd >= FD_SETSIZE)
        __chk_fail();
    return fd / __NFDBITS;
}
