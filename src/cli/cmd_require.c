/* cmd_require.c - `sheaf require`: the condition under which a function, or a whole program, fails. */
#include "backward/backward.h"
#include "cli/failing.h"
#include "cli/wrapped.h"
#include "report/report.h"

#include <stdlib.h>

typedef struct RequireSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    StrVec rooms;
    bool c_function, guard, no_replay;
    Wrapped wrapped;
} RequireSettings;

static const Option require_options[] = {
    {OPT_GROUP("Condition")},
    {OPT_LIST(RequireSettings, rooms), "room", .argument = "POINTER=COUNT",
     .help =
         "number of elements behind a pointer parameter: a number or an integer parameter; may be repeated"},
    {OPT_STRING(RequireSettings, wrapped.fails_when), "fails-when", .argument = "EXPRESSION",
     .help = "the function also fails when this C expression holds at its end; it may use result, parameters "
             "and globals"},
    {OPT_STRING(RequireSettings, wrapped.precondition), "precondition", .argument = "FILE",
     .help = "check whether this precondition suffices (exit status 0 if so): a C expression over the "
             "parameters, or what --c-function printed"},
    {OPT_FLAG(RequireSettings, c_function), "c-function",
     .help = "print the condition as a C function, bool FUNCTION_fails(parameters)"},
    {OPT_FLAG(RequireSettings, guard), "guard",
     .help = "print the condition as an assertion for the top of the function"},
    {OPT_FLAG(RequireSettings, no_replay), "no-replay",
     .help = "with --output or --precondition: do not run inputs on the native program"},
    {OPT_END},
};
static const Option *const require_tables[] = {require_options, exploring_options, exploring_output_options,
                                               program_options, NULL};

static const double MINUTE = 60; /* for the condition, and for inputs, if nothing else was said */

typedef struct Requiring {
    const IrProgram *program;
    Backward *backward;
    BackwardRequirement result;
    const char *entry;
    uint32_t fn;
    Ledger *ledger;
    const RequireInput *inputs; /* by failure; NULL: not looked for */
} Requiring;

/* ---- options --------------------------------------------------------------------------------- */

static bool has_parameter(const IrProgram *program, uint32_t fn, const char *name)
{
    const IrFn *f = &program->fns.v[fn];
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->regs.v[i].name && !strcmp(ir_text(program, f->regs.v[i].name), name))
            return true;
    return ir_global_find(program, name) != IR_NONE;
}

/* Is it known to be something else? */
static bool is_no_pointer(const IrProgram *program, uint32_t fn, const char *name)
{
    const IrFn *f = &program->fns.v[fn];
    uint32_t type = 0, global = ir_global_find(program, name), position = 1;
    for (uint32_t i = 0; i < f->nparams; i += ir_param_parts(f, i)) {
        if (ir_param(f, i).kind == IR_PARAM_SRET)
            continue;
        if (f->regs.v[i].name && !strcmp(ir_text(program, f->regs.v[i].name), name)) {
            type = position < f->ctypes.n ? f->ctypes.v[position] : 0;
            global = IR_NONE;
            break;
        }
        position++;
    }
    if (global != IR_NONE)
        type = program->globals.v[global].ctype;
    return type && program->ctypes.v[type].kind != IR_C_POINTER;
}

static void read_room(const char *text, const IrProgram *program, uint32_t fn, Arena *arena,
                      BackwardRooms *out)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        die("--room %s: a pointer, '=', and a number of elements or a parameter", text);
    BackwardRoom room = {.pointer = arena_printf(arena, "%.*s", (int)(equals - text), text)};
    char *end;
    room.count = strtoull(equals + 1, &end, 0);
    if (*end || equals[1] == '-')
        room.parameter = equals + 1;
    const char *names[] = {room.pointer, room.parameter};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (names[i] && !has_parameter(program, fn, names[i]))
            die("--room %s: %s has no parameter '%s', and there is no global of that name", text,
                ir_text(program, program->fns.v[fn].name), names[i]);
    if (is_no_pointer(program, fn, room.pointer))
        die("--room %s: '%s' is no pointer", text, room.pointer);
    vec_push(out, room);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void result_json(const RequireReport *r, Str *out)
{
    JsonOut json = {0};
    json_object_begin(&json, NULL);
    json_string(&json, "command", "require");
    report_require_json(r, &json);
    json_object_end(&json);
    str_printf(out, "%s\n", str_text(&json.text));
    str_free(&json.text);
}

static void print_result(const Requiring *r, const RequireSettings *s, Arena *arena)
{
    RequireReport report = {.program = r->program,
                            .backward = r->backward,
                            .result = &r->result,
                            .entry = r->entry,
                            .fn = r->fn,
                            .ledger = r->ledger,
                            .inputs = r->inputs};
    if (s->wrapped.precondition)
        report.under =
            arena_printf(arena, wrapped_is_function(&s->wrapped, r->entry) ? "%s is false" : "%s holds",
                         s->wrapped.precondition);
    Str out = {0};
    if (s->c_function)
        report_require_c(&report, report_require_parameters(&report, arena), false, &out);
    else if (s->guard)
        report_require_guard(&report, &out);
    else if (s->exploring.format == FORMAT_JSON)
        result_json(&report, &out);
    else
        report_require_text(&report, &out);
    fputs(str_text(&out), stdout);
    str_free(&out);
}

/* Only where there are tests is there a directory. */
static void write_results(const Requiring *r, TestMaker *maker)
{
    RequireReport report = {.program = r->program,
                            .backward = r->backward,
                            .result = &r->result,
                            .entry = r->entry,
                            .fn = r->fn,
                            .ledger = r->ledger,
                            .inputs = r->inputs};
    Str out = {0};
    if (!maker->results)
        return;
    result_json(&report, &out);
    results_finish(maker->results, &out, NULL, true);
    str_free(&out);
}

/* An input for each failure: as tests where a directory is named for them; one that gets past a precondition
 * is shown in any case. */
static void find_inputs(Requiring *r, const RequireSettings *s, const OptionArgs *args,
                        const VmEnvironment *environment, const ExploreOptions *options, Arena *arena)
{
    bool write = options_given(args, "output");
    TestMaker maker;
    if ((!write && !s->wrapped.precondition) || s->c_function || s->guard)
        return;
    testcase_init(&maker, "require", &s->exploring, args, arena, environment, r->program);
    Failing f = {.program = r->program,
                 .environment = environment,
                 .settings = &s->exploring,
                 .options = *options,
                 .backward = r->backward,
                 .result = &r->result,
                 .maker = &maker,
                 .write = write,
                 .no_replay = s->no_replay,
                 .seconds = options->max_time > 0 ? options->max_time : MINUTE,
                 .arena = arena};
    if (write && file_exists(s->exploring.directory)) /* refused now, rather than after the search */
        testcase_results(&maker);
    failing_find(&f);
    r->inputs = f.inputs;
    write_results(r, &maker);
    testcase_free(&maker);
}

static int status_of(const Requiring *r)
{
    if (expr_is_false(r->result.most))
        return EXIT_CLEAN;
    return expr_is_false(r->result.least) ? EXIT_INCOMPLETE : EXIT_FOUND;
}

/* ---- the command ----------------------------------------------------------------------------- */

static uint32_t entry_of(const IrProgram *program, const char *entry)
{
    uint32_t fn = ir_fn_find(program, entry);
    if (fn == IR_NONE || !program->fns.v[fn].defined)
        die("the program has no function %s", entry);
    return fn;
}

/* The program, and where its runs begin: at the entry, or at a function around it. */
static IrProgram *load(RequireSettings *s, const OptionArgs *args, Requiring *r, ExploreOptions *options,
                       Arena *arena)
{
    IrProgram *program =
        program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    exploring_check(&s->exploring, program);
    r->fn = entry_of(program, r->entry);
    if (!s->wrapped.precondition && !s->wrapped.fails_when)
        return program;
    RequireReport report = {.program = program, .entry = r->entry, .fn = r->fn};
    IrProgram *wrapped = wrapped_load(&s->wrapped, &s->exploring.program, args, program, r->entry,
                                      report_require_parameters(&report, arena));
    ir_program_free(program);
    r->fn = entry_of(wrapped, r->entry);
    options->symbolic.inputs.entry = WRAPPED_NAME;
    return wrapped;
}

static void check_settings(const RequireSettings *s)
{
    if (s->exploring.format == FORMAT_SARIF)
        die("--format sarif: a condition is no result at a place; text and json are there");
    if (s->c_function && s->guard)
        die("--c-function and --guard: one of them");
    if ((s->c_function || s->guard) && s->exploring.format == FORMAT_JSON)
        die("--format json: %s prints C", s->guard ? "--guard" : "--c-function");
    if (!s->exploring.entry &&
        (s->wrapped.precondition || s->wrapped.fails_when || s->c_function || s->guard))
        die("%s: of a function: name it with --entry", s->c_function             ? "--c-function"
                                                       : s->guard                ? "--guard"
                                                       : s->wrapped.precondition ? "--precondition"
                                                                                 : "--fails-when");
}

static int require_run(const Command *command, void *settings, const OptionArgs *args)
{
    RequireSettings *s = settings;
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    BackwardRooms rooms = {0};
    Requiring r = {.entry = s->exploring.entry ? s->exploring.entry : "main", .ledger = ledger_new()};
    (void)command;
    check_settings(s);
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    options.symbolic.inputs.all_globals |=
        s->exploring.entry != NULL; /* those that it reads are part of the condition */
    IrProgram *program = load(s, args, &r, &options, arena);
    r.program = program;
    for (uint32_t i = 0; i < s->rooms.n; i++)
        read_room(s->rooms.v[i], program, r.fn, arena, &rooms);
    BackwardOptions backward = {.inputs = &options.symbolic.inputs,
                                .environment = &environment,
                                .solver = options.solver,
                                .query_seconds = options.solver_time,
                                .max_seconds = options.max_time > 0 ? options.max_time : MINUTE,
                                .checks = options.vm.checks,
                                .rooms = rooms,
                                .stop = options.stop,
                                .ledger = r.ledger};
    r.backward = backward_new(program, &backward);
    backward_require(r.backward, &r.result);
    find_inputs(&r, s, args, &environment, &options, arena);
    print_result(&r, s, arena);
    int status = status_of(&r);
    backward_requirement_free(&r.result);
    backward_free(r.backward);
    ledger_free(r.ledger);
    vec_free(&rooms);
    vec_free(&environment.files);
    exploring_free(&options);
    ir_program_free(program);
    arena_free(arena);
    return status;
}

const Command command_require = {
    .name = "require",
    .synopsis = "PROGRAM... [--entry FUNCTION] [OPTIONS]",
    .summary = "print the condition on its parameters under which a function fails",
    .description =
        "Prints when a function fails, as a C expression over its parameters, the globals that it\n"
        "reads and the memory behind its pointers; for a whole program, over its inputs. A failure is\n"
        "a fault, a failed assertion, a call of abort, or a sheaf_fail_if whose condition holds.\n"
        "Loops have no bound.\n\n"
        "The answer is exact (\"fails exactly when\"), or it says what is known from both sides (\"at\n"
        "least when\", \"at most when\") and what was cut off.\n\n"
        "A pointer is null or points to an object that is alive. Two pointers point to the same\n"
        "object or to separate ones. The size behind a pointer follows from its structure type or\n"
        "from --room; else it is part of the answer: room(p).\n\n"
        "With --output Sheaf makes an input for each failure from its condition, runs it on its\n"
        "interpreter and natively, and writes it as a test. The options under 'Inputs' and\n"
        "'Exploration' that the condition does not need apply to this search. The condition and the\n"
        "inputs take at most a minute each, or --max-time.\n\n"
        "Exit status: 0 never fails, 1 fails when the condition holds, 3 not certain.",
    .example = "  $ sheaf require ring.c --entry push\n",
    .options = require_tables,
    .settings_size = sizeof(RequireSettings),
    .run = require_run,
};
