/* clang.c - C to bitcode by a clang of the same LLVM. It writes to an anonymous file, so nothing is left to remove. */
#include "frontend/frontend_int.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Flags that name outputs or say what clang should produce: that is ours to say. With a value in the next word or not. */
static const struct { const char *flag; bool prefix, takes_value; } dropped[] = {
    {"-c", false, false},  {"-S", false, false},   {"-E", false, false},   {"-emit-llvm", false, false},
    {"-o", false, true},   {"-MF", false, true},   {"-MT", false, true},   {"-MQ", false, true},
    {"-MJ", false, true},  {"-o", true, false},    {"-M", true, false},    {"-g", true, false},
    {"-save-temps", true, false}, {"-fprofile", true, false}, {"--coverage", false, false}, {"-flto", true, false},
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
        if (is_dropped(in->v[i], &takes_value))
            i += takes_value;
        else if (optimise || !text_starts_with(in->v[i], "-O"))
            vec_push(out, in->v[i]);
    }
}

static void command(const FrontendOptions *options, const Source *source, StrVec *argv)
{
    static const char *const always[] = {
        "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-fno-discard-value-names", "-fdebug-compilation-dir=.",
        "-Qunused-arguments",
    };
    vec_push(argv, options->clang ? options->clang : SHEAF_CLANG);
    for (unsigned i = 0; i < COUNT_OF(always); i++)
        vec_push(argv, always[i]);
    clang_filter_flags(&options->cflags, options->optimise, argv);
    clang_filter_flags(&source->flags, options->optimise, argv);
    vec_push(argv, "-emit-llvm");
    vec_push(argv, "-c");
    vec_push(argv, source->path);
    vec_push(argv, "-o");
    vec_push(argv, "-");
    vec_push(argv, NULL);
}

static void run(const Source *source, StrVec *argv, int output)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (source->directory)
        posix_spawn_file_actions_addchdir_np(&actions, source->directory);
    int error = posix_spawnp(&child, argv->v[0], &actions, NULL, (char *const *)(void *)argv->v, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        die("cannot run %s: %s; install it (Debian package %s) or name another clang", argv->v[0], strerror(error), SHEAF_CLANG);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            die("cannot wait for %s: %s", argv->v[0], strerror(errno));
    if (WIFSIGNALED(status))
        die("%s: clang was killed by signal %d", source->path, WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        die("%s does not compile", source->path);
}

void clang_compile(const FrontendOptions *options, const Source *source, Str *bitcode)
{
    StrVec argv = {0};
    char path[64];
    int output = memfd_create("bitcode", MFD_CLOEXEC);
    if (output < 0)
        die("cannot make room for clang's output: %s", strerror(errno));
    command(options, source, &argv);
    run(source, &argv, output);
    vec_free(&argv);
    snprintf(path, sizeof path, "/proc/self/fd/%d", output);
    if (!file_read(path, SIZE_MAX, bitcode))
        die("%s: cannot read clang's output: %s", source->path, strerror(errno));
    close(output);
}
