/* exploring.c - options of the exploring commands, as a table, and what they mean to the engine. */
#include "cli/exploring.h"
#include "flow/flow.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *const search_words[] = {"mixed", "dfs", "bfs", "random", "coverage", NULL};
static const char *const external_words[] = {"none", "pure", "all", NULL};
static const char *const shape_words[] = {"bytes", "types", NULL}; /* as VmShape */
static const char *const format_words[] = {"text", "json", "sarif", NULL};

/* Each use adds a group. */
static bool take_args(const Option *option, void *settings, const char *const *values, Str *error)
{
    ExploringSettings *s = settings;
    VmSymbolicArgs a;
    uint32_t *to[3] = {&a.min, &a.max, &a.length}, before = 0;
    (void)option;
    for (int i = 0; i < 3; i++) {
        u128 n;
        unsigned most = i < 2 ? VM_ARGUMENTS_MOST : 4096;
        if (!text_parse_u128(values[i], 10, &n) || n > most) {
            str_printf(error, "--sym-args: '%s' is no number from 0 to %u", values[i], most);
            return false;
        }
        *to[i] = (uint32_t)n;
    }
    for (uint32_t i = 0; i < s->nargs; i++)
        before += s->args[i].max;
    if (a.min > a.max)
        str_printf(error, "--sym-args: MIN %s is more than MAX %s", values[0], values[1]);
    else if (before + a.max > VM_ARGUMENTS_MOST)
        str_printf(error, "--sym-args: %u arguments in all, at most %u", before + a.max,
                   (unsigned)VM_ARGUMENTS_MOST);
    else if (a.max)
        s->args[s->nargs++] = a;
    return !error->n;
}

enum { INPUT_MOST = 1 << 20 }; /* bytes of one file */

/* N, or MIN..MAX. */
static bool parse_lengths(const char *text, uint64_t *least, uint64_t *most)
{
    const char *dots = strstr(text, "..");
    char first[16];
    u128 a, b;
    if (dots && (size_t)(dots - text) < sizeof first)
        snprintf(first, sizeof first, "%.*s", (int)(dots - text), text);
    else if (dots)
        return false;
    if (!text_parse_u128(dots ? first : text, 10, &a) || !text_parse_u128(dots ? dots + 2 : text, 10, &b) ||
        a > b || b > INPUT_MOST)
        return false;
    *least = (uint64_t)a;
    *most = (uint64_t)b;
    return true;
}

static bool take_stdin(const Option *option, void *settings, const char *const *values, Str *error)
{
    ExploringSettings *s = settings;
    (void)option;
    bool ok = parse_lengths(values[0], &s->stdin_least, &s->sym_stdin);
    if (!ok)
        str_printf(error, "--sym-stdin: '%s' is neither a number of bytes nor a range MIN..MAX, up to %d",
                   values[0], INPUT_MOST);
    return ok;
}

const Option exploring_options[] = {
    {OPT_GROUP("Inputs")},
    {OPT_CALL(take_stdin, 1), "sym-stdin", .argument = "N|MIN..MAX",
     .help = "standard input is N symbolic bytes, or any number from MIN to MAX of them"},
    {OPT_CALL(take_args, 3), "sym-args", .argument = "MIN MAX LEN",
     .help = "MIN to MAX symbolic arguments of up to LEN bytes each; if repeated, further ones follow"},
    {OPT_LIST(ExploringSettings, sym_files), "sym-file", .argument = "NAME:N",
     .help = "a file NAME of N, or of MIN to MAX, symbolic bytes; may be repeated"},
    {OPT_LIST(ExploringSettings, env), "env", .argument = "WHAT,...",
     .help = "what of the environment is an input, too: malloc (may fail), time, pid, rand, getenv, read "
             "(may fail or stop short); symbolic: all of these; fixed: none (default)"},
    {OPT_LIST(ExploringSettings, files), "file", .argument = "NAME[=PATH]",
     .help = "a file that the program can read, with the content of PATH; may be repeated"},
    {OPT_STRING(ExploringSettings, entry), "entry", .argument = "F",
     .help = "call the function F with symbolic arguments instead of main"},
    {OPT_ENUM(ExploringSettings, shape), "shape", .preset = "types", .words = shape_words,
     .help = "with --entry, what pointers point to. types: objects after their C types and names, all "
             "separate; bytes: as many bytes as the code uses, and two pointers may be equal (reach and "
             "prove always use bytes; diff uses types where bytes leave it open)"},
    {OPT_UINT(ExploringSettings, string), "string", .argument = "N", .preset = "0",
     .help = "with --shape types: longest string. 0: 'test' tries 1, 2, 3 ... up to 8 while there is time, "
             "other commands use 3"},
    {OPT_UINT(ExploringSettings, elements), "elements", .argument = "N", .preset = "0",
     .help = "with --shape types: largest array; 0: as for --string"},
    {OPT_UINT(ExploringSettings, depth), "depth", .argument = "N", .preset = "0",
     .help = "with --shape types: longest list, deepest tree; 0: as for --string, up to 4"},
    {OPT_FLAG(ExploringSettings, aliases), "aliases",
     .help = "with --shape types: a pointer may also equal an earlier one of its type, so that objects are "
             "shared and lists have cycles; not tried where that certainly makes no difference"},
    {OPT_FLAG(ExploringSettings, all_aliases), "all-aliases", .help = "with --aliases: tried in any case"},
    {OPT_UINT(ExploringSettings, pointer_objects), "pointer-objects", .argument = "N", .preset = "8",
     .help = "with --shape bytes: objects behind pointers, at most"},
    {OPT_UINT(ExploringSettings, object_size), "object-size", .argument = "N", .preset = "64",
     .help = "with --shape bytes: elements of an object whose size the code does not show"},
    {OPT_LIST(ExploringSettings, symbolic_globals), "symbolic-globals", .argument = "NAME,...",
     .optional = true, .help = "give these globals any value, or all that are not constant; may be repeated"},
    {OPT_UINT(ExploringSettings, fuzz_size), "fuzz-size", .argument = "N", .preset = "8",
     .help = "longest data for LLVMFuzzerTestOneInput, in bytes"},
    {OPT_GROUP("Exploration")},
    {OPT_ENUM(ExploringSettings, search), "search", .preset = "mixed", .words = search_words,
     .help = "order in which paths are run"},
    {OPT_UINT(ExploringSettings, seed), "seed", .argument = "N", .preset = "1",
     .help = "random seed for --search mixed, random and coverage"},
    {OPT_SET(ExploringSettings, checks), "check", .words = program_check_words,
     .help = "look for these faults, too"},
    {OPT_ENUM(ExploringSettings, external), "external", .preset = "pure", .words = external_words,
     .help = "undefined functions that are called natively: none, those of libm, or all"},
    {OPT_STRING(ExploringSettings, solver), "solver", .argument = "cadical|z3|COMMAND", .preset = "cadical",
     .help = "back end; COMMAND runs any SMT-LIB 2 solver"},
    {OPT_STRING(ExploringSettings, log_queries), "log-queries", .argument = "DIR",
     .help = "write each query to the back end as SMT-LIB, with its answer and time"},
    {OPT_FLAG(ExploringSettings, no_snapshots), "no-snapshots",
     .help = "start every run at the entry (slower, same results)"},
    {OPT_GROUP("Limits (0: none)")},
    {OPT_SECONDS(ExploringSettings, max_time), "max-time", .argument = "TIME", .preset = "0",
     .help = "stop after TIME"},
    {OPT_UINT(ExploringSettings, max_runs), "max-runs", .argument = "N", .help = "stop after N runs"},
    {OPT_UINT(ExploringSettings, max_depth), "max-depth", .argument = "N",
     .help = "try alternatives only for the first N decisions of a run"},
    {OPT_SIZE(ExploringSettings, max_memory), "max-memory", .argument = "SIZE", .preset = "2G",
     .help = "memory for pending work, and as much again for one run: what the program allocates and what is "
             "kept of it"},
    {OPT_UINT(ExploringSettings, max_steps), "max-steps", .argument = "N", .preset = "100000000",
     .help = "instructions of one run; with --max-time there is no limit unless you give one"},
    {OPT_UINT(ExploringSettings, size_candidates), "size-candidates", .argument = "N", .preset = "8",
     .help = "sizes tried for one symbolic allocation or copy"},
    {OPT_UINT(ExploringSettings, pointer_candidates), "pointer-candidates", .argument = "N", .preset = "8",
     .help = "objects tried for one symbolic pointer, 255 at most"},
    {OPT_UINT(ExploringSettings, loop_bound), "loop-bound", .argument = "N", .preset = "256",
     .help = "iterations of a loop, or depth of a recursion, that depend on input"},
    {OPT_SECONDS(ExploringSettings, solver_time), "solver-timeout", .argument = "TIME", .preset = "10s",
     .help = "processor time for one query"},
    {OPT_END},
};

const Option exploring_handle_options[] = {
    {OPT_GROUP("Arguments that the program itself makes")},
    {OPT_LIST(ExploringSettings, construct), "construct", .argument = "T=F,...|T=none|none",
     .help = "with --entry and --shape types: objects of type T, or behind the parameter T, are made by "
             "calling F; may be "
             "repeated. Opaque types are made by the functions that return them; none: not so"},
    {OPT_LIST(ExploringSettings, mutate), "mutate", .argument = "T=F,...|T=none|none",
     .help =
         "and changed by calls of F before the entry is called; without it, by all functions that get one "
         "first and write there"},
    {OPT_UINT(ExploringSettings, calls), "calls", .argument = "N", .preset = "0",
     .help = "such calls one after the other, at most; 0: 'test' tries 0, 1, 2 while there is time, "
             "'signature' uses 2"},
    {OPT_END},
};

const Option exploring_output_options[] = {
    {OPT_GROUP("Output")},
    {OPT_STRING(ExploringSettings, directory), "output", 'o', "DIR", "sheaf-out",
     .help = "where tests and results are written"},
    {OPT_FLAG(ExploringSettings, force), "force", .help = "replace the results in DIR"},
    {OPT_ENUM(ExploringSettings, format), "format", .preset = "text", .words = format_words,
     .help = "format of the answer"},
    {OPT_FLAG(ExploringSettings, quiet), "quiet", 'q', .help = "do not show progress"},
    {OPT_COUNT(ExploringSettings, verbose), "verbose", 'v',
     .help = "also print statistics, and all reasons why an answer is incomplete"},
    {OPT_END},
};

static volatile bool interrupted;
static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = true;
}

const volatile bool *exploring_interrupt(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}

void exploring_check_words(const ExploringSettings *s, StrVec *out)
{
    for (size_t i = 0; program_check_words[i]; i++)
        if (s->checks >> i & 1)
            vec_push(out, program_check_words[i]);
}

void exploring_environment(const ExploringSettings *s, const OptionArgs *args, Arena *arena,
                           VmEnvironment *out)
{
    *out = (VmEnvironment){.argc = (int)args->rest.n + 1,
                           .argv = program_arguments(args, &s->program, arena),
                           .stdin_fd = -1,
                           .stdout_fd = -1,
                           .stderr_fd = -1};
    for (uint32_t i = 0; i < s->files.n; i++)
        program_add_file(out, arena, s->files.v[i]);
}

/* NAME:N or NAME:MIN..MAX; the name may have colons of its own. */
static void add_symbolic_file(VmInputs *inputs, Arena *arena, const char *text)
{
    const char *colon = strrchr(text, ':');
    uint64_t least, most;
    if (!colon || colon == text || !parse_lengths(colon + 1, &least, &most))
        die("--sym-file %s: expected NAME:N or NAME:MIN..MAX, with up to %d bytes", text, INPUT_MOST);
    VmSymbolicFile file = {.name = arena_strndup(arena, text, (size_t)(colon - text)),
                           .size = (uint32_t)most,
                           .optional = (uint32_t)(most - least)};
    vec_push(&inputs->files, file);
}

static void add_globals(VmInputs *inputs, Arena *arena, const StrVec *lists)
{
    for (uint32_t i = 0; i < lists->n; i++) {
        const char *names = lists->v[i];
        inputs->all_globals |= !*names;
        while (*names) {
            size_t n = strcspn(names, ",");
            vec_push(&inputs->globals, arena_strndup(arena, names, n));
            names += n + (names[n] == ',');
        }
    }
}

/* The bits of one word of --env; 0 if it is none of its words. */
static uint32_t environment_bits(const char *word, size_t n)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < LEDGER_ENV_COUNT; i++) {
        const char *known = ledger_env_word(i);
        if ((n == 8 && !strncmp(word, "symbolic", n)) || (strlen(known) == n && !strncmp(word, known, n)))
            bits |= UINT32_C(1) << i;
    }
    return bits;
}

static uint32_t read_environment(const StrVec *lists)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < lists->n; i++)
        for (const char *word = lists->v[i];; word++) {
            size_t n = strcspn(word, ",");
            uint32_t more = environment_bits(word, n);
            bool fixed = n == 5 && !strncmp(word, "fixed", n);
            if (!more && !fixed)
                die("--env: '%.*s' is not one of fixed, symbolic, malloc, time, pid, rand, getenv, read",
                    (int)n, word);
            bits = fixed ? 0 : bits | more;
            word += n;
            if (!*word)
                break;
        }
    return bits;
}

void exploring_free(ExploreOptions *options)
{
    vec_free(&options->symbolic.inputs.args);
    vec_free(&options->symbolic.inputs.files);
    vec_free(&options->symbolic.inputs.globals);
}

/* A va_list is an array of one structure, which as a parameter is a pointer. */
static bool is_va_list(const IrProgram *program, uint32_t type)
{
    const IrCType *t = &program->ctypes.v[type];
    const IrCType *of = t->kind == IR_C_POINTER && t->of ? &program->ctypes.v[t->of] : NULL;
    for (uint32_t i = 0; of && of->kind == IR_C_RECORD && i < of->n; i++)
        if (!strcmp(ir_text(program, program->cmembers.v[of->first + i].name), "reg_save_area"))
            return true;
    return false;
}

static void check_entry(const char *entry, const IrProgram *program)
{
    uint32_t fn = entry ? ir_fn_find(program, entry) : IR_NONE;
    const IrFn *f = fn != IR_NONE ? &program->fns.v[fn] : NULL;
    for (uint32_t i = 1; f && i < f->ctypes.n; i++)
        if (f->ctypes.v[i] && is_va_list(program, f->ctypes.v[i]))
            die("--entry %s: it takes a va_list, which only a function with '...' can make: name such a "
                "function that calls it",
                entry);
}

void exploring_check(const ExploringSettings *s, const IrProgram *program)
{
    check_entry(s->entry, program);
    if (s->aliases && (!s->entry || s->shape != VM_SHAPE_TYPES))
        die("--aliases: it is for --entry with --shape types; --shape bytes tries equal pointers anyway");
    if (s->all_aliases && !s->aliases)
        die("--all-aliases: it is for --aliases");
    Arena *arena = arena_new();
    VmInputs inputs = {0};
    add_globals(&inputs, arena, &s->symbolic_globals);
    for (uint32_t i = 0; i < inputs.globals.n; i++) {
        uint32_t g = ir_global_find(program, inputs.globals.v[i]);
        if (g == IR_NONE || !program->globals.v[g].defined || program->globals.v[g].constant)
            die("--symbolic-globals: the program has no global variable '%s'", inputs.globals.v[i]);
    }
    vec_free(&inputs.globals);
    arena_free(arena);
}

const char *exploring_exhaustive(unsigned explorer)
{
    const char *name = explore_names[explorer];
    if (strcmp(name, "full") && strcmp(name, "dependence") && strcmp(name, "states"))
        die("--explore %s: paths that it leaves out may fail, or come to the target; full, dependence and "
            "states leave out none",
            name);
    return name;
}

void exploring_unused(const OptionArgs *args, const char *command, const char *const *names)
{
    for (; *names; names++)
        if (options_given(args, *names))
            warn("--%s: 'sheaf %s' makes no use of it", *names, command);
}

static bool is_file(const struct stat *file, const char *path)
{
    struct stat other;
    return path && !stat(path, &other) && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

bool exploring_reads(const ExploringSettings *s, const OptionArgs *args, const IrProgram *program,
                     const char *path)
{
    struct stat file;
    if (stat(path, &file))
        return false;
    bool reads = is_file(&file, s->program.compdb);
    for (uint32_t i = 0; i < args->plain.n; i++)
        reads |= is_file(&file, args->plain.v[i]);
    for (uint32_t i = 0; i < s->files.n; i++)
        reads |= is_file(&file, program_file_path(s->files.v[i]));
    /* headers, and what a compilation database names; one place after the other is mostly in one file */
    for (uint32_t i = 0; i < program->sites.n && !reads; i++)
        if (!i || program->sites.v[i].file != program->sites.v[i - 1].file)
            reads = is_file(&file, ir_text(program, program->sites.v[i].file));
    return reads;
}

void exploring_check_file(const ExploringSettings *s, const OptionArgs *args, const IrProgram *program,
                          const char *option, const char *path)
{
    if (exploring_reads(s, args, program, path))
        die("%s: %s is an input of this command, and is not written over", option, path);
}

/* A number beyond what the machine counts to is no limit there; cut off it would be a small one. */
static uint32_t at_most_32_bits(uint64_t n) { return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX; }

static void check_size(const char *option, uint64_t bytes)
{
    enum { MOST = 1 << 20 };
    if (bytes > MOST)
        die("--%s %llu: at most %d", option, (unsigned long long)bytes, MOST);
}

static void check_bound(const char *option, uint64_t n)
{
    enum { MOST = 4096 };
    if (n > MOST)
        die("--%s %llu: at most %d", option, (unsigned long long)n, MOST);
}

static void check_calls(uint64_t n)
{
    if (n > EXPLORING_CALLS_LIMIT) /* each adds all functions that may be called */
        die("--calls %llu: at most %d", (unsigned long long)n, EXPLORING_CALLS_LIMIT);
}

bool exploring_deepens(const ExploringSettings *s, const IrProgram *program)
{
    if (!s->entry) /* a harness may leave it open how many elements an array has */
        return !s->elements && ir_fn_find(program, "sheaf_array") != IR_NONE;
    return s->shape == VM_SHAPE_TYPES &&
           !(s->string && s->elements && s->depth && (s->calls || !program->drive));
}

void exploring_aliases(const ExploringSettings *s, const IrProgram *program, VmInputs *inputs)
{
    uint32_t entry = s->entry ? ir_fn_find(program, s->entry) : IR_NONE;
    inputs->alike = false;
    if (!s->aliases || s->all_aliases || entry == IR_NONE || program->drive ||
        s->external == VM_EXTERNAL_ALL || inputs->all_globals || inputs->globals.n)
        return;
    Flow *flow = flow_new(program, &(FlowOptions){.entry = entry, .lazy_inputs = true});
    inputs->alike = !flow_tells_aliases(flow, entry);
    flow_free(flow);
}

void exploring_bounds(const ExploringSettings *s, uint32_t bound, VmInputs *inputs)
{
    inputs->shape = s->entry ? (VmShape)s->shape : VM_SHAPE_BYTES;
    inputs->aliases = s->aliases && !inputs->alike;
    inputs->calls_most = s->calls                       ? (uint32_t)s->calls
                         : bound > EXPLORING_CALLS_MOST ? EXPLORING_CALLS_MOST
                                                        : bound - 1;
    inputs->string_most = s->string ? (uint32_t)s->string : bound;
    inputs->elements_most = s->elements ? (uint32_t)s->elements : bound;
    inputs->depth_most = s->depth                       ? (uint32_t)s->depth
                         : bound < EXPLORING_DEPTH_MOST ? bound
                                                        : EXPLORING_DEPTH_MOST;
}

void exploring_unshaped(const OptionArgs *args, const char *command)
{
    exploring_unused(
        args, command,
        (const char *const[]){"shape", "string", "elements", "depth", "aliases", "all-aliases", NULL});
}

void exploring_prepare(const ExploringSettings *s, const OptionArgs *args, Arena *arena, ExploreOptions *out)
{
    bool timed =
        s->max_time > 0 && !options_given(args, "max-steps"); /* the user has said what bounds a run */
    const char *after = getenv("SHEAF_FORK_AFTER");           /* for tests: runs of small explorations */
    *out = (ExploreOptions){
        .search = s->search,
        .seed = s->seed,
        .max_time = s->max_time,
        .max_runs = s->max_runs,
        .fork_after = after ? strtoull(after, NULL, 10) : 0,
        .max_depth = s->max_depth,
        .max_memory = s->max_memory,
        .solver_time = s->solver_time,
        .solver = {.backend = s->solver, .log_dir = s->log_queries},
        .vm = {.checks = program_checks(s->checks),
               .max_steps = timed ? 0 : s->max_steps,
               .max_memory = s->max_memory,
               .external = s->external},
        .symbolic = {.inputs = {.stdin_symbolic = s->sym_stdin > 0,
                                .stdin_size = (uint32_t)s->sym_stdin,
                                .stdin_optional = (uint32_t)(s->sym_stdin - s->stdin_least),
                                .entry = s->entry,
                                .environment = read_environment(&s->env),
                                .fuzz_size = (uint32_t)s->fuzz_size,
                                .pointer_objects = at_most_32_bits(s->pointer_objects),
                                .object_size = (uint32_t)s->object_size},
                     .loop_bound = at_most_32_bits(s->loop_bound),
                     .size_candidates = at_most_32_bits(s->size_candidates),
                     .pointer_candidates = at_most_32_bits(s->pointer_candidates),
                     .snapshot_bytes = s->no_snapshots ? 0 : (size_t)s->max_memory / 4},
    };
    solver_backend_check(s->solver);
    if (s->directory && !s->directory[0])
        die("--output: the name of the directory is empty");
    check_size("fuzz-size", s->fuzz_size);
    check_size("object-size", s->object_size);
    check_bound("string", s->string);
    check_bound("elements", s->elements);
    check_bound("depth", s->depth);
    check_calls(s->calls);
    for (uint32_t i = 0; i < s->nargs; i++)
        vec_push(&out->symbolic.inputs.args, s->args[i]);
    for (uint32_t i = 0; i < s->sym_files.n; i++)
        add_symbolic_file(&out->symbolic.inputs, arena, s->sym_files.v[i]);
    add_globals(&out->symbolic.inputs, arena, &s->symbolic_globals);
    out->stop = out->vm.interrupt = exploring_interrupt();
}
