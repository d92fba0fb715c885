/* start.c - how a run begins and ends: start-up, exit and its handlers, abort, failed assertions. */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

int main(int argc, char **argv, char **envp);

char **environ;
char **__environ;
char *program_invocation_name = "";
char *program_invocation_short_name = "";
char *__progname_full = "";
char *__progname = "";

static void set_program_name(char *name)
{
    char *slash = strrchr(name, '/');
    program_invocation_name = __progname_full = name;
    program_invocation_short_name = __progname = slash ? slash + 1 : name;
}

void __sheaf_start(int argc, char **argv, char **envp)
{
    environ = __environ = envp;
    if (argc > 0)
        set_program_name(argv[0]);
    __sheaf_constructors(argc, argv, envp);
    exit(main(argc, argv, envp));
}

#undef errno
static int errno; /* by this name it can be an input */

int *__errno_location(void) { return &errno; }

/* What exit and quick_exit run, last registered first. A handler leaves its list before it is called: so a
 * handler may call exit or register further ones. */
typedef struct Handler {
    struct Handler *next;
    enum { PLAIN, WITH_STATUS, WITH_ARGUMENT } kind;
    union {
        void (*plain)(void);
        void (*with_status)(int, void *);
        void (*with_argument)(void *);
    } call;
    void *argument;
} Handler;

static Handler *at_exit, *at_quick_exit_list;

static int add_handler(Handler **list, Handler handler)
{
    Handler *h = __sheaf_alloc(sizeof *h, _Alignof(Handler), 0);
    if (!h)
        return -1;
    *h = handler;
    h->next = *list;
    *list = h;
    return 0;
}

static void run_handlers(Handler **list, int status)
{
    while (*list) {
        Handler h = **list;
        __sheaf_free(*list);
        *list = h.next;
        switch (h.kind) {
        case PLAIN: h.call.plain(); break;
        case WITH_STATUS: h.call.with_status(status, h.argument); break;
        case WITH_ARGUMENT: h.call.with_argument(h.argument); break;
        }
    }
}

int atexit(void (*function)(void))
{
    return add_handler(&at_exit, (Handler){.kind = PLAIN, .call.plain = function});
}

int on_exit(void (*function)(int, void *), void *argument)
{
    return add_handler(&at_exit,
                       (Handler){.kind = WITH_STATUS, .call.with_status = function, .argument = argument});
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    (void)library;
    Handler handler = {.kind = WITH_ARGUMENT, .call.with_argument = function, .argument = argument};
    return add_handler(&at_exit, handler);
}

int at_quick_exit(void (*function)(void))
{
    return add_handler(&at_quick_exit_list, (Handler){.kind = PLAIN, .call.plain = function});
}

void exit(int status)
{
    static bool destroyed, flushed;
    run_handlers(&at_exit, status);
    if (!destroyed) {
        destroyed = true;
        __sheaf_destructors();
        run_handlers(&at_exit, status);
    }
    if (!flushed) {
        flushed = true;
        __sheaf_stdio_exit();
    }
    __sheaf_exit(status & 255);
}

void quick_exit(int status)
{
    run_handlers(&at_quick_exit_list, status);
    __sheaf_stdio_abandon();
    __sheaf_exit(status & 255);
}

void _exit(int status)
{
    __sheaf_stdio_abandon();
    __sheaf_exit(status & 255);
}

void _Exit(int status)
{
    __sheaf_stdio_abandon();
    __sheaf_exit(status & 255);
}

void abort(void)
{
    __sheaf_signal_deliver(SIGABRT);
    __sheaf_abort();
}

void __sheaf_complain(const char *text) { __sheaf_write(STDERR_FILENO, text, strlen(text)); }

/* "program: file:line: function: ", as glibc begins such messages. */
static void complain_where(const char *file, unsigned line, const char *function)
{
    char digits[12];
    char *number = digits + sizeof digits - 1;
    *number = '\0';
    do
        *--number = (char)('0' + line % 10);
    while (line /= 10);
    if (*program_invocation_short_name) {
        __sheaf_complain(program_invocation_short_name);
        __sheaf_complain(": ");
    }
    __sheaf_complain(file);
    __sheaf_complain(":");
    __sheaf_complain(number);
    __sheaf_complain(": ");
    if (function) {
        __sheaf_complain(function);
        __sheaf_complain(": ");
    }
}

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    complain_where(file, line, function);
    __sheaf_complain("Assertion `");
    __sheaf_complain(assertion);
    __sheaf_complain("' failed.\n");
    __sheaf_signal_deliver(SIGABRT);
    __sheaf_assert_fail(assertion);
}

void __assert(const char *assertion, const char *file, int line)
{
    __assert_fail(assertion, file, (unsigned)line, NULL);
}

void __assert_perror_fail(int number, const char *file, unsigned line, const char *function)
{
    const char *text = strerror(number);
    complain_where(file, line, function);
    __sheaf_complain("Unexpected error: ");
    __sheaf_complain(text);
    __sheaf_complain(".\n");
    __sheaf_signal_deliver(SIGABRT);
    __sheaf_assert_fail(text);
}

void __chk_fail(void)
{
    __sheaf_complain("*** buffer overflow detected ***: terminated\n");
    abort();
}

void __fortify_fail(const char *text)
{
    __sheaf_complain("*** ");
    __sheaf_complain(text);
    __sheaf_complain(" ***: terminated\n");
    abort();
}

void __stack_chk_fail(void)
{
    __sheaf_complain("*** stack smashing detected ***: terminated\n");
    abort();
}
