/* cmd_require.c - `sheaf require`: the condition under which a function, or a whole program, fails. */
#include "backward/backward.h"
#include "cli/testcase.h"

#include <stdlib.h>

typedef struct RequireSettings {
    ExploringSettings exploring;              /* first: exploring_options write here */
    StrVec rooms;
} RequireSettings;

static const Option require_options[] = {
    {OPT_GROUP("Condition")},
    {OPT_LIST(RequireSettings, rooms), "room", .argument = "POINTER=BYTES",
     .help = "bytes behind a pointer parameter: a number or an integer parameter; may be repeated"},
    {OPT_END},
};
static const Option *const require_tables[] = {require_options, exploring_options, exploring_output_options, program_options, NULL};

typedef struct Requiring {
    const IrProgram *program;
    Backward *backward;
    BackwardRequirement result;
    const char *entry;
    Ledger *ledger;
} Requiring;

/* ---- options ---------------------------------------------------------------------------------------------------- */

static bool has_parameter(const IrProgram *program, uint32_t fn, const char *name)
{
    const IrFn *f = &program->fns.v[fn];
    for (uint32_t i = 0; i < f->nparams; i++)
        if (f->regs.v[i].name && !strcmp(ir_text(program, f->regs.v[i].name), name))
            return true;
    return ir_global_find(program, name) != IR_NONE;
}

static void read_room(const char *text, const IrProgram *program, uint32_t fn, Arena *arena, BackwardRooms *out)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        die("--room %s: a pointer, '=', and a number of bytes or a parameter", text);
    BackwardRoom room = {.pointer = arena_printf(arena, "%.*s", (int)(equals - text), text)};
    char *end;
    room.bytes = strtoull(equals + 1, &end, 0);
    if (*end || equals[1] == '-')
        room.parameter = equals + 1;
    const char *names[] = {room.pointer, room.parameter};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (names[i] && !has_parameter(program, fn, names[i]))
            die("--room %s: %s has no parameter '%s', and there is no global of that name", text, ir_text(program, program->fns.v[fn].name), names[i]);
    vec_push(out, room);
}

/* ---- answers ------------------------------------------------------------------------------------------------------ */

enum { LINE = 60, LIMIT = 2000 };

static void condition_text(const Requiring *r, Expr e, Str *out) { backward_condition_text(r->backward, e, LIMIT, out); }

static void failure_text(const Requiring *r, const BackwardFailure *f, Expr condition, Str *out)
{
    char where[512];
    Str text = {0};
    condition_text(r, condition, &text);
    if (text.n <= LINE)
        str_printf(out, "  %-*s", LINE, str_text(&text));
    else
        str_printf(out, "  %s\n  %*s", str_text(&text), LINE, "");
    str_printf(out, "  %s  %s\n", f->escape ? f->escape : vm_fault_message(f->fault), ir_site_text(r->program, f->site, where, sizeof where));
    str_free(&text);
}

static void direction_text(const Requiring *r, bool least, const char *heading, Str *out)
{
    bool any = false;
    for (uint32_t i = 0; i < r->result.failures.n; i++) {
        const BackwardFailure *f = &r->result.failures.v[i];
        Expr e = least ? f->least : f->most;
        if (expr_is_false(e))
            continue;
        if (!any)
            str_printf(out, "%s fails %s\n", r->entry, heading);
        any = true;
        failure_text(r, f, e, out);
    }
}

static void assumptions_text(const Requiring *r, Str *out)
{
    for (uint32_t i = 0; i < r->result.needs.n; i++) {
        Str text = {0};
        condition_text(r, r->result.needs.v[i].pointer, &text);
        str_printf(out, "needs %llu byte%s behind %s\n", (unsigned long long)r->result.needs.v[i].bytes, r->result.needs.v[i].bytes == 1 ? "" : "s", str_text(&text));
        str_free(&text);
    }
}

static void reasons_text(const Requiring *r, Str *out)
{
    char where[512];
    uint32_t n = backward_reasons(r->backward);
    if (n)
        str_add(out, "because\n");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t site;
        const char *text = backward_reason(r->backward, i, &site);
        str_add(out, "  ");
        if (site != IR_NONE)
            str_printf(out, "%s: ", ir_site_text(r->program, site, where, sizeof where));
        str_printf(out, "%s\n", text);
    }
}

static void result_text(const Requiring *r, Str *out)
{
    if (expr_is_false(r->result.most))
        str_printf(out, "%s never fails\n", r->entry);
    else if (r->result.exact)
        direction_text(r, true, "exactly when", out);
    else {
        direction_text(r, true, "at least when", out);
        direction_text(r, false, "at most when", out);
        if (expr_is_true(r->result.most) && !r->result.failures.n)
            str_printf(out, "%s: nothing is known of when it fails\n", r->entry);
        reasons_text(r, out);
    }
    assumptions_text(r, out);
    ledger_assumptions_text(r->ledger, out);
}

static int status_of(const Requiring *r)
{
    if (expr_is_false(r->result.most))
        return EXIT_CLEAN;
    return expr_is_false(r->result.least) ? EXIT_INCOMPLETE : EXIT_FOUND;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static int require_run(const Command *command, void *settings, const OptionArgs *args)
{
    static const double MINUTE = 60;
    RequireSettings *s = settings;
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    BackwardRooms rooms = {0};
    Str out = {0};
    (void)command;
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    options.symbolic.inputs.all_globals |= s->exploring.entry != NULL;       /* those that it reads are part of the condition */
    IrProgram *program = program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    exploring_check(&s->exploring, program);
    Requiring r = {.program = program, .entry = s->exploring.entry ? s->exploring.entry : "main", .ledger = ledger_new()};
    uint32_t fn = ir_fn_find(program, r.entry);
    if (fn == IR_NONE || !program->fns.v[fn].defined)
        die("the program has no function %s", r.entry);
    for (uint32_t i = 0; i < s->rooms.n; i++)
        read_room(s->rooms.v[i], program, fn, arena, &rooms);
    BackwardOptions backward = {.inputs = &options.symbolic.inputs, .environment = &environment, .solver = options.solver,
                                .query_seconds = options.solver_time, .max_seconds = options.max_time > 0 ? options.max_time : MINUTE,
                                .checks = options.vm.checks, .rooms = rooms, .stop = options.stop, .ledger = r.ledger};
    r.backward = backward_new(program, &backward);
    backward_require(r.backward, &r.result);
    result_text(&r, &out);
    fputs(str_text(&out), stdout);
    int status = status_of(&r);
    str_free(&out);
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
    .summary = "the condition on the parameters under which a function fails",
    .description = "Prints when a function fails, as C over its parameters, the globals that it reads and the memory behind its pointers; of a whole\n"
                   "program, over its inputs. A failure is a fault, a failed assertion, or a call of abort. Conditions are composed\n"
                   "backwards from each check to the entry; loops are fixpoints. The answer is exact (\"fails exactly when\"), or says\n"
                   "what is known from both sides (\"at least when\", \"at most when\") and what was cut off.\n\n"
                   "Pointers that are given are null or lead to objects that are alive; two of them lead to the same object or to\n"
                   "separate ones. How many bytes there are behind a pointer is known of structures, is what --room says, or is part of the\n"
                   "answer: room(p).\n\n"
                   "Exit status: 0 never fails, 1 fails when the condition holds, 3 nothing is sure.",
    .example = "  $ sheaf require ring.c --entry push\n",
    .options = require_tables,
    .settings_size = sizeof(RequireSettings),
    .run = require_run,
};
