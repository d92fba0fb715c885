/* child.c - see child.h. */
#include "solver/child.h"

#include "solver/sexpr.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPLY_LIMIT = 64 << 20, POLL_MS = 20 };

struct Child {
    char *command;
    pid_t pid; /* 0 if it does not run */
    int to, from;
    Str unread;     /* what it sent beyond the last reply */
    SexprScan scan; /* how far unread was looked at */
};

Child *child_new(const char *command)
{
    Child *c = mem_zalloc(sizeof *c);
    c->command = mem_strdup(command);
    return c;
}

void child_free(Child *c)
{
    if (!c)
        return;
    child_stop(c);
    str_free(&c->unread);
    mem_free(c->command);
    mem_free(c);
}

bool child_running(const Child *c) { return c->pid > 0; }
int child_pid(const Child *c) { return c->pid > 0 ? c->pid : -1; }

/* In the child, between fork and exec: only calls that are safe there. */
_Noreturn static void become(const char *command, pid_t parent, int in, int out)
{
    setpgid(0, 0); /* so that wrappers' children die with them */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_WRONLY);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || (null >= 0 && dup2(null, 2) < 0))
        _exit(127);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

bool child_start(Child *c)
{
    if (child_running(c))
        return true;
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) != 0)
        return false;
    if (pipe2(up, O_CLOEXEC) != 0) {
        close(down[0]), close(down[1]);
        return false;
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(c->command, parent, down[0], up[1]);
    close(down[0]), close(up[1]);
    if (pid < 0) {
        close(down[1]), close(up[0]);
        return false;
    }
    setpgid(pid, pid); /* whichever of us comes first */
    fcntl(down[1], F_SETFL, O_NONBLOCK);
    fcntl(up[0], F_SETFL, O_NONBLOCK);
    c->pid = pid;
    c->to = down[1];
    c->from = up[0];
    vec_clear(&c->unread);
    c->scan = (SexprScan){0};
    return true;
}

bool child_can_start(const char *command)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, PROBE_MS = 2000 };
    int status = 0;
    pid_t parent = getpid(), ended = 0, pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        become(command, parent, null, null);
    }
    if (pid < 0)
        return false;
    setpgid(pid, pid);
    double deadline = clock_seconds() + PROBE_MS / 1000.0;
    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && clock_seconds() < deadline)
        poll(NULL, 0, 1);
    kill(-pid, SIGKILL);
    while (!ended && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    bool missing = ended == pid && WIFEXITED(status) &&
                   (WEXITSTATUS(status) == NOT_FOUND || WEXITSTATUS(status) == NOT_EXECUTABLE);
    return !missing;
}

void child_stop(Child *c)
{
    if (!child_running(c))
        return;
    kill(-c->pid, SIGKILL);
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(c->to), close(c->from);
    c->pid = 0;
    vec_clear(&c->unread);
    c->scan = (SexprScan){0};
}

/* write() whose SIGPIPE is swallowed: the program's own treatment of that signal is not ours to change. */
static ssize_t write_quietly(int fd, const void *data, size_t size)
{
    sigset_t pipe_set, old, pending;
    sigemptyset(&pipe_set);
    sigaddset(&pipe_set, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_set, &old);
    ssize_t n = write(fd, data, size);
    int error = errno;
    if (n < 0 && error == EPIPE && !was_pending) {
        struct timespec zero = {0};
        while (sigtimedwait(&pipe_set, NULL, &zero) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return n;
}

static bool transient(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/* Takes what the child has sent. */
static ChildStatus receive(Child *c)
{
    char piece[16384];
    ssize_t n = read(c->from, piece, sizeof piece);
    if (n == 0 || (n < 0 && !transient()))
        return CHILD_DEAD;
    if (n > 0)
        str_add_n(&c->unread, piece, (size_t)n);
    return c->unread.n > REPLY_LIMIT ? CHILD_FLOOD : CHILD_OK;
}

/* Hands the first whole expression of what was received to the caller. */
static bool take_reply(Child *c, Str *reply)
{
    size_t n = sexpr_whole(&c->scan, c->unread.v, c->unread.n);
    if (n == 0)
        return false;
    c->scan = (SexprScan){0};
    vec_clear(reply);
    str_add_n(reply, c->unread.v, n);
    memmove(c->unread.v, c->unread.v + n, c->unread.n - n);
    c->unread.n -= (uint32_t)n;
    return true;
}

ChildStatus child_ask(Child *c, const char *text, size_t size, double deadline, const volatile bool *stop,
                      Str *reply)
{
    if (!child_running(c))
        return CHILD_DEAD;
    while (size > 0 || reply) {
        if (size == 0 && take_reply(c, reply))
            return CHILD_OK;
        if (stop && *stop)
            return CHILD_STOPPED;
        double left = deadline - clock_seconds();
        if (left <= 0)
            return CHILD_TIMEOUT;
        struct pollfd p[2] = {{.fd = c->from, .events = POLLIN}, {.fd = c->to, .events = POLLOUT}};
        int wait = left * 1000 < POLL_MS ? (int)(left * 1000) + 1 : POLL_MS;
        if (poll(p, size > 0 ? 2 : 1, wait) < 0 && errno != EINTR)
            return CHILD_DEAD;
        if (size > 0 && p[1].revents) {
            ssize_t n = write_quietly(c->to, text, size);
            if (n < 0 && !transient())
                return CHILD_DEAD;
            if (n > 0)
                text += n, size -= (size_t)n;
        }
        if (p[0].revents) {
            ChildStatus got = receive(c);
            if (got != CHILD_OK && !(got == CHILD_DEAD && size == 0 && reply && take_reply(c, reply)))
                return got;
        }
    }
    return CHILD_OK;
}
