/* cmd_dump.c - `sheaf dump`: the program as Sheaf sees it, and what its analyses know of it. */
#include "cli/command.h"

#include "cli/labels.h"
#include "versions/versions.h"

typedef enum DumpWhat {
    DUMP_IR,
    DUMP_CFG,
    DUMP_CALLGRAPH,
    DUMP_CONTROL,
    DUMP_POINTS_TO,
    DUMP_SLICE,
    DUMP_LABELS,
    DUMP_CHANGE
} DumpWhat;

typedef struct DumpSettings {
    ProgramSettings program; /* first: program_options write here */
    DumpWhat what;
    bool dot;
    const char *function;
    bool runtime;
    const char *at, *entry;
    bool forward;
    uint64_t ties;
    uint64_t checks; /* a bit for each of program_check_words */
    uint64_t sym_stdin, max_steps,
        loop_bound; /* the run that `--what labels` shows says so where it is cut */
    StrVec inputs;
} DumpSettings;

static const char *const dump_words[] = {"ir",    "cfg",    "callgraph", "control", "points-to",
                                         "slice", "labels", "change",    NULL};
static const char *const tie_words[] = {"faults", "exits", NULL};

static const Option dump_options[] = {
    {OPT_GROUP("Output")},
    {OPT_ENUM(DumpSettings, what), "what", .preset = "ir", .help = "what to print", .words = dump_words},
    {OPT_FLAG(DumpSettings, dot), "dot", .help = "print a graph for Graphviz (not with ir and labels)"},
    {OPT_STRING(DumpSettings, function), "function", 'F', "NAME",
     .help = "only this function (ir, cfg, control and points-to)"},
    {OPT_FLAG(DumpSettings, runtime), "runtime",
     .help =
         "include Sheaf's models of libc, where the program reaches them (ir, cfg, control and points-to)"},
    {OPT_STRING(DumpSettings, at), "at", .argument = "FILE:LINE",
     .help = "the line for control, points-to and slice"},
    {OPT_FLAG(DumpSettings, forward), "forward",
     .help = "slice: what may depend on the line, instead of what it may depend on"},
    {OPT_SET(DumpSettings, checks), "check", .help = "labels: look for these faults, too",
     .words = program_check_words},
    {OPT_SET(DumpSettings, ties), "tie", .help = "treat these ends of a run as control flow (default: none)",
     .words = tie_words},
    {OPT_LIST(DumpSettings, inputs), "input", .argument = "NAME=NUMBER",
     .help = "labels: value of an input (default: 0)"},
    {OPT_UINT(DumpSettings, sym_stdin), "sym-stdin", .argument = "N",
     .help = "labels: standard input is N symbolic bytes"},
    {OPT_UINT(DumpSettings, max_steps), "max-steps", .argument = "N", .preset = "20000000",
     .help = "labels: stop after N instructions (0: no limit)"},
    {OPT_UINT(DumpSettings, loop_bound), "loop-bound", .argument = "N", .preset = "256",
     .help = "labels: stop a loop that depends on input after N iterations (0: no limit)"},
    {OPT_STRING(DumpSettings, entry), "entry", .argument = "NAME",
     .help = "start at this function instead of main"},
    {OPT_END},
};
static const Option *const dump_tables[] = {dump_options, program_options, NULL};

static char *place_of(const DumpSettings *s, uint32_t *line)
{
    char *file = program_place(s->at, line);
    if (!file)
        die("--at %s: expected FILE:LINE", s->at);
    return file;
}

static void dump_function(const DumpSettings *s, Flow *flow, const IrProgram *p, uint32_t fn, uint32_t line,
                          Str *out)
{
    switch (s->what) {
    case DUMP_IR: ir_fn_print(p, &p->fns.v[fn], out); break;
    case DUMP_CONTROL: flow_dump_control(flow, fn, (unsigned)s->ties, line, s->dot, out); break;
    case DUMP_POINTS_TO: flow_dump_points_to(flow, fn, line, s->dot, out); break;
    default: ir_fn_print_cfg(p, &p->fns.v[fn], s->dot, out); break;
    }
}

/* Does code of the function stand there? */
static bool stands_at(const IrProgram *p, const IrFn *fn, const char *file, uint32_t line)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (ir_site_is_at(p, fn->blocks.v[b].insns.v[i].site, file, line))
                return true;
    return false;
}

static void dump_functions(const DumpSettings *s, Flow *flow, const IrProgram *p, Str *out)
{
    uint32_t shown = 0, line = 0;
    uint32_t named = s->function ? ir_fn_find(p, s->function) : IR_NONE;
    if (s->function && (named == IR_NONE || !p->fns.v[named].defined))
        die("the program defines no function '%s'", s->function);
    char *file = s->at ? place_of(s, &line) : NULL;
    for (uint32_t i = 0; i < p->fns.n; i++) {
        const IrFn *fn = &p->fns.v[i];
        bool wanted = s->function ? i == named : s->runtime || !fn->runtime;
        if (!fn->defined || !wanted || (file && !stands_at(p, fn, file, line)))
            continue;
        if (shown++ && !s->dot)
            str_add_char(out, '\n');
        dump_function(s, flow, p, i, line, out);
    }
    if (file && !shown)
        die("%s:%u: no code of %s stands there", file, line, s->function ? s->function : "the program");
    mem_free(file);
}

static void dump_slice(const DumpSettings *s, Flow *flow, Str *out)
{
    uint32_t line;
    FlowSlices *slices = flow_slices_new(flow, &(FlowSliceOptions){.policy = (unsigned)s->ties});
    char *file = place_of(s, &line);
    if (!flow_dump_slice(slices, file, line, s->forward, s->dot, out))
        die("%s:%u: no code of the program stands there", file, line);
    mem_free(file);
    flow_slices_free(slices);
}

static Flow *open_flow(const DumpSettings *s, const IrProgram *p)
{
    FlowOptions options = {.entry = IR_NONE};
    if (s->entry) {
        options.entry = ir_fn_find(p, s->entry);
        options.lazy_inputs = true;
        if (options.entry == IR_NONE || !p->fns.v[options.entry].defined)
            die("the program defines no function '%s'", s->entry);
    }
    return flow_new(p, &options);
}

static void dump_labels(const DumpSettings *s, const OptionArgs *args, const IrProgram *p, Str *out)
{
    Arena *arena = arena_new();
    VmEnvironment environment = {.argc = (int)args->rest.n + 1,
                                 .argv = program_arguments(args, &s->program, arena),
                                 .stdin_fd = -1,
                                 .stdout_fd = -1,
                                 .stderr_fd = -1};
    LabelRunOptions options = {
        .vm = {.external = VM_EXTERNAL_PURE, .max_steps = s->max_steps, .checks = program_checks(s->checks)},
        .loop_bound = s->loop_bound < UINT32_MAX ? (uint32_t)s->loop_bound : UINT32_MAX,
        .entry = s->entry,
        .stdin_size = (uint32_t)s->sym_stdin,
        .policy = (unsigned)s->ties,
        .values = {s->inputs.v, s->inputs.n, s->inputs.cap}};
    LabelRun *run = label_run(p, &options, &environment);
    label_run_print(run, p, out);
    label_run_free(run);
    arena_free(arena);
}

/* ---- two versions ---------------------------------------------------------------------------- */

static IrProgram *load_version(const DumpSettings *s, const OptionArgs *args, uint32_t which)
{
    OptionArgs one = *args;
    one.plain.v = &args->plain.v[which];
    one.plain.n = 1;
    return program_load(&s->program, &one, s->entry, true);
}

static void dump_change(const DumpSettings *s, const OptionArgs *args, Str *out)
{
    IrProgram *program[2];
    Flow *flow[2];
    VersionsSites impact = {0};
    if (args->plain.n != 2)
        die("--what change compares two versions: name OLD and NEW");
    for (uint32_t i = 0; i < 2; i++)
        program[i] = load_version(s, args, i);
    Versions *v = versions_pair(program[VERSIONS_OLD], program[VERSIONS_NEW], 0);
    for (uint32_t i = 0; i < 2; i++)
        flow[i] = open_flow(s, program[i]);
    versions_impact(v, flow[VERSIONS_OLD], flow[VERSIONS_NEW], (unsigned)s->ties, &impact);
    versions_print(v, &impact, out);
    vec_free(&impact);
    versions_free(v);
    for (uint32_t i = 0; i < 2; i++) {
        flow_free(flow[i]);
        ir_program_free(program[i]);
    }
}

/* "cfg, control and slice" */
static void add_whats(unsigned whats, Str *out)
{
    unsigned left = (unsigned)__builtin_popcount(whats);
    for (unsigned i = 0; dump_words[i]; i++) {
        if (!(whats >> i & 1))
            continue;
        str_add(out, dump_words[i]);
        left--;
        str_add(out, left > 1 ? ", " : left ? " and " : "");
    }
}

/* What is asked for must make use of all that is said: silence would look like an answer. */
static void check_given(const DumpSettings *s, const OptionArgs *args)
{
    enum {
        FUNCTIONS = 1 << DUMP_IR | 1 << DUMP_CFG | 1 << DUMP_CONTROL | 1 << DUMP_POINTS_TO,
        LINES = 1 << DUMP_CONTROL | 1 << DUMP_POINTS_TO | 1 << DUMP_SLICE,
        LABELS = 1 << DUMP_LABELS
    };
    static const struct {
        const char *option;
        unsigned whats;
    } uses[] = {
        {"dot", LINES | 1 << DUMP_CFG | 1 << DUMP_CALLGRAPH},
        {"function", FUNCTIONS},
        {"runtime", FUNCTIONS},
        {"at", LINES},
        {"forward", 1 << DUMP_SLICE},
        {"check", LABELS},
        {"tie", 1 << DUMP_CONTROL | 1 << DUMP_SLICE | LABELS | 1 << DUMP_CHANGE},
        {"input", LABELS},
        {"sym-stdin", LABELS},
        {"max-steps", LABELS},
        {"loop-bound", LABELS},
    };
    Str whats = {0};
    for (uint32_t i = 0; i < args->given.n; i++)
        for (size_t k = 0; k < COUNT_OF(uses); k++) {
            if (strcmp(args->given.v[i], uses[k].option) || uses[k].whats >> s->what & 1)
                continue;
            add_whats(uses[k].whats, &whats);
            die("--%s is for --what %s", uses[k].option, str_text(&whats));
        }
    if (args->rest.n && s->what != DUMP_LABELS)
        die("arguments of the program ('%s') are for --what labels", args->rest.v[0]);
}

static void check_settings(const DumpSettings *s)
{
    if (s->sym_stdin > 1 << 20)
        die("--sym-stdin %llu: at most %d bytes", (unsigned long long)s->sym_stdin, 1 << 20);
    if (!s->at && s->what == DUMP_SLICE)
        die("--what slice needs --at FILE:LINE");
}

static int dump_run(const Command *command, void *settings, const OptionArgs *args)
{
    const DumpSettings *s = settings;
    (void)command;
    check_given(s, args);
    check_settings(s);
    Str out = {0};
    if (s->what == DUMP_CHANGE) {
        dump_change(s, args, &out);
        fputs(str_text(&out), stdout);
        str_free(&out);
        return EXIT_CLEAN;
    }
    ProgramSettings as = s->program;
    as.assignments = s->what == DUMP_SLICE;
    bool labels = s->what == DUMP_LABELS;
    IrProgram *p = program_load(&as, args, labels && !s->entry ? "main" : s->entry, !labels);
    Flow *flow = s->what >= DUMP_CONTROL && !labels ? open_flow(s, p) : NULL;
    if (labels)
        dump_labels(s, args, p, &out);
    else if (s->what == DUMP_CALLGRAPH)
        ir_program_print_callgraph(p, s->dot, &out);
    else if (s->what == DUMP_IR && s->runtime && !s->function)
        ir_program_print(p, &out);
    else if (s->what == DUMP_SLICE)
        dump_slice(s, flow, &out);
    else
        dump_functions(s, flow, p, &out);
    fputs(str_text(&out), stdout);
    str_free(&out);
    if (flow)
        flow_free(flow);
    ir_program_free(p);
    return EXIT_CLEAN;
}

const Command command_dump = {
    .name = "dump",
    .synopsis = "PROGRAM... [--what WHAT] [OPTIONS]",
    .summary = "print the program as Sheaf sees it: IR, control flow, calls, dependences",
    .description =
        "Prints how Sheaf sees the program. --what chooses what is printed:\n\n"
        "  ir          the program in Sheaf's intermediate form (docs/ir.md)\n"
        "  cfg         the control-flow graph of each function\n"
        "  callgraph   which function calls which\n"
        "  control     which decisions let a block run, and what always follows it\n"
        "  points-to   what pointers may point to, and what a function reads and writes\n"
        "  slice       the lines that a line may depend on; with --forward those that may depend on it\n"
        "  labels      the decisions of one run, each with the earlier decisions that it depends on\n"
        "  change      two versions, OLD and NEW: lines whose code changed, and lines that may depend on "
        "them\n\n"
        "control, points-to and slice are static analyses (docs/flow.md). For labels the program is\n"
        "run once, on the inputs that are given; others are 0. A decision is printed with its\n"
        "position, kind, place, condition and, in braces, the positions of the decisions that it\n"
        "depends on; '(concrete)' marks one without an alternative.\n\n"
        "What 'dump --runtime' prints can be run again as a program.",
    .example = "  $ sheaf dump --what cfg --dot prog.c | dot -Tsvg > cfg.svg\n"
               "  $ sheaf dump --what slice --at prog.c:12 prog.c\n",
    .options = dump_tables,
    .settings_size = sizeof(DumpSettings),
    .run = dump_run,
};
