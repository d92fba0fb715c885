/* corpus.c - see corpus.h. */
#include "corpus.h"
#include "vm/core/vm_int.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void corpus_run_tool(const char *const *argv, const char *output)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (output && !freopen(output, "wb", stdout))
            _exit(126);
        execvp(argv[0], (char *const *)(void *)argv);
        _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        die("%s failed", argv[0]);
}

static const char *include_flag(Arena *a, const char *directory)
{
    const char *root = getenv("SHEAF_SOURCE");
    return arena_printf(a, "-I%s/%s", root ? root : ".", directory);
}

/* ---- native runs ----------------------------------------------------------------------------- */

/* As main of a native batch writes them: see drivers in generate.c. */
static void read_outcomes(Corpus *c, const uint8_t *at, const uint8_t *end)
{
    size_t n = (size_t)c->count * GENERATE_COMBINATIONS;
    CorpusOutcome *all = arena_alloc(c->arena, n * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        int32_t numbers[6];
        if ((size_t)(end - at) < sizeof numbers)
            die("corpus: the native runs reported less than expected");
        memcpy(numbers, at, sizeof numbers);
        at += sizeof numbers;
        all[i] = (CorpusOutcome){.fault = (uint32_t)numbers[0],
                                 .status = numbers[0] ? 0 : (uint8_t)numbers[1],
                                 .has_output = numbers[2],
                                 .output = numbers[2] ? numbers[3] : 0,
                                 .nreported = (uint32_t)numbers[4],
                                 .reported = at,
                                 .nprinted = (uint32_t)numbers[5],
                                 .printed = (const char *)at + numbers[4]};
        if ((uint64_t)all[i].nreported + all[i].nprinted > (uint64_t)(end - at))
            die("corpus: the native runs reported something else than expected");
        at += all[i].nreported + all[i].nprinted;
    }
    if (at != end)
        die("corpus: the native runs reported more than expected");
    c->native = all;
}

static void run_natively(Corpus *c, const CorpusOptions *o, const char *directory)
{
    Arena *a = c->arena;
    const char *source = arena_printf(a, "%s/batch.c", directory),
               *binary = arena_printf(a, "%s/native", directory);
    const char *data = arena_printf(a, "%s/native.out", directory);
    corpus_run_tool((const char *const[]){o->clang, "-w", "-O0", "-fwrapv", "-DNATIVE",
                                          include_flag(a, "tests/oracle"), source, "-o", binary, NULL},
                    NULL);
    corpus_run_tool((const char *const[]){binary, NULL}, data);
    Str text = {0};
    if (!file_read(data, (size_t)1 << 30, &text))
        die("corpus: %s: %s", data, strerror(errno));
    uint8_t *bytes = arena_alloc(a, text.n + 1);
    memcpy(bytes, text.v, text.n);
    read_outcomes(c, bytes, bytes + text.n);
    str_free(&text);
    unlink(binary);
    unlink(data);
}

/* ---- the same program for Sheaf -------------------------------------------------------------- */

static void load(Corpus *c, const CorpusOptions *o, const char *source)
{
    FrontendOptions options = {.runtime = o->runtime, .entry = "main", .clang = o->clang};
    vec_push(&options.inputs, source);
    vec_push(&options.cflags, "-w");
    vec_push(&options.cflags, o->quiet ? "-DQUIET" : "-UQUIET");
    vec_push(&options.cflags, include_flag(c->arena, "tests/oracle"));
    vec_push(&options.cflags, include_flag(c->arena, "include"));
    c->ir = frontend_load(&options);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
}

Corpus *corpus_new(const CorpusOptions *o)
{
    char directory[] = "/tmp/sheaf-corpus-XXXXXX";
    Corpus *c = mem_zalloc(sizeof *c);
    Str text = {0};
    *c = (Corpus){.arena = arena_new(), .seed = o->seed, .count = o->count};
    if (!mkdtemp(directory))
        die("corpus: no temporary directory: %s", strerror(errno));
    const char *source = arena_printf(c->arena, "%s/batch.c", directory);
    generate_batch(&(GenerateOptions){.seed = o->seed, .count = o->count}, &text);
    if (o->prints)
        edits_print_more(&text);
    if (o->helpers)
        edits_call_helpers(&text);
    if (o->edits) {
        Edit *edits = arena_alloc(c->arena, o->count * sizeof *edits);
        edits_apply(&text, o->seed, o->count, o->edits, edits);
        c->edits = edits;
    }
    if (!file_write_atomic(source, text.v, text.n))
        die("corpus: %s: %s", source, strerror(errno));
    str_free(&text);
    run_natively(c, o, directory);
    load(c, o, source);
    unlink(source);
    rmdir(directory);
    return c;
}

void corpus_free(Corpus *c)
{
    ir_program_free((IrProgram *)c->ir);
    arena_free(c->arena);
    mem_free(c);
}

const CorpusOutcome *corpus_native(const Corpus *c, uint32_t program, uint32_t k)
{
    return &c->native[(size_t)program * GENERATE_COMBINATIONS + k];
}

void corpus_input(uint32_t k, ExprInput *input)
{
    uint8_t bytes[GENERATE_INPUTS];
    generate_input(k, bytes);
    for (uint32_t i = 0; i < GENERATE_INPUTS; i++)
        expr_input_set_byte(input, i, bytes[i]);
}

VmEnvironment corpus_environment(uint32_t program, CorpusArguments *args)
{
    snprintf(args->number, sizeof args->number, "%u", program);
    args->argv[0] = "batch";
    args->argv[1] = args->number;
    args->argv[2] = NULL;
    return (VmEnvironment){.argc = 2, .argv = args->argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
}

void corpus_reported(Vm *vm, Arena *arena, CorpusOutcome *out)
{
    Str reported = {0}, count = {0};
    vm_global_bytes(vm, "reported", &reported);
    vm_global_bytes(vm, "nreported", &count);
    memcpy(&out->nreported, count.v, sizeof out->nreported);
    uint8_t *copy = arena_alloc(arena, out->nreported + 1);
    memcpy(copy, reported.v, out->nreported);
    out->reported = copy;
    str_free(&reported);
    str_free(&count);
}
