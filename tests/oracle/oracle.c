/* oracle.c - explored paths against brute force, on random programs.
 *
 * usage: oracle --clang CLANG --runtime FILE [--programs N] [--seed S] [--search WORD] [--no-snapshots]
 *
 * Every program is run natively on all its inputs; then Sheaf explores it. Checked of the explorer `full`:
 *   - the exploration is complete (its ledger is empty);
 *   - every input satisfies the condition of exactly one path, so the conditions are disjoint and total;
 *   - what that path tells (branch sides, exit status, failing statement) is what the native run told;
 *   - every path is that of some input.
 * A failure names the seed of its program, which repeats it by itself with --programs 1. */
#include "explore/explore.h"
#include "frontend/frontend.h"
#include "generate.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 100 };

typedef struct Outcome {
    uint8_t fault, status;                    /* failing statement or 0; exit status */
    const uint8_t *told;
    uint32_t ntold;
} Outcome;

typedef struct PathSeen {
    ExprVec conditions;
    Outcome outcome;
    Expr status;                              /* of its exit status; EXPR_NONE: outcome.status whatever the input */
    bool met;                                 /* some input satisfies it */
} PathSeen;

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed;
    ExploreSearch search;
    bool snapshots;
    char directory[64];
    const IrProgram *program;
    Arena *arena;                             /* of the paths of one program */
    Vec(PathSeen) paths;
    uint64_t runs, failures, faults;
} Check;

/* ---- native runs -------------------------------------------------------------------------------------------- */

static void run_tool(const char *const *argv, const char *output)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (output && !freopen(output, "wb", stdout))
            _exit(126);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        die("oracle: %s failed", argv[0]);
}

static const char *in_directory(const Check *c, Arena *a, const char *name)
{
    return arena_printf(a, "%s/%s", c->directory, name);
}

static const char *include_flag(Arena *a)
{
    const char *root = getenv("SHEAF_SOURCE");
    return arena_printf(a, "-I%s/tests/oracle", root ? root : ".");
}

/* All outcomes of a batch, program by program, input by input. */
static Outcome *native_outcomes(const Check *c, Arena *a, uint32_t count)
{
    const char *source = in_directory(c, a, "batch.c"), *binary = in_directory(c, a, "native"), *data = in_directory(c, a, "native.out");
    run_tool((const char *const[]){c->clang, "-w", "-O0", "-fwrapv", "-DNATIVE", include_flag(a), source, "-o", binary, NULL}, NULL);
    run_tool((const char *const[]){binary, NULL}, data);
    Str text = {0};
    if (!file_read(data, (size_t)1 << 30, &text))
        die("oracle: %s: %s", data, strerror(errno));
    uint8_t *bytes = arena_alloc(a, text.n + 1);
    memcpy(bytes, text.v, text.n);
    Outcome *all = arena_alloc(a, (size_t)count * GENERATE_COMBINATIONS * sizeof *all);
    const uint8_t *at = bytes;
    for (uint32_t i = 0; i < count * GENERATE_COMBINATIONS; i++) {
        all[i] = (Outcome){at[0], at[0] ? 0 : at[1], at + 4, (uint32_t)(at[2] | at[3] << 8)};
        at += 4 + all[i].ntold;
    }
    if (at != bytes + text.n)
        die("oracle: the native runs told something else than expected");
    str_free(&text);
    return all;
}

/* ---- explored paths ------------------------------------------------------------------------------------------ */

/* What the program told stands in its memory at the end: the machine shows it. */
static void on_run(void *context, const ExploreRun *run)
{
    Check *c = context;
    const VmTrace *trace = run->trace;
    c->runs++;
    if (trace->result.ending == VM_END_ASSUMPTION)
        return;
    PathSeen path = {0};
    path.status = trace->status;
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        vec_push(&path.conditions, trace->decisions.v[i].holds);
    if (trace->result.ending == VM_END_FAULT) {
        uint32_t site = trace->result.site;
        path.outcome.fault = site == IR_NONE ? 255 : (uint8_t)c->program->sites.v[site].line;
        c->faults++;
    } else {
        path.outcome.status = (uint8_t)trace->result.status;
    }
    Str told = {0};
    vm_global_bytes(explore_vm(run->explore), "told", &told);
    Str count = {0};
    vm_global_bytes(explore_vm(run->explore), "ntold", &count);
    memcpy(&path.outcome.ntold, count.v, 4);
    uint8_t *copy = arena_alloc(c->arena, path.outcome.ntold + 1);
    memcpy(copy, told.v, path.outcome.ntold);
    path.outcome.told = copy;
    str_free(&told);
    str_free(&count);
    vec_push(&c->paths, path);
}

/* Under the input of the evaluation. */
static bool same(ExprEval *ev, const PathSeen *path, const Outcome *native)
{
    const Outcome *o = &path->outcome;
    uint8_t status = expr_is_none(path->status) ? o->status : (uint8_t)expr_eval(ev, path->status);
    if (!o->fault && status != native->status)
        return false;
    return o->fault == native->fault && o->ntold == native->ntold && !memcmp(o->told, native->told, o->ntold);
}

static void show(const char *what, const Outcome *o)
{
    printf("  %s: fault %u, status %u, told", what, o->fault, o->status);
    for (uint32_t i = 0; i + 1 < o->ntold; i += 2)
        printf(" %u%c", o->told[i], o->told[i + 1]);
    putchar('\n');
}

static bool holds(ExprEval *ev, const PathSeen *p)
{
    for (uint32_t i = 0; i < p->conditions.n; i++)
        if (!expr_eval_true(ev, p->conditions.v[i]))
            return false;
    return true;
}

/* "" if all is well. */
static const char *judge_input(Check *c, ExprEval *ev, uint32_t k, const Outcome *native)
{
    ExprInput input = {0};
    uint8_t bytes[GENERATE_INPUTS];
    generate_input(k, bytes);
    for (uint32_t i = 0; i < GENERATE_INPUTS; i++)
        expr_input_set_byte(&input, i, bytes[i]);
    expr_eval_input(ev, &input);
    PathSeen *hit = NULL;
    const char *wrong = "";
    for (uint32_t i = 0; i < c->paths.n; i++) {
        if (!holds(ev, &c->paths.v[i]))
            continue;
        if (hit)
            wrong = "satisfies two paths";
        hit = &c->paths.v[i];
        hit->met = true;
    }
    if (!hit)
        wrong = "satisfies no path";
    else if (!*wrong && !same(ev, hit, native))
        wrong = "does something else natively";
    if (*wrong) {
        printf("  input %d %d %d %s\n", (int8_t)bytes[0], (int8_t)bytes[1], (int8_t)bytes[2], wrong);
        show("native", native);
        if (hit)
            show("path", &hit->outcome);
    }
    expr_input_free(&input);
    return wrong;
}

static bool judge(Check *c, Explore *x, const Outcome *native)
{
    bool good = true;
    ExprEval *ev = expr_eval_new(explore_pool(x));
    for (uint32_t i = 0; i < ledger_count(explore_ledger(x)); i++) {
        Str text = {0};
        ledger_entry_text(ledger_entry(explore_ledger(x), i), c->program, &text);
        printf("  incomplete: %s\n", str_text(&text));
        str_free(&text);
        good = false;
    }
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS && good; k++)
        good = !*judge_input(c, ev, k, &native[k]);
    for (uint32_t i = 0; i < c->paths.n && good; i++)
        if (!c->paths.v[i].met) {
            show("no input takes the path", &c->paths.v[i].outcome);
            good = false;
        }
    expr_eval_free(ev);
    return good;
}

static void check_program(Check *c, uint32_t number, const Outcome *native)
{
    char word[16];
    snprintf(word, sizeof word, "%u", number);
    const char *argv[] = {"batch", word, NULL};
    VmEnvironment environment = {.argc = 2, .argv = argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    ExploreOptions options = {.search = c->search,
                              .seed = c->seed + number,
                              .solver_time = 60,
                              .vm = {.max_steps = 10000000},
                              .symbolic = {.size_candidates = 8, .pointer_candidates = 8, .snapshot_bytes = c->snapshots ? 64 << 20 : 0},
                              .on_run = on_run,
                              .context = c};
    c->arena = arena_new();
    Explore *x = explore_new(c->program, &environment, &options);
    explore_all(x);
    if (!judge(c, x, native)) {
        printf("FAIL seed %llu\n", (unsigned long long)(c->seed + number));
        c->failures++;
    }
    for (uint32_t i = 0; i < c->paths.n; i++)
        vec_free(&c->paths.v[i].conditions);
    vec_clear(&c->paths);
    explore_free(x);
    arena_free(c->arena);
}

static void check_batch(Check *c, uint32_t count)
{
    Arena *a = arena_new();
    Str text = {0};
    const char *source = in_directory(c, a, "batch.c");
    generate_batch(&(GenerateOptions){.seed = c->seed, .count = count}, &text);
    if (!file_write_atomic(source, text.v, text.n))
        die("oracle: %s: %s", source, strerror(errno));
    Outcome *native = native_outcomes(c, a, count);
    FrontendOptions load = {.runtime = c->runtime, .entry = "main", .clang = c->clang};
    const char *root = getenv("SHEAF_SOURCE");
    vec_push(&load.inputs, source);
    vec_push(&load.cflags, "-w");
    vec_push(&load.cflags, include_flag(a));
    vec_push(&load.cflags, arena_printf(a, "-I%s/include", root ? root : "."));
    IrProgram *program = frontend_load(&load);
    c->program = program;
    for (uint32_t i = 0; i < count; i++)
        check_program(c, i, &native[i * GENERATE_COMBINATIONS]);
    ir_program_free(program);
    vec_free(&load.inputs);
    vec_free(&load.cflags);
    str_free(&text);
    arena_free(a);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    static const char *const searches[] = {"dfs", "bfs", "random", "coverage"};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--no-snapshots"))
            c->snapshots = false;
        else if (!strcmp(argv[i], "--clang"))
            c->clang = argv[++i];
        else if (!strcmp(argv[i], "--runtime"))
            c->runtime = argv[++i];
        else if (!strcmp(argv[i], "--programs"))
            c->programs = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--seed"))
            c->seed = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--search")) {
            for (unsigned k = 0; k < COUNT_OF(searches); k++)
                if (!strcmp(value, searches[k]))
                    c->search = k;
            i++;
        } else
            die("oracle: unknown argument '%s'", argv[i]);
    }
    if (!c->clang || !c->runtime)
        die("oracle: --clang and --runtime are needed");
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1, .snapshots = true, .directory = "/tmp/sheaf-oracle-XXXXXX"};
    read_arguments(&c, argc, argv);
    if (!mkdtemp(c.directory))
        die("oracle: no temporary directory: %s", strerror(errno));
    uint64_t left = c.programs;
    while (left) {
        uint32_t count = left < BATCH ? (uint32_t)left : BATCH;
        check_batch(&c, count);
        c.seed += count;
        left -= count;
    }
    Arena *a = arena_new();
    static const char *const made[] = {"batch.c", "native", "native.out"};
    for (unsigned i = 0; i < COUNT_OF(made); i++)
        unlink(in_directory(&c, a, made[i]));
    rmdir(c.directory);
    arena_free(a);
    vec_free(&c.paths);
    printf("%llu programs, %llu paths, %llu of them faults\n", (unsigned long long)c.programs, (unsigned long long)c.runs,
           (unsigned long long)c.faults);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures), (unsigned long long)c.failures);
    return c.failures != 0;
}
