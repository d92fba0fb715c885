/* guard.c - LLVM's readers and passes can crash, abort or run wild on bitcode and IR text that is corrupt.
 * While they look at what a user handed over, any such end becomes one line and exit 2.
 *
 * In the same process: a crash must only be reported, and reading everything in a child first would
 * double the time to start. A handler runs on a stack of its own and does nothing but write and leave. */
#include "frontend/frontend_int.h"

#include <fcntl.h>
#include <llvm-c/ErrorHandling.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#ifdef UNDER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

enum { SECONDS = 60, STACK = 64 << 10 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM};

/* What a signal handler needs must be reachable without arguments: the one piece of global state, set only
 * between guard_begin and guard_end. */
static struct {
    char crash[512], endless[512]; /* the whole message, ready to be written */
    int stderr_fd;                 /* the real one: LLVM's own last words go nowhere */
    struct sigaction old[COUNT_OF(signals)];
    stack_t old_stack;
    void *stack;
    struct rlimit old_memory;
} guard;

static _Noreturn void leave(const char *message)
{
    ssize_t n = write(guard.stderr_fd, message, strlen(message));
    (void)n;
    _exit(EXIT_USAGE);
}

static void on_signal(int signal) { leave(signal == SIGALRM ? guard.endless : guard.crash); }

static void on_fatal_error(const char *reason)
{
    (void)reason;
    leave(guard.crash);
}

#ifdef UNDER_ASAN
/* The sanitizer sees LLVM's heap as well, and ends the process in its own way. */
static void on_report(void) { leave(guard.crash); }
static void limits_set(void) { __sanitizer_set_death_callback(on_report); }
static void limits_unset(void) { __sanitizer_set_death_callback(NULL); }
#else
static void limits_set(void)
{
    getrlimit(RLIMIT_AS, &guard.old_memory);
    struct rlimit memory = guard.old_memory;
    rlim_t wanted = (rlim_t)8 << 30;
    if (memory.rlim_cur == RLIM_INFINITY || memory.rlim_cur > wanted)
        memory.rlim_cur = wanted;
    setrlimit(RLIMIT_AS, &memory);
}
static void limits_unset(void) { setrlimit(RLIMIT_AS, &guard.old_memory); }
#endif

void guard_begin(const char *path)
{
    static const char message[] = "sheaf: %.400s cannot be read: LLVM %s it (corrupt?)\n";
    snprintf(guard.crash, sizeof guard.crash, message, path, "crashed on");
    snprintf(guard.endless, sizeof guard.endless, message, path, "does not come to an end with");
    fflush(NULL);
    guard.stderr_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    guard.stack = mem_alloc(STACK);
    stack_t stack = {.ss_sp = guard.stack, .ss_size = STACK};
    sigaltstack(&stack, &guard.old_stack);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    for (unsigned i = 0; i < COUNT_OF(signals); i++)
        sigaction(signals[i], &action, &guard.old[i]);
    LLVMInstallFatalErrorHandler(on_fatal_error);
    limits_set();
    alarm(SECONDS);
}

void guard_end(void)
{
    alarm(0);
    limits_unset();
    LLVMResetFatalErrorHandler();
    for (unsigned i = 0; i < COUNT_OF(signals); i++)
        sigaction(signals[i], &guard.old[i], NULL);
    sigaltstack(&guard.old_stack, NULL);
    mem_free(guard.stack);
    if (guard.stderr_fd >= 0) {
        dup2(guard.stderr_fd, STDERR_FILENO);
        close(guard.stderr_fd);
    }
}
