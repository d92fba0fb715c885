/* cmd_run.c - `sheaf run`: one concrete run on Sheaf's machine, with the streams, arguments and status of a
 * native one. */
#include "cli/command.h"
#include "cli/labels.h"
#include "vm/vm.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

typedef struct RunSettings {
    ProgramSettings program; /* first: program_options write here */
    uint64_t checks;         /* a bit for each of program_check_words */
    uint64_t max_steps, max_memory, max_stack;
    VmExternal external;
    StrVec files, env;
    bool clear_env, stats;
    const char *explain;
} RunSettings;

static const char *const external_words[] = {"none", "pure", "all", NULL};

static const Option run_options[] = {
    {OPT_GROUP("Run")},
    {OPT_SET(RunSettings, checks), "check", .words = program_check_words,
     .help = "look for these faults, too"},
    {OPT_ENUM(RunSettings, external), "external", .preset = "pure", .words = external_words,
     .help = "undefined functions that are called natively: none, those of libm, or all"},
    {OPT_LIST(RunSettings, files), "file", .argument = "NAME[=PATH]",
     .help = "a file that the program can see; the original is never changed"},
    {OPT_LIST(RunSettings, env), "env", .argument = "NAME=VALUE",
     .help = "set an environment variable of the program"},
    {OPT_FLAG(RunSettings, clear_env), "clear-env",
     .help = "start from an empty environment instead of this one"},
    {OPT_STRING(RunSettings, explain), "explain", .argument = "FILE:LINE",
     .help = "instead of the output, print the lines on which the value computed last on this line depends "
             "in this run"},
    {OPT_FLAG(RunSettings, stats), "stats", .help = "print instructions, memory and time to standard error"},
    {OPT_GROUP("Limits")},
    {OPT_UINT(RunSettings, max_steps), "max-steps", .argument = "N",
     .help = "stop after N instructions (0: no limit)"},
    {OPT_SIZE(RunSettings, max_memory), "max-memory", .argument = "SIZE", .preset = "2G",
     .help = "memory the program may use"},
    {OPT_SIZE(RunSettings, max_stack), "max-stack", .argument = "SIZE", .preset = "8M",
     .help = "stack the program may use"},
    {OPT_END},
};
static const Option *const run_tables[] = {run_options, program_options, NULL};

static volatile bool interrupted;
static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = true;
}

static VmOptions machine_options(const RunSettings *s)
{
    return (VmOptions){.checks = program_checks(s->checks),
                       .max_steps = s->max_steps,
                       .max_memory = s->max_memory,
                       .max_stack = s->max_stack,
                       .external = s->external,
                       .interrupt = &interrupted};
}

static const char **environment_strings(const RunSettings *s, Arena *arena)
{
    StrVec all = {0};
    for (char **e = environ; !s->clear_env && *e; e++) {
        bool replaced = false;
        for (uint32_t i = 0; i < s->env.n; i++) {
            size_t name = strcspn(s->env.v[i], "=");
            replaced |= !strncmp(*e, s->env.v[i], name) && (*e)[name] == '=';
        }
        if (!replaced)
            vec_push(&all, *e);
    }
    for (uint32_t i = 0; i < s->env.n; i++) {
        if (!strchr(s->env.v[i], '='))
            die("--env %s: expected NAME=VALUE", s->env.v[i]);
        vec_push(&all, s->env.v[i]);
    }
    const char **list = arena_alloc(arena, (all.n + 1) * sizeof *list);
    if (all.n)
        memcpy(list, all.v, all.n * sizeof *list);
    vec_free(&all);
    return list;
}

static void print_fault(const IrProgram *p, const VmResult *r)
{
    char where[512];
    const char *fn = r->stack.n ? "" : "?";
    for (uint32_t i = 0; i < r->stack.n; i++)
        if (!p->fns.v[r->stack.v[i].fn].runtime) {
            fn = ir_text(p, p->fns.v[r->stack.v[i].fn].name);
            break;
        }
    fprintf(stderr, "FAULT  %s   %s in %s%s%s [%s]\n", vm_fault_message(r->fault),
            ir_site_text(p, r->site, where, sizeof where), fn, r->message[0] ? ": " : "", r->message,
            vm_fault_suffix(r->fault));
    for (uint32_t i = 0; i < r->stack.n; i++)
        fprintf(stderr, "       #%u %s at %s\n", i, ir_text(p, p->fns.v[r->stack.v[i].fn].name),
                ir_site_text(p, r->stack.v[i].site, where, sizeof where));
}

static int conclude(const IrProgram *p, const VmResult *r)
{
    char where[512];
    ir_site_text(p, r->site, where, sizeof where);
    switch (r->ending) {
    case VM_END_RETURN:
    case VM_END_EXIT: return r->status & 0xff;
    case VM_END_FAULT: print_fault(p, r); return EXIT_FOUND;
    case VM_END_ASSUMPTION:
        warn("%s: an assumption does not hold%s%s", where, r->message[0] ? ": " : "", r->message);
        return EXIT_INCOMPLETE;
    case VM_END_UNSUPPORTED: warn("%s: unsupported: %s", where, r->message); return EXIT_INCOMPLETE;
    case VM_END_EXTERNAL: warn("%s: %s", where, r->message); return EXIT_INCOMPLETE;
    case VM_END_LIMIT: warn("%s: stopped: %s", where, r->message); return EXIT_INCOMPLETE;
    case VM_END_INTERRUPTED: warn("%s: interrupted", where); return 128 + SIGINT;
    }
    bug("ending %d", (int)r->ending);
}

/* Standard input becomes symbolic with the bytes it has, so that what they decide are decisions;
 * sheaf_symbolic gives zeros. */
static int explain(const RunSettings *s, const IrProgram *program, const VmOptions *options,
                   VmEnvironment *environment)
{
    enum { MOST = 1 << 20 };
    Str text = {0}, out = {0}, missed = {0};
    char chunk[4096];
    ssize_t n;
    while (!isatty(STDIN_FILENO) && text.n < MOST && (n = read(STDIN_FILENO, chunk, sizeof chunk)) > 0)
        str_add_n(&text, chunk, (size_t)n);
    if (text.n >= MOST)
        die("--explain takes at most %u bytes of standard input", MOST - 1);
    environment->stdin_fd = environment->stdout_fd = environment->stderr_fd = -1;
    LabelRunOptions o = {
        .vm = *options, .policy = FLOW_TIE_EXITS, .stdin_size = text.n, .stdin_data = text.v};
    bool found = false;
    int status = EXIT_CLEAN;
    uint32_t places = 0;
    /* files of the same name: those that ran */
    for (; label_run_place(program, s->explain, places, &o.at); places++) {
        LabelRun *run = label_run(program, &o, environment);
        found |= label_run_explain(run, program, &o, &out);
        if (!found && !missed.n)
            label_run_missed(run, program, &o, &missed);
        /* What was cut off might have computed the line's value once more. */
        if (!places && run->trace->result.ending > VM_END_FAULT)
            status = conclude(program, &run->trace->result);
        label_run_free(run);
    }
    if (!found)
        die("--explain %s: %s", s->explain,
            places ? str_text(&missed) : "no code that a run can reach stands there");
    fputs(str_text(&out), stdout);
    str_free(&text);
    str_free(&out);
    str_free(&missed);
    return status;
}

static int run_run(const Command *command, void *settings, const OptionArgs *args)
{
    const RunSettings *s = settings;
    (void)command;
    if (s->explain && s->stats)
        die("--stats is for a run without --explain");
    Arena *arena = arena_new();
    ProgramSettings loaded = s->program;
    loaded.assignments = s->explain != NULL;
    IrProgram *program = program_load(&loaded, args, "main", false);
    VmOptions options = machine_options(s);
    VmEnvironment environment = {.argc = (int)args->rest.n + 1,
                                 .argv = program_arguments(args, &s->program, arena),
                                 .envp = environment_strings(s, arena),
                                 .stdin_fd = STDIN_FILENO,
                                 .stdout_fd = STDOUT_FILENO,
                                 .stderr_fd = STDERR_FILENO};
    for (uint32_t i = 0; i < s->files.n; i++)
        program_add_file(&environment, arena, s->files.v[i]);
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);

    if (s->explain)
        return explain(s, program, &options, &environment);
    Vm *vm = vm_new(program, &options);
    double start = clock_seconds();
    VmResult result = vm_run(vm, &environment);
    double seconds = clock_seconds() - start;
    int status = conclude(program, &result);
    if (s->stats)
        fprintf(stderr, "%llu instructions, %.1f million a second, peak memory %llu KiB, %.3f s\n",
                (unsigned long long)result.steps, seconds > 0 ? (double)result.steps / seconds / 1e6 : 0,
                (unsigned long long)(result.peak_memory >> 10), seconds);
    vm_free(vm);
    vec_free(&environment.files);
    ir_program_free(program);
    arena_free(arena);
    return status;
}

const Command command_run = {
    .name = "run",
    .group = "Look closer",
    .synopsis = "PROGRAM... [OPTIONS] [-- ARGUMENTS]",
    .summary = "run a program on one input, and stop at the first thing that goes wrong",
    .description =
        "Runs the program on Sheaf's interpreter, with the given arguments and this standard input.\n"
        "Output and exit status are those of the natively compiled program. Memory errors and\n"
        "undefined behaviour end the run with a report. The program can touch nothing but its\n"
        "standard streams and the files named with --file.\n\n"
        "PROGRAM is C source, LLVM bitcode, LLVM IR or Sheaf's own IR, or several of them to be\n"
        "linked. Compiler flags (-I, -D, -std=...) are passed to clang.",
    .example = "  $ sheaf run --file input.txt parser.c -- input.txt\n",
    .options = run_tables,
    .settings_size = sizeof(RunSettings),
    .run = run_run,
};
