/* Jumps out of handlers of signals: with the mask of sigsetjmp, and without. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf with_mask;
static jmp_buf plain;

static void leave_with_mask(int number)
{
    printf("handler of %d\n", number);
    siglongjmp(with_mask, number);
}

static void leave_plain(int number)
{
    printf("plain handler of %d\n", number);
    longjmp(plain, number);
}

static int blocked(int number)
{
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    return sigismember(&mask, number);
}

int main(void)
{
    volatile int times = 0;
    signal(SIGUSR1, leave_with_mask);
    int result = sigsetjmp(with_mask, 1);
    printf("%d, blocked %d\n", result, blocked(SIGUSR1));
    if (times++ < 3)
        raise(SIGUSR1);
    times = 0;
    result = sigsetjmp(with_mask, 0);
    printf("%d, blocked %d\n", result, blocked(SIGUSR1));
    if (times++ < 1)
        raise(SIGUSR1);
    times = 0;
    signal(SIGUSR2, leave_plain);
    result = setjmp(plain);
    printf("%d, blocked %d\n", result, blocked(SIGUSR2));
    if (times++ < 1)
        raise(SIGUSR2);
    raise(SIGUSR2);
    sigset_t pending;
    sigpending(&pending);
    printf("pending %d\n", sigismember(&pending, SIGUSR2));
    return 0;
}
