/* native.c - functions that the program does not define, called natively (--external all).
 *
 * Calls are made in a child process of ours, which answers through a socket: a call that crashes, ends the
 * process or never comes back does not take the machine along, and what a function does to its process it
 * does there. The child lives as long as the run, so that a function finds what it kept before. Only numbers
 * are passed: an address of the modelled memory means nothing to the host. */
#include "vm/core/vm_int.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ffi.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGS_MOST = 8, POLL_MILLISECONDS = 50 };

typedef struct Request {
    void *function;
    char letters[ARGS_MOST + 2]; /* of IrFn.native */
    u128 words[ARGS_MOST];
} Request;

static ffi_type *type_of(char letter)
{
    switch (letter) {
    case 'c': return &ffi_type_sint8;
    case 'C': return &ffi_type_uint8;
    case 'h': return &ffi_type_sint16;
    case 'H': return &ffi_type_uint16;
    case 'i': return &ffi_type_sint32;
    case 'L': return &ffi_type_sint64;
    case 'f': return &ffi_type_float;
    case 'd': return &ffi_type_double;
    case 'l': return &ffi_type_longdouble;
    default: return &ffi_type_void;
    }
}

/* ---- the child ------------------------------------------------------------------------------- */

/* All of it, or false: the other side is gone. */
static bool transfer(int fd, void *data, size_t n, bool is_send)
{
    for (size_t done = 0; done < n;) {
        ssize_t k = is_send ? send(fd, (char *)data + done, n - done, MSG_NOSIGNAL)
                            : recv(fd, (char *)data + done, n - done, 0);
        if (k <= 0 && !(k < 0 && errno == EINTR))
            return false;
        done += k > 0 ? (size_t)k : 0;
    }
    return true;
}

static u128 call(Request *r)
{
    unsigned n = (unsigned)strlen(r->letters) - 1;
    ffi_type *types[ARGS_MOST];
    void *values[ARGS_MOST];
    u128 returned = 0;
    ffi_cif cif;
    for (unsigned i = 0; i < n; i++) {
        types[i] = type_of(r->letters[i + 1]);
        values[i] = &r->words[i];
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, n, type_of(r->letters[0]), types) == FFI_OK)
        ffi_call(&cif, FFI_FN(r->function), &returned, values);
    return returned;
}

/* What the function prints must not end up amid our answer, nor may it read our input. */
_Noreturn static void serve(int fd)
{
    Request request;
    int none = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* the parent decides */
    signal(SIGTERM, SIG_DFL);
    dup2(none, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    while (transfer(fd, &request, sizeof request, false)) {
        u128 returned = call(&request);
        if (!transfer(fd, &returned, sizeof returned, true))
            break;
    }
    _exit(0);
}

static bool start(Vm *vm)
{
    int ends[2];
    if (vm->native.pid)
        return true;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        serve(ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    vm->native = (NativeChild){pid, ends[0]};
    return true;
}

/* Ends the child and tells how it ended, if it had ended already. */
static int stop(Vm *vm)
{
    int status = 0;
    if (!vm->native.pid)
        return 0;
    close(vm->native.fd);
    bool ended = waitpid(vm->native.pid, &status, WNOHANG) == vm->native.pid;
    if (!ended) {
        kill(vm->native.pid, SIGKILL);
        while (waitpid(vm->native.pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    vm->native = (NativeChild){0};
    return ended ? status : 0;
}

void vm_native_stop(Vm *vm) { stop(vm); }

/* ---- the machine's side ---------------------------------------------------------------------- */

/* Until the child answers or is gone; false: the run ended at a limit before. */
static bool wait_for_answer(Vm *vm, const char *name)
{
    struct pollfd answer = {.fd = vm->native.fd, .events = POLLIN};
    while (poll(&answer, 1, POLL_MILLISECONDS) <= 0) {
        if (vm->options.interrupt && *vm->options.interrupt)
            return vm_end(vm, VM_END_INTERRUPTED);
        if (vm->deadline && clock_seconds() > vm->deadline)
            return vm_end_limit(vm, LEDGER_TIME, "in a native call of %s", name);
    }
    return true;
}

/* The socket closes a moment before the process has ended. */
static bool end_dead(Vm *vm, const char *name)
{
    siginfo_t info;
    while (waitid(P_PID, (id_t)vm->native.pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    int status = stop(vm);
    if (WIFSIGNALED(status))
        return vm_end_unsupported(vm, "the native call of %s died of signal %d (%s)", name, WTERMSIG(status),
                                  strsignal(WTERMSIG(status)));
    return vm_end_unsupported(vm, "the native call of %s ended its process with status %d", name,
                              WEXITSTATUS(status));
}

/* Why a function of these letters cannot be called natively; NULL if it can. */
static const char *obstacle(const char *letters, const CallInfo *call)
{
    if (strchr(letters, 'p'))
        return "it takes or returns a pointer";
    if (strchr(letters, 'x'))
        return "it takes or returns more than numbers, or its calls disagree";
    if (strlen(letters) != 1 + call->nargs + call->nvar)
        return "it is called through a pointer of another type";
    return call->nargs + call->nvar > ARGS_MOST ? "it takes too many arguments" : NULL;
}

const char *vm_native_obstacle(const Vm *vm, const FnCode *fn, const CallInfo *call)
{
    uint32_t letters = vm->program->fns.v[fn->index].native;
    return letters ? obstacle(ir_text(vm->program, letters), call) : "its type is not known";
}

bool vm_native_call(Vm *vm, const FnCode *fn, const CallInfo *call, const u128 *words, u128 *returned)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const char *name = ir_text(vm->program, ir->name);
    Request request = {.function = fn->host};
    snprintf(request.letters, sizeof request.letters, "%s", ir_text(vm->program, ir->native));
    for (uint32_t i = 0; i < call->nargs + call->nvar; i++) {
        request.words[i] = words[i];
        if (request.letters[i + 1] == 'L' && mem_find(&vm->mem, (uint64_t)words[i]))
            return vm_end_unsupported(vm, "a native call of %s with an address of the program's memory",
                                      name);
    }
    if (!start(vm))
        return vm_end_unsupported(vm, "a native call of %s: %s", name, strerror(errno));
    if (!transfer(vm->native.fd, &request, sizeof request, true))
        return end_dead(vm, name);
    if (!wait_for_answer(vm, name)) {
        stop(vm);
        return false;
    }
    return transfer(vm->native.fd, returned, sizeof *returned, false) || end_dead(vm, name);
}
