/* cmd_harness.c - `sheaf harness`: a C file that does what --entry does, to be edited and kept. */
#include "cli/exploring.h"
#include "cli/drive.h"
#include "cli/harness.h"
#include "cli/scratch.h"

#include <errno.h>
#include <stdlib.h>

typedef struct HarnessSettings {
    ProgramSettings program; /* first: program_options write here */
    const char *entry, *output;
    bool force;
    uint64_t string, elements, depth, calls;
    StrVec construct, mutate;
} HarnessSettings;

static const Option harness_options[] = {
    {OPT_GROUP("Function")},
    {OPT_STRING(HarnessSettings, entry), "entry", .argument = "FUNCTION",
     .help = "the function that is called"},
    {OPT_UINT(HarnessSettings, string), "string", .argument = "N", .preset = "8",
     .help = "characters of a string, at most"},
    {OPT_UINT(HarnessSettings, elements), "elements", .argument = "N", .preset = "8",
     .help = "elements of an array, at most, where a member is its length"},
    {OPT_UINT(HarnessSettings, depth), "depth", .argument = "N", .preset = "4",
     .help = "objects of a list or tree one behind the other, at most"},
    {OPT_LIST(HarnessSettings, construct), "construct", .argument = "T=F,...|T=none|none",
     .help = "what makes objects of type T, or behind the parameter T: as for 'sheaf test'"},
    {OPT_LIST(HarnessSettings, mutate), "mutate", .argument = "T=F,...|T=none|none",
     .help = "what changes them before the call"},
    {OPT_UINT(HarnessSettings, calls), "calls", .argument = "N", .preset = "0",
     .help = "such calls one after the other, at most; 0: 2"},
    {OPT_GROUP("Output")},
    {OPT_STRING(HarnessSettings, output), "output", .brief = 'o', .argument = "FILE",
     .help = "write the file here and not to standard output"},
    {OPT_FLAG(HarnessSettings, force), "force", .help = "overwrite the file"},
    {OPT_END},
};
static const Option *const harness_tables[] = {harness_options, program_options, NULL};

typedef struct Harness {
    const HarnessSettings *settings;
    const OptionArgs *args;
    Arena *arena;
    FrontendOptions options;
    FrontendFunction function;
    HarnessTask task;
} Harness;

/* ---- the shape ------------------------------------------------------------------------------- */

static void check_bound(const char *option, uint64_t n)
{
    enum { MOST = 4096 };
    if (!n || n > MOST)
        die("--%s %llu: from 1 to %d", option, (unsigned long long)n, MOST);
}

/* One run tells what the parameters are; nothing of it goes into the file. */
static Explore *run_once(const Harness *h, const IrProgram *program, const VmEnvironment *environment,
                         VmTrace **trace)
{
    const HarnessSettings *s = h->settings;
    enum { STEPS = 1000000 };
    ExploreOptions options = {.explorer = "full", .vm = {.max_steps = STEPS}};
    const IrDrive *drive = program->drive;
    const char *entry = drive ? ir_text(program, program->fns.v[drive->fn].name) : s->entry;
    options.symbolic.inputs = (VmInputs){.entry = entry,
                                         .calls_most = drive ? drive->calls : 0,
                                         .shape = VM_SHAPE_TYPES,
                                         .string_most = (uint32_t)s->string,
                                         .elements_most = (uint32_t)s->elements,
                                         .depth_most = (uint32_t)s->depth};
    Explore *x = explore_new(program, environment, &options);
    ExprInput zero = {0};
    *trace = vm_run_input(explore_vm(x), &zero, NULL);
    expr_input_free(&zero);
    return x;
}

/* ---- how the file gets to know the function -------------------------------------------------- */

static const char *directory_of(const char *path, Arena *a)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
}

/* From the directory of the file that is written: "../lib/ring.h". */
static const char *seen_from(const char *directory, const char *path, Arena *a)
{
    char *from = realpath(directory, NULL), *to = realpath(path, NULL);
    Str text = {0};
    size_t same = 0;
    if (!from || !to) {
        free(from);
        free(to);
        return path;
    }
    for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
        if (to[i] == '/')
            same = i + 1;
        if (!from[i])
            break;
    }
    for (const char *rest = from + (same <= strlen(from) ? same : strlen(from)); *rest;
         rest += strcspn(rest, "/"), rest += *rest == '/')
        str_add(&text, "../");
    str_add(&text, to + same);
    const char *copy = arena_strdup(a, str_text(&text));
    str_free(&text);
    free(from);
    free(to);
    return copy;
}

static bool has_main(const IrProgram *program)
{
    uint32_t fn = ir_fn_find(program, "main");
    return fn != IR_NONE && program->fns.v[fn].defined && !program->fns.v[fn].runtime;
}

static bool is_main_in(const Harness *h, const IrProgram *program)
{
    if (!has_main(program))
        return false;
    const IrFn *fn = &program->fns.v[ir_fn_find(program, "main")];
    return fn->site < program->sites.n &&
           !strcmp(ir_text(program, program->sites.v[fn->site].file), h->function.given);
}

/* "lib.c util.c harness.c": without the source that the file itself includes. */
static const char *inputs_text(const Harness *h, HarnessBy by)
{
    Str text = {0};
    for (uint32_t i = 0; i < h->args->plain.n; i++) {
        if (by == HARNESS_SOURCE && !strcmp(h->args->plain.v[i], h->function.given))
            continue;
        str_printf(&text, "%s ", h->args->plain.v[i]);
    }
    str_add(&text, h->settings->output ? h->settings->output : "harness.c");
    const char *copy = arena_strdup(h->arena, str_text(&text));
    str_free(&text);
    return copy;
}

/* A structure that a prototype names for the first time is one of the prototype's own. */
static bool names_a_tag(const FrontendFunction *f)
{
    static const char *const tags[] = {"struct ", "union ", "enum "};
    for (size_t k = 0; k < COUNT_OF(tags); k++) {
        if (f->result && strstr(f->result, tags[k]))
            return true;
        for (uint32_t i = 0; i < f->types.n; i++)
            if (strstr(f->types.v[i], tags[k]))
                return true;
    }
    return false;
}

/* False: this way there is none, or the file does not compile so. */
static bool write_by(Harness *h, HarnessBy by, Str *out)
{
    const FrontendFunction *f = &h->function;
    const char *directory = directory_of(h->settings->output, h->arena);
    bool own_main = has_main(h->task.program);
    if (by != HARNESS_SOURCE && (f->local || own_main))
        return false;
    if ((by == HARNESS_HEADER && !f->header) ||
        (by == HARNESS_PROTOTYPE && (h->task.drive || names_a_tag(f))))
        return false;
    h->task.by = by;
    h->task.renames_main = own_main;
    h->task.inputs = inputs_text(h, by);
    h->task.include = by == HARNESS_HEADER   ? seen_from(directory, f->header, h->arena)
                      : by == HARNESS_SOURCE ? seen_from(directory, f->source, h->arena)
                                             : NULL;
    vec_clear(out);
    harness_write(&h->task, out);
    Scratch scratch = scratch_make();
    Str said = {0};
    StrVec flags = {0};
    const char *copy = arena_printf(h->arena, "%s/harness.c", scratch.path);
    for (uint32_t i = 0; i < h->options.cflags.n; i++)
        vec_push(&flags, h->options.cflags.v[i]);
    vec_push(&flags, "-iquote");
    vec_push(&flags, directory);
    if (!file_write_atomic(copy, str_text(out), out->n))
        die("%s: %s", copy, strerror(errno));
    bool ok = frontend_check_c(&h->options, &flags, copy, &said);
    if (!ok && by == HARNESS_SOURCE)
        die("no harness of %s compiles: %.*s", h->settings->entry, (int)strcspn(str_text(&said), "\n"),
            str_text(&said));
    vec_free(&flags);
    str_free(&said);
    scratch_free(&scratch);
    return ok;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void check(const HarnessSettings *s, const OptionArgs *args)
{
    if (!s->entry)
        die("no function given: --entry FUNCTION names the one that the harness calls");
    if (!strcmp(s->entry, "main"))
        die("main needs no harness: 'sheaf test' runs the program from there");
    if (args->rest.n)
        die("'%s' stands behind '--': a harness takes no arguments", args->rest.v[0]);
    check_bound("string", s->string);
    check_bound("elements", s->elements);
    check_bound("depth", s->depth);
    if (s->calls > EXPLORING_CALLS_LIMIT)
        die("--calls %llu: at most %d", (unsigned long long)s->calls, EXPLORING_CALLS_LIMIT);
    if (s->output && !s->force && file_exists(s->output))
        die("%s exists: --force overwrites it", s->output);
}

static void find_function(Harness *h, const IrProgram *program)
{
    const char *entry = h->settings->entry;
    uint32_t fn = ir_fn_find(program, entry);
    if (fn == IR_NONE || !program->fns.v[fn].defined || program->fns.v[fn].runtime)
        die("the program has no function %s", entry);
    if (program->fns.v[fn].variadic)
        die("%s takes arguments '...': a harness cannot tell which; write a main of your own", entry);
    if (!frontend_find_function(&h->options, entry, h->arena, &h->function))
        die("%s is defined in no C source among the arguments: its types are not known", entry);
}

static void find_maker(Harness *h, const IrMaker *m)
{
    FrontendFunction f;
    if (!frontend_find_function(&h->options, m->name, h->arena, &f))
        die("%s is defined in no C source among the arguments: its types are not known", m->name);
    vec_push(&h->task.makers, f);
    vec_push(&h->task.maker_names, m->name);
}

/* How C declares what makes the handles. */
static void find_makers(Harness *h)
{
    const IrDrive *d = h->task.drive;
    for (uint32_t i = 0; d && i < d->handles.n; i++) {
        for (uint32_t k = 0; k < d->handles.v[i].constructors.n; k++)
            find_maker(h, &d->handles.v[i].constructors.v[k]);
        for (uint32_t k = 0; k < d->handles.v[i].mutators.n; k++)
            find_maker(h, &d->handles.v[i].mutators.v[k]);
    }
}

static int harness_run(const Command *command, void *settings, const OptionArgs *args)
{
    const HarnessSettings *s = settings;
    (void)command;
    check(s, args);
    Harness h = {.settings = s, .args = args, .arena = arena_new()};
    h.options = program_frontend(&s->program, args, h.arena);
    IrProgram *program = program_load(&s->program, args, s->entry, true);
    find_function(&h, program);
    VmEnvironment environment = {.argc = 1, .argv = (const char *[]){"harness", NULL}};
    VmTrace *trace;
    DriveSettings driving = {s->entry, &s->construct, &s->mutate, s->calls};
    IrDrive *drive = drive_find(&driving, &h.options, program, h.arena);
    if (drive)
        ir_drive_build(program, drive);
    Explore *x = run_once(&h, program, &environment, &trace);
    h.task = (HarnessTask){.program = program,
                           .entry = s->entry,
                           .function = &h.function,
                           .vm = explore_vm(x),
                           .pool = explore_pool(x),
                           .trace = trace,
                           .string = (uint32_t)s->string,
                           .elements = (uint32_t)s->elements,
                           .depth = (uint32_t)s->depth,
                           .drive = drive};
    find_makers(&h);
    if (has_main(program) && !is_main_in(&h, program))
        die("the program has a main in another file than %s: leave that file out", h.function.given);
    Str text = {0};
    for (HarnessBy by = 0; by < HARNESS_WAYS; by++)
        if (write_by(&h, by, &text))
            break;
    if (!s->output)
        fputs(str_text(&text), stdout);
    else if (!file_write_atomic(s->output, str_text(&text), text.n))
        die("%s: %s", s->output, strerror(errno));
    str_free(&text);
    vm_trace_free(explore_vm(x), trace);
    explore_free(x);
    frontend_function_free(&h.function);
    for (uint32_t i = 0; i < h.task.makers.n; i++)
        frontend_function_free(&h.task.makers.v[i]);
    vec_free(&h.task.makers);
    vec_free(&h.task.maker_names);
    vec_free(&h.options.inputs);
    vec_free(&h.options.cflags);
    ir_program_free(program);
    arena_free(h.arena);
    return EXIT_CLEAN;
}

const Command command_harness = {
    .name = "harness",
    .synopsis = "PROGRAM... --entry FUNCTION [-o FILE]",
    .summary = "a C file that calls a function on symbolic arguments, to be edited",
    .description = "Writes a main that makes the arguments that --entry FUNCTION would, with the functions "
                   "of <sheaf.h>, and calls\n"
                   "the function. What was inferred from types and names stands in comments. Edit it where "
                   "your contract says\n"
                   "something else, keep it beside the library, and give it to 'sheaf test' and the other "
                   "commands as a program.\n\n"
                   "The file includes the header that declares the function, if there is one that shows the "
                   "types. If not it has\n"
                   "a prototype, or includes the source, and is then given to 'sheaf test' in its place.",
    .example = "  $ sheaf harness ring.c --entry ring_put -o ring_put.c\n"
               "  $ sheaf test ring.c ring_put.c\n",
    .options = harness_tables,
    .settings_size = sizeof(HarnessSettings),
    .run = harness_run,
};
