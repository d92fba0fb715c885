/* signal.c - signals of a single process without time: a signal arrives only when the program raises it. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "internal.h"

enum { MODEL_PID = 4242 }; /* getpid() in process.c returns the same */

static struct sigaction actions[_NSIG];
static uint64_t blocked, pending;

static uint64_t bit_of(int number) { return 1ull << (number - 1); }

static bool valid(int number)
{
    if (number >= 1 && number < _NSIG)
        return true;
    errno = EINVAL;
    return false;
}

static uint64_t mask_of(const sigset_t *set) { return set->__val[0]; }

static void set_mask(sigset_t *set, uint64_t mask) { *set = (sigset_t){{mask}}; }

static void arrive_pending(void);

static void call_handler(int number)
{
    struct sigaction action = actions[number];
    uint64_t before = blocked;
    blocked |= mask_of(&action.sa_mask) | (action.sa_flags & SA_NODEFER ? 0 : bit_of(number));
    if (action.sa_flags & (int)SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
        info.si_pid = MODEL_PID;
        action.sa_sigaction(number, &info, NULL);
    } else {
        action.sa_handler(number);
    }
    blocked = before;
    arrive_pending();
}

static bool has_handler(int number)
{
    return actions[number].sa_handler != SIG_DFL && actions[number].sa_handler != SIG_IGN;
}

void __sheaf_signal_deliver(int number)
{
    if (has_handler(number) && !(blocked & bit_of(number)))
        call_handler(number);
}

/* The default action: ignored, an abnormal end that is a fault, or a plain end with the status that a shell
 * shows. */
static void by_default(int number)
{
    switch (number) {
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case SIGCONT:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: return;
    case SIGABRT: __sheaf_abort();
    case SIGSEGV: __sheaf_report("raised SIGSEGV");
    case SIGBUS: __sheaf_report("raised SIGBUS");
    case SIGFPE: __sheaf_report("raised SIGFPE");
    case SIGILL: __sheaf_report("raised SIGILL");
    case SIGTRAP: __sheaf_report("raised SIGTRAP");
    default: __sheaf_exit(128 + number);
    }
}

static void arrive(int number)
{
    if (blocked & bit_of(number)) {
        pending |= bit_of(number);
        return;
    }
    if (has_handler(number))
        call_handler(number);
    else if (actions[number].sa_handler == SIG_DFL)
        by_default(number);
}

static void arrive_pending(void)
{
    for (int number = 1; number < _NSIG; number++)
        if (pending & ~blocked & bit_of(number)) {
            pending &= ~bit_of(number);
            arrive(number);
        }
}

int raise(int number)
{
    if (number == 0)
        return 0;
    if (!valid(number))
        return -1;
    arrive(number);
    return 0;
}

int kill(pid_t pid, int number)
{
    if (pid != MODEL_PID && pid != 0 && pid != -1 && pid != -MODEL_PID) {
        errno = ESRCH;
        return -1;
    }
    return number == 0 ? 0 : raise(number);
}

int killpg(pid_t group, int number) { return kill(-group, number); }

int sigqueue(pid_t pid, int number, union sigval value)
{
    (void)value;
    return kill(pid, number);
}

int tgkill(pid_t group, pid_t thread, int number)
{
    (void)group, (void)thread;
    return raise(number);
}

static int change_action(int number, const struct sigaction *new, struct sigaction *old)
{
    if (!valid(number))
        return -1;
    if (new && (number == SIGKILL || number == SIGSTOP)) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction before = actions[number];
    if (new)
        actions[number] = *new;
    if (old)
        *old = before;
    return 0;
}

int sigaction(int number, const struct sigaction *restrict new, struct sigaction *restrict old)
{
    return change_action(number, new, old);
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;
    return change_action(number, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

sighandler_t signal(int number, sighandler_t handler) { return set_handler(number, handler, SA_RESTART); }

sighandler_t bsd_signal(int number, sighandler_t handler) { return set_handler(number, handler, SA_RESTART); }

sighandler_t ssignal(int number, sighandler_t handler) { return set_handler(number, handler, SA_RESTART); }

sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

int gsignal(int number) { return raise(number); }

int siginterrupt(int number, int interrupt)
{
    if (!valid(number))
        return -1;
    int flags = actions[number].sa_flags;
    actions[number].sa_flags = interrupt ? flags & ~SA_RESTART : flags | SA_RESTART;
    return 0;
}

int sigemptyset(sigset_t *set)
{
    *set = (sigset_t){{0}};
    return 0;
}

int sigfillset(sigset_t *set)
{
    for (size_t i = 0; i < sizeof set->__val / sizeof *set->__val; i++)
        set->__val[i] = ~0ul;
    set->__val[0] &= ~(3ul << 31); /* 32 and 33 belong to the thread library */
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    if (!valid(number))
        return -1;
    set->__val[0] |= bit_of(number);
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (!valid(number))
        return -1;
    set->__val[0] &= ~bit_of(number);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    return valid(number) ? (mask_of(set) & bit_of(number)) != 0 : -1;
}

int sigisemptyset(const sigset_t *set) { return mask_of(set) == 0; }

int sigandset(sigset_t *set, const sigset_t *a, const sigset_t *b)
{
    set_mask(set, mask_of(a) & mask_of(b));
    return 0;
}

int sigorset(sigset_t *set, const sigset_t *a, const sigset_t *b)
{
    set_mask(set, mask_of(a) | mask_of(b));
    return 0;
}

static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    uint64_t before = blocked;
    if (set) {
        switch (how) {
        case SIG_BLOCK: blocked |= mask_of(set); break;
        case SIG_UNBLOCK: blocked &= ~mask_of(set); break;
        case SIG_SETMASK: blocked = mask_of(set); break;
        default: return EINVAL;
        }
        blocked &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
    }
    if (old)
        set_mask(old, before);
    arrive_pending();
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    int number = change_mask(how, set, old);
    if (number == 0)
        return 0;
    errno = number;
    return -1;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    return change_mask(how, set, old);
}

int pthread_kill(pthread_t thread, int number)
{
    (void)thread;
    if (number < 0 || number >= _NSIG)
        return EINVAL;
    if (number)
        arrive(number);
    return 0;
}

/* The front end puts these before each setjmp and longjmp of a program that calls sigsetjmp. */
void __sheaf_jump_save(jmp_buf buffer, int with_mask)
{
    buffer->__mask_was_saved = with_mask != 0;
    if (with_mask)
        buffer->__saved_mask = (__sigset_t){{blocked}};
}

void __sheaf_jump_restore(jmp_buf buffer)
{
    if (buffer->__mask_was_saved) {
        blocked = buffer->__saved_mask.__val[0];
        arrive_pending();
    }
}

int sigpending(sigset_t *set)
{
    set_mask(set, pending & blocked);
    return 0;
}

/* Nothing else ever raises a signal: what waits for one that is not pending waits for ever. */
int sigsuspend(const sigset_t *set)
{
    uint64_t before = blocked;
    blocked = mask_of(set);
    if (!(pending & ~blocked))
        __sheaf_unsupported("sigsuspend: waits for a signal that is never sent");
    arrive_pending();
    blocked = before;
    errno = EINTR;
    return -1;
}

int pause(void) { __sheaf_unsupported("pause: waits for a signal that is never sent"); }

static int take_pending(const sigset_t *set)
{
    for (int number = 1; number < _NSIG; number++)
        if (pending & mask_of(set) & bit_of(number)) {
            pending &= ~bit_of(number);
            return number;
        }
    return 0;
}

int sigwait(const sigset_t *restrict set, int *restrict number)
{
    *number = take_pending(set);
    if (!*number)
        __sheaf_unsupported("sigwait: waits for a signal that is never sent");
    return 0;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    int number;
    sigwait(set, &number);
    if (info)
        *info = (siginfo_t){.si_signo = number};
    return number;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                 const struct timespec *restrict limit)
{
    (void)limit;
    int number = take_pending(set);
    if (!number) {
        errno = EAGAIN;
        return -1;
    }
    if (info)
        *info = (siginfo_t){.si_signo = number};
    return number;
}

int sigaltstack(const stack_t *restrict new, stack_t *restrict old)
{
    static stack_t current = {.ss_flags = SS_DISABLE};
    stack_t before = current;
    if (new)
        current = *new;
    if (old)
        *old = before;
    return 0;
}

int __libc_current_sigrtmin(void) { return 34; }

int __libc_current_sigrtmax(void) { return 64; }

/* System V's and BSD's ways. */
static int block_one(int how, int number)
{
    sigset_t set;
    set_mask(&set, bit_of(number));
    return valid(number) ? sigprocmask(how, &set, NULL) : -1;
}

int sighold(int number) { return block_one(SIG_BLOCK, number); }

int sigrelse(int number) { return block_one(SIG_UNBLOCK, number); }

int sigignore(int number) { return set_handler(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

int sigblock(int mask)
{
    int before = (int)blocked;
    blocked |= (unsigned)mask;
    return before;
}

int sigsetmask(int mask)
{
    int before = (int)blocked;
    blocked = (unsigned)mask;
    arrive_pending();
    return before;
}

int siggetmask(void) { return (int)blocked; }
