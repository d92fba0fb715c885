/* contain.c - LLVM's readers and passes can crash, or run wild, on bitcode and IR text that is corrupt. What a user hands
 * over is therefore read in a child first; if the child lives, so shall we. Our own clang's output needs no such care. */
#include "frontend/frontend_int.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Analysis.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 30 };

static void limit(int what, rlim_t value)
{
    struct rlimit l = {.rlim_cur = value, .rlim_max = value};
    setrlimit(what, &l);
}

static _Noreturn void read_and_leave(const Str *text, bool is_bitcode)
{
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, CHILD_SECONDS);
    alarm(2 * CHILD_SECONDS);
#ifndef __SANITIZE_ADDRESS__                  /* its shadow memory alone would break the limit */
    limit(RLIMIT_AS, (rlim_t)4 << 30);
#endif
    Front fr = {0};
    fr.context = LLVMContextCreate();
    front_catch_diagnostics(&fr, fr.context);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text->v, text->n, "input");
    LLVMModuleRef module = module_parse(&fr, fr.context, buffer, is_bitcode);
    if (module && !LLVMVerifyModule(module, LLVMReturnStatusAction, NULL))
        passes_run(module);
    _exit(0);
}

const char *contain_crash(const Str *text, bool is_bitcode)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        die("cannot start a process to read the input: %s", strerror(errno));
    if (child == 0)
        read_and_leave(text, is_bitcode);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            die("cannot wait for the process that reads the input: %s", strerror(errno));
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
        return "LLVM does not come to an end with it (corrupt?)";
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "LLVM crashed on it (corrupt?)";
}
