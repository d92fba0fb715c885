/* scratch.c - a child waits for the end of a pipe that only we hold open: however we end, it removes the
 * directory. */
#include "cli/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void guard_begin(Scratch *s)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        die("cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        die("cannot make a process: %s", strerror(errno));
    if (child) {
        close(ends[0]);
        s->guard = ends[1];
        s->guardian = child;
        return;
    }
    setsid(); /* Ctrl-C is not for it */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (int fd = 0; fd < 3; fd++) /* else a reader of our output would wait for it to end */
        close(fd);
    close(ends[1]);
    char byte;
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
        ;
    directory_remove(s->path);
    _exit(0);
}

Scratch scratch_make(void)
{
    const char *base = getenv("TMPDIR");
    Scratch s = {0};
    Str path = {0};
    str_printf(&path, "%s/sheaf-scratch-XXXXXX", base && *base == '/' ? base : "/tmp");
    if (!mkdtemp(path.v))
        die("%s: %s", str_text(&path), strerror(errno));
    char *real = realpath(path.v, NULL); /* which compilers and debug information will say */
    s.path = mem_strdup(real ? real : path.v);
    free(real);
    str_free(&path);
    guard_begin(&s);
    return s;
}

void scratch_free(Scratch *s)
{
    if (!s->path)
        return;
    close(s->guard);
    while (waitpid(s->guardian, NULL, 0) < 0 && errno == EINTR)
        ;
    mem_free(s->path);
    *s = (Scratch){0};
}
