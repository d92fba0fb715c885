/* unsupported.c - what a model of one process with one thread cannot have: other processes, threads, other
 * programs, the network, system calls by number. A program that calls one of these ends there, whatever
 * --external allows: its answer is incomplete, and says why. */
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "posix.h"

/* Declared as they are called; nothing is looked at. */
#pragma clang diagnostic ignored "-Wunused-parameter"
#define REFUSE(result, name, parameters, why) \
    result name parameters { __sheaf_unsupported(#name ": " why); }

#define PROCESSES "other processes are not supported"
pid_t _Fork(void);
REFUSE(pid_t, fork, (void), PROCESSES)
REFUSE(pid_t, vfork, (void), PROCESSES)
REFUSE(pid_t, _Fork, (void), PROCESSES)
REFUSE(int, daemon, (int stay, int open), PROCESSES)
int clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
REFUSE(int, clone, (int (*function)(void *), void *stack, int flags, void *argument, ...), PROCESSES)

#define PROGRAMS "other programs are not run"
REFUSE(int, execve, (const char *path, char *const argv[], char *const envp[]), PROGRAMS)
REFUSE(int, execv, (const char *path, char *const argv[]), PROGRAMS)
REFUSE(int, execvp, (const char *file, char *const argv[]), PROGRAMS)
REFUSE(int, execvpe, (const char *file, char *const argv[], char *const envp[]), PROGRAMS)
REFUSE(int, fexecve, (int fd, char *const argv[], char *const envp[]), PROGRAMS)
REFUSE(int, execveat, (int fd, const char *path, char *const argv[], char *const envp[], int flags), PROGRAMS)
REFUSE(int, execl, (const char *path, const char *word, ...), PROGRAMS)
REFUSE(int, execlp, (const char *file, const char *word, ...), PROGRAMS)
REFUSE(int, execle, (const char *path, const char *word, ...), PROGRAMS)
REFUSE(int, posix_spawn,
       (pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
        const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const envp[restrict]),
       PROGRAMS)
REFUSE(int, posix_spawnp,
       (pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *restrict actions,
        const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const envp[restrict]),
       PROGRAMS)
REFUSE(int, system, (const char *command), PROGRAMS)
REFUSE(FILE *, popen, (const char *command, const char *mode), PROGRAMS)

#define THREADS "threads are not supported"
REFUSE(int, pthread_create,
       (pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*function)(void *),
        void *restrict argument),
       THREADS)
REFUSE(int, pthread_join, (pthread_t thread, void **value), THREADS)
REFUSE(int, pthread_cancel, (pthread_t thread), THREADS)
REFUSE(int, thrd_create, (thrd_t * thread, thrd_start_t function, void *argument), THREADS)
REFUSE(int, thrd_join, (thrd_t thread, int *value), THREADS)
REFUSE(int, thrd_detach, (thrd_t thread), THREADS)

#define NETWORK "sockets are not supported"
REFUSE(int, socket, (int domain, int type, int protocol), NETWORK)
REFUSE(int, socketpair, (int domain, int type, int protocol, int fds[2]), NETWORK)
REFUSE(int, bind, (int fd, const struct sockaddr *address, socklen_t size), NETWORK)
REFUSE(int, connect, (int fd, const struct sockaddr *address, socklen_t size), NETWORK)
REFUSE(int, listen, (int fd, int backlog), NETWORK)
REFUSE(int, accept, (int fd, struct sockaddr *restrict address, socklen_t *restrict size), NETWORK)
REFUSE(int, accept4, (int fd, struct sockaddr *restrict address, socklen_t *restrict size, int flags),
       NETWORK)
REFUSE(ssize_t, send, (int fd, const void *data, size_t n, int flags), NETWORK)
REFUSE(ssize_t, sendto,
       (int fd, const void *data, size_t n, int flags, const struct sockaddr *address, socklen_t size),
       NETWORK)
REFUSE(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), NETWORK)
REFUSE(ssize_t, recv, (int fd, void *data, size_t n, int flags), NETWORK)
REFUSE(ssize_t, recvfrom,
       (int fd, void *restrict data, size_t n, int flags, struct sockaddr *restrict address,
        socklen_t *restrict size),
       NETWORK)
REFUSE(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), NETWORK)
REFUSE(int, shutdown, (int fd, int how), NETWORK)
REFUSE(int, setsockopt, (int fd, int level, int name, const void *value, socklen_t size), NETWORK)
REFUSE(int, getsockopt, (int fd, int level, int name, void *restrict value, socklen_t *restrict size),
       NETWORK)
REFUSE(int, getsockname, (int fd, struct sockaddr *restrict address, socklen_t *restrict size), NETWORK)
REFUSE(int, getpeername, (int fd, struct sockaddr *restrict address, socklen_t *restrict size), NETWORK)

REFUSE(long, syscall, (long number, ...), "system calls by number are not supported")
