/* cmd_dump.c - `sheaf dump`: the program as Sheaf sees it. */
#include "cli/command.h"

typedef enum DumpWhat { DUMP_IR, DUMP_CFG, DUMP_CALLGRAPH } DumpWhat;

typedef struct DumpSettings {
    ProgramSettings program;                  /* first: program_options write here */
    DumpWhat what;
    bool dot;
    const char *function;
    bool runtime;
} DumpSettings;

static const char *const dump_words[] = {"ir", "cfg", "callgraph", NULL};

static const Option dump_options[] = {
    {OPT_GROUP("Output")},
    {OPT_ENUM(DumpSettings, what), "what", .preset = "ir", .help = "what to show", .words = dump_words},
    {OPT_FLAG(DumpSettings, dot), "dot", .help = "as a graph for Graphviz (cfg and callgraph)"},
    {OPT_STRING(DumpSettings, function), "function", 'F', "NAME", .help = "only this function (ir and cfg)"},
    {OPT_FLAG(DumpSettings, runtime), "runtime", .help = "Sheaf's models of libc as well, where the program reaches them"},
    {OPT_END},
};
static const Option *const dump_tables[] = {dump_options, program_options, NULL};

static void dump_function(const DumpSettings *s, const IrProgram *p, const IrFn *fn, Str *out)
{
    if (s->what == DUMP_IR)
        ir_fn_print(p, fn, out);
    else
        ir_fn_print_cfg(p, fn, s->dot, out);
}

static void dump_functions(const DumpSettings *s, const IrProgram *p, Str *out)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < p->fns.n; i++) {
        const IrFn *fn = &p->fns.v[i];
        bool wanted = s->function ? !strcmp(s->function, ir_text(p, fn->name)) : s->runtime || !fn->runtime;
        if (!fn->defined || !wanted)
            continue;
        if (shown++ && !s->dot)
            str_add_char(out, '\n');
        dump_function(s, p, fn, out);
    }
    if (s->function && !shown)
        die("the program defines no function '%s'", s->function);
}

static int dump_run(const Command *command, void *settings, const OptionArgs *args)
{
    const DumpSettings *s = settings;
    (void)command;
    if (s->dot && s->what == DUMP_IR)
        die("--dot is for --what cfg and --what callgraph");
    IrProgram *p = program_load(&s->program, args, NULL, true);
    Str out = {0};
    if (s->what == DUMP_CALLGRAPH)
        ir_program_print_callgraph(p, s->dot, &out);
    else if (s->what == DUMP_IR && s->runtime && !s->function)
        ir_program_print(p, &out);
    else
        dump_functions(s, p, &out);
    fputs(str_text(&out), stdout);
    str_free(&out);
    ir_program_free(p);
    return EXIT_CLEAN;
}

const Command command_dump = {
    .name = "dump",
    .synopsis = "PROGRAM... [--what ir|cfg|callgraph] [--function NAME] [--dot]",
    .summary = "the program as Sheaf sees it: its IR, control flow, calls",
    .description = "Prints the program in Sheaf's intermediate form, its control-flow graphs, or its call graph. The IR is\n"
                   "specified in docs/ir.md; what 'dump --runtime' prints can be run again as a program of its own.",
    .example = "  $ sheaf dump --what cfg --dot prog.c | dot -Tsvg > cfg.svg\n",
    .options = dump_tables,
    .settings_size = sizeof(DumpSettings),
    .run = dump_run,
};
