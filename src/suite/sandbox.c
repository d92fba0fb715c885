/* sandbox.c - one native run of a program that is not trusted.
 *
 * Always: a process group of its own that is killed at the end, a wall-clock limit, limits on CPU time, file
 * size, core files and the stack, its own directory, no descriptors of ours. Where the kernel lets an
 * ordinary user (namespaces), also: no network, no sight of other processes and none that outlives the run,
 * and a file system that is read-only but for the run's own directories. Memory is limited by the sanitizer,
 * since its shadow needs all of the address space.
 *
 * There are three processes, so that the program is neither our child nor the first process of its namespace,
 * for which the kernel ignores signals that would end any other: keeper (our child, makes the namespaces),
 * first, program. */
#include "suite/suite_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK_LIMIT = 64 << 20 };

/* What the child reports: one byte, and a number behind all but the first. The group is a process of the
 * run, reported if no namespace will end it. */
enum { SAYS_ISOLATED = 'i', SAYS_GROUP = 'g', SAYS_STATUS = 's', SAYS_PROBLEM = 'p' };

/* ---- in the child ---------------------------------------------------------------------------- */

static void say(int fd, char what, int number)
{
    char message[1 + sizeof number];
    message[0] = what;
    memcpy(message + 1, &number, sizeof number);
    while (write(fd, message, sizeof message) < 0 && errno == EINTR)
        ;
}

_Noreturn static void give_up(int fd, int problem)
{
    say(fd, SAYS_PROBLEM, problem);
    _exit(127);
}

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return ok;
}

#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
typedef struct MountAttributes {
    uint64_t set, clear, propagation, userns;
} MountAttributes;
enum { ATTRIBUTE_READ_ONLY = 1, RECURSIVE = 0x8000 };

static bool mount_read_only(const char *path, bool on)
{
    MountAttributes attributes = {.set = on ? ATTRIBUTE_READ_ONLY : 0, .clear = on ? 0 : ATTRIBUTE_READ_ONLY};
    return !syscall(SYS_mount_setattr, AT_FDCWD, path, on ? RECURSIVE : 0, &attributes, sizeof attributes);
}

/* A /tmp of the run's own, empty but for our files in it: programs and libc's tmpfile() name it outright. */
static bool own_tmp(const Sandbox *s)
{
    static const char old[] = "/tmp/", limits[] = "mode=1777,size=64m,nr_inodes=10000";
    if (mount("tmpfs", s->tmp, "tmpfs", MS_NOSUID | MS_NODEV, limits))
        return false;
    if (text_starts_with(s->keep, old)) {
        char *inside = mem_alloc(strlen(s->tmp) + strlen(s->keep) + 2);
        sprintf(inside, "%s/%s", s->tmp, s->keep + strlen(old));
        bool ok = directory_make(inside) && !mount(s->keep, inside, NULL, MS_BIND | MS_REC, NULL);
        mem_free(inside);
        if (!ok)
            return false;
    }
    return !mount(s->tmp, "/tmp", NULL, MS_MOVE, NULL);
}

/* Everything read-only but the run's directories. */
static bool isolate_files(const Sandbox *s)
{
    const char *own[] = {s->directory, s->also};
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return false;
    for (size_t i = 0; i < COUNT_OF(own); i++)
        if (own[i] && mount(own[i], own[i], NULL, MS_BIND, NULL))
            return false;
    if ((s->tmp && !own_tmp(s)) || !mount_read_only("/", true))
        return false;
    for (size_t i = 0; i < COUNT_OF(own); i++)
        if (own[i] && !mount_read_only(own[i], false))
            return false;
    return !s->tmp || mount_read_only("/tmp", false);
}

static bool isolate(const Sandbox *s)
{
    uid_t user = getuid();
    gid_t group = getgid();
    char map[64];
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS))
        return false;
    snprintf(map, sizeof map, "%u %u 1", (unsigned)user, (unsigned)user);
    bool ok = write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", (unsigned)group, (unsigned)group);
    return ok && write_text("/proc/self/gid_map", map) && isolate_files(s);
}

static void limit(int what, uint64_t value)
{
    struct rlimit r;
    if (getrlimit(what, &r))
        return;
    if (r.rlim_max == RLIM_INFINITY || value < r.rlim_max)
        r.rlim_max = value;
    r.rlim_cur = r.rlim_max;
    setrlimit(what, &r);
}

static void limit_all(const Sandbox *s)
{
    struct rlimit stack;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, s->max_file);
    limit(RLIMIT_CPU, (uint64_t)s->timeout + 2);
    limit(RLIMIT_NOFILE, 1024);
    limit(RLIMIT_NPROC, 4096); /* of the user, on older kernels: so many that one more run still fits */
    if (!getrlimit(RLIMIT_STACK,
                   &stack)) { /* instrumented frames are several times as large: more than the usual 8 MiB */
        rlim_t want = STACK_LIMIT;
        stack.rlim_cur = stack.rlim_max == RLIM_INFINITY || stack.rlim_max > want ? want : stack.rlim_max;
        setrlimit(RLIMIT_STACK, &stack);
    }
}

static void redirect(int fd, const char *path, int flags, int report)
{
    int opened = open(path, flags, 0600);
    if (opened < 0 || (opened != fd && dup2(opened, fd) < 0))
        give_up(report, errno);
    if (opened != fd)
        close(opened);
}

_Noreturn static void run_program(const Sandbox *s, int report)
{
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    if (chdir(s->directory))
        give_up(report, errno);
    redirect(STDIN_FILENO, s->stdin_path ? s->stdin_path : "/dev/null", O_RDONLY, report);
    redirect(STDOUT_FILENO, s->stdout_path ? s->stdout_path : "/dev/null",
             O_WRONLY | (s->stdout_path ? O_CREAT | O_APPEND : 0), report);
    redirect(STDERR_FILENO, s->stderr_path ? s->stderr_path : "/dev/null",
             O_WRONLY | (s->stderr_path ? O_CREAT | O_APPEND : 0), report);
    limit_all(s);
    umask(022);
    syscall(SYS_close_range, 3u, ~0u,
            4u); /* 4: close on exec, so that `report` is still open if exec fails */
    fcntl(report, F_SETFD, FD_CLOEXEC);
    execve(s->binary, (char *const *)(void *)s->argv, (char *const *)(void *)s->envp);
    give_up(report, errno);
}

/* Runs the program and passes on how it ended. */
_Noreturn static void run_first(const Sandbox *s, int report, bool isolated)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pid_t program = fork();
    if (!program)
        run_program(s, report);
    if (program < 0)
        give_up(report, errno);
    setpgid(program, program); /* so that a kill(0, ...) of the program's is for itself */
    if (!isolated)
        say(report, SAYS_GROUP, program);
    int status;
    pid_t ended;
    while ((ended = waitpid(-1, &status, 0)) != program)
        if (ended < 0 && errno != EINTR)
            give_up(report, errno);
    say(report, SAYS_STATUS, status);
    _exit(0); /* and with us whatever is left in the namespace */
}

_Noreturn static void run_keeper(const Sandbox *s, int report, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    bool isolated = isolate(s);
    if (isolated)
        say(report, SAYS_ISOLATED, 0);
    pid_t first = fork();
    if (first < 0)
        give_up(report, errno);
    if (!first)
        run_first(s, report, isolated);
    int status;
    while (waitpid(first, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(0);
}

/* ---- in our process -------------------------------------------------------------------------- */

/* Reads n bytes before the deadline. 1: done, 0: the other end is closed, -1: time is up. */
static int read_before(int fd, void *data, size_t n, double deadline, const volatile bool *interrupt)
{
    char *at = data;
    while (n) {
        double left = interrupt && *interrupt ? 0 : deadline - clock_seconds();
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = left <= 0 ? 0 : poll(&p, 1, left > 1e6 ? 1000000000 : (int)(left * 1000) + 1);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return -1;
        ssize_t got = read(fd, at, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        at += got;
        n -= (size_t)got;
    }
    return 1;
}

/* Returns the group that has to be killed besides the keeper's, 0 if there is none. */
static pid_t listen_to(int fd, double deadline, const volatile bool *interrupt, SandboxResult *result)
{
    struct {
        char what;
        char number[sizeof(int)];
    } message;
    int number = 0, state;
    pid_t group = 0;
    while ((state = read_before(fd, &message, sizeof message, deadline, interrupt)) == 1) {
        memcpy(&number, message.number, sizeof number);
        result->isolated |= message.what == SAYS_ISOLATED;
        group = message.what == SAYS_GROUP ? number : group;
        if (message.what != SAYS_STATUS && message.what != SAYS_PROBLEM)
            continue;
        result->ran = message.what == SAYS_STATUS;
        result->status = number;
        result->problem = message.what == SAYS_PROBLEM ? strerror(number) : NULL;
        return group;
    }
    result->timed_out = result->ran = state < 0;
    result->problem = state < 0 ? NULL : "its keeper was killed";
    return group;
}

SandboxResult sandbox_run(const Sandbox *s)
{
    SandboxResult result = {0};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) {
        result.problem = strerror(errno);
        return result;
    }
    pid_t parent = getpid(), keeper = fork();
    if (!keeper) {
        close(ends[0]);
        run_keeper(s, ends[1], parent);
    }
    close(ends[1]);
    if (keeper > 0) {
        setpgid(keeper, keeper);
        pid_t group = listen_to(ends[0], clock_seconds() + s->timeout, s->interrupt, &result);
        if (group > 1)
            kill(-group, SIGKILL);
        kill(-keeper, SIGKILL); /* what is left of it; its number cannot be reused before we wait */
        while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
            ;
    } else {
        result.problem = strerror(errno);
    }
    close(ends[0]);
    return result;
}
