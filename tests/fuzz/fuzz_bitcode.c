/* fuzz_bitcode - feeds the front end any bytes as bitcode or, if they do not look like it, as LLVM's text.
 * Each input is loaded in a child: the front end ends its process on bad input, and LLVM's reader may crash,
 * both of which must come out as exit 2. A program that loads must be well formed. Anything else is a
 * finding.
 *
 *     clang -c -emit-llvm -O0 -g examples/NAME.c -o CORPUS/NAME.bc     (seeds)
 *     fuzz_bitcode -max_total_time=60 CORPUS */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/frontend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the child covered reaches libFuzzer through these, which parent and child share. */
enum { COUNTERS = 1 << 16 };
__attribute__((section("__libfuzzer_extra_counters"), aligned(4096))) static uint8_t counters[COUNTERS];
extern uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];

static void share_counters(void)
{
    if (mmap(counters, COUNTERS, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED)
        abort();
}

/* libFuzzer takes any exit for a finding; ours come first. */
static void leave_at_once(int status, void *unused)
{
    (void)unused;
    for (uint8_t *c = __start___sancov_cntrs; c < __stop___sancov_cntrs; c++)
        counters[(c - __start___sancov_cntrs) % COUNTERS] |= *c;
    _exit(status);
}

static _Noreturn void load_and_leave(const char *path)
{
    int nowhere = open("/dev/null", O_WRONLY);
    FrontendOptions options = {.all_functions = true};
    Arena *a = arena_new();
    const char *error;
    if (!getenv("FUZZ_TALK")) /* set it to see what a finding says */
        dup2(nowhere, STDERR_FILENO);
    on_exit(leave_at_once, NULL);
    vec_push(&options.inputs, path);
    IrProgram *p = frontend_load(&options);
    if (!ir_program_verify(p, a, &error))
        bug("not well formed: %s", error);
    exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool shared;
    char path[64];
    if (!shared)
        share_counters();
    shared = true;
    int status, file = memfd_create("input", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    /* A descriptor has no suffix, which tells LLVM's text from others; a link to it has. */
    bool is_bitcode = size >= 2 && data[0] == 'B' && data[1] == 'C';
    char directory[] = "/tmp/sheaf-fuzz-XXXXXX", link[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    if (!mkdtemp(directory))
        abort();
    snprintf(link, sizeof link, "%s/input.%s", directory, is_bitcode ? "bc" : "ll");
    if (symlink(path, link) < 0)
        abort();
    pid_t child = fork();
    if (child == 0)
        load_and_leave(link);
    if (child < 0 ||
        TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) != child) /* libFuzzer's timer interrupts */
        abort();
    unlink(link);
    rmdir(directory);
    close(file);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2))
        abort();
    return 0;
}
