/* clang.c - C to bitcode by a clang of the same LLVM. It writes to anonymous files, so nothing is left to
 * remove; what it says is shown when its turn comes, so that several can run at once. */
#include "frontend/frontend_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Flags that name outputs or say what clang should produce: that is ours to say. */
static const struct {
    const char *flag;
    bool prefix, takes_value;
} dropped[] = {
    {"-c", false, false},         {"-S", false, false},       {"-E", false, false},
    {"-emit-llvm", false, false}, {"-o", false, true},        {"-MF", false, true},
    {"-MT", false, true},         {"-MQ", false, true},       {"-MJ", false, true},
    {"-o", true, false},          {"-M", true, false},        {"-g", true, false},
    {"-save-temps", true, false}, {"-fprofile", true, false}, {"--coverage", false, false},
    {"-flto", true, false},
};

static bool is_dropped(const char *flag, bool *takes_value)
{
    for (unsigned i = 0; i < COUNT_OF(dropped); i++) {
        *takes_value = dropped[i].takes_value;
        if (dropped[i].prefix ? text_starts_with(flag, dropped[i].flag) : strcmp(flag, dropped[i].flag) == 0)
            return true;
    }
    *takes_value = false;
    return false;
}

void clang_filter_flags(const StrVec *in, bool optimise, StrVec *out)
{
    for (uint32_t i = 0; i < in->n; i++) {
        bool takes_value;
        if (!strcmp(in->v[i], "-m32") || !strcmp(in->v[i], "-mx32") || !strcmp(in->v[i], "-m16"))
            die("%s: Sheaf runs code for x86_64 only, where pointers have 8 bytes", in->v[i]);
        if (is_dropped(in->v[i], &takes_value))
            i += takes_value;
        else if (optimise || !text_starts_with(in->v[i], "-O"))
            vec_push(out, in->v[i]);
    }
}

void clang_version_flags(const FrontendOptions *options, Arena *a, StrVec *out)
{
    if (options->root)
        vec_push(out, arena_printf(a, "-ffile-prefix-map=%s/=", options->root));
}

const char *clang_program(const FrontendOptions *options)
{
    return options->clang ? options->clang : SHEAF_CLANG;
}

static void command(const FrontendOptions *options, const Source *source, Arena *a, StrVec *argv)
{
    static const char *const always[] = {
        "-O0",
        "-Xclang",
        "-disable-O0-optnone",
        "-g",
        "-fno-discard-value-names",
        "-fdebug-compilation-dir=.",
        "-Qunused-arguments",
    };
    vec_push(argv, clang_program(options));
    for (unsigned i = 0; i < COUNT_OF(always); i++)
        vec_push(argv, always[i]);
    if (isatty(STDERR_FILENO))
        vec_push(argv, "-fcolor-diagnostics");
    clang_filter_flags(&options->cflags, options->optimise, argv);
    clang_filter_flags(&source->flags, options->optimise, argv);
    clang_version_flags(options, a, argv);
    vec_push(argv, "-emit-llvm");
    vec_push(argv, "-c");
    vec_push(argv, source->path);
    vec_push(argv, "-o");
    vec_push(argv, "-");
    vec_push(argv, NULL);
}

static int anonymous_file(const char *name)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        die("cannot make room for clang's output: %s", strerror(errno));
    return fd;
}

void clang_start(const FrontendOptions *options, const Source *source, ClangJob *job)
{
    posix_spawn_file_actions_t actions;
    StrVec argv = {0};
    Arena *a = arena_new();
    *job = (ClangJob){.output = anonymous_file("bitcode"), .messages = anonymous_file("messages")};
    command(options, source, a, &argv);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, job->output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, job->messages, STDERR_FILENO);
    if (source->directory)
        posix_spawn_file_actions_addchdir_np(&actions, source->directory);
    int error = posix_spawnp(&job->pid, argv.v[0], &actions, NULL, (char *const *)(void *)argv.v, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        die("cannot run %s: %s; install it (Debian package %s) or name another clang", argv.v[0],
            strerror(error), SHEAF_CLANG);
    vec_free(&argv);
    arena_free(a);
}

static void read_back(int fd, Str *out)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!file_read(path, SIZE_MAX, out))
        die("cannot read clang's output: %s", strerror(errno));
    close(fd);
}

bool clang_finish(ClangJob *job, Str *bitcode)
{
    int status;
    Str messages = {0};
    while (waitpid(job->pid, &status, 0) < 0)
        if (errno != EINTR)
            die("cannot wait for clang: %s", strerror(errno));
    job->pid = 0;
    read_back(job->messages, &messages);
    read_back(job->output, bitcode);
    fwrite(messages.v, 1, messages.n, stderr);
    str_free(&messages);
    if (WIFSIGNALED(status) &&
        (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)) { /* Ctrl-C is for us all */
        warn("interrupted while compiling");
        exit(128 + WTERMSIG(status));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && bitcode->n > 0;
}

void clang_cancel(ClangJob *job)
{
    if (job->pid == 0)
        return;
    kill(job->pid, SIGKILL);
    waitpid(job->pid, NULL, 0);
    job->pid = 0;
}
