/* Signals that the program sends itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen[65];

static void count(int number)
{
    seen[number]++;
}

static void nested(int number)
{
    printf("in %d", number);
    if (seen[number]++ == 0)
        raise(number);
    printf(" seen %d\n", seen[number]);
}

static void detailed(int number, siginfo_t *info, void *context)
{
    (void)context;
    printf("detailed %d %d\n", number, info->si_signo);
}

int main(void)
{
    printf("%d %d\n", signal(SIGUSR1, count) == SIG_DFL, signal(SIGUSR1, count) == count);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    printf("%d\n", seen[SIGUSR1]);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    printf("%d\n", seen[SIGUSR1]);
    raise(SIGCHLD);
    raise(SIGURG);
    raise(SIGWINCH);
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = nested;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    printf("%d\n", seen[SIGUSR2]);
    action.sa_sigaction = detailed;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    sigaction(SIGTERM, &action, &old);
    printf("%d\n", old.sa_handler == SIG_DFL);
    raise(SIGTERM);
    sigaction(SIGTERM, NULL, &old);
    printf("%d\n", old.sa_handler == SIG_DFL);
    signal(SIGUSR1, count);
    sigset_t set, before, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    printf("%d %d %d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2), sigismember(&set, 99));
    sigprocmask(SIG_BLOCK, &set, &before);
    seen[SIGUSR1] = 0;
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigpending(&pending);
    printf("blocked %d %d %d\n", seen[SIGUSR1], sigismember(&pending, SIGUSR1), sigismember(&before, SIGUSR1));
    sigprocmask(SIG_SETMASK, &before, NULL);
    printf("unblocked %d\n", seen[SIGUSR1]);
    errno = 0;
    printf("%d %d ", signal(99, count) == SIG_ERR, errno == EINVAL);
    errno = 0;
    printf("%d %d ", signal(SIGKILL, count) == SIG_ERR, errno == EINVAL);
    printf("%d %d\n", raise(0) , raise(1000) != 0);
    sigfillset(&set);
    sigdelset(&set, SIGINT);
    printf("%d %d\n", sigismember(&set, SIGINT), sigismember(&set, SIGHUP));
    printf("%d %d %d\n", kill(getpid(), 0), SIGRTMIN, SIGRTMAX);
    return 0;
}
