/* fleet_ask.c - see fleet_ask.h.
 *
 * A job's options are lines: the bound and the name by which the program was called, then what
 * options_canonical gives, an option with its values a line, then arguments of the program behind "-- ". */
#include "cli/fleet_ask.h"

#include "cli/program_parcel.h"
#include "cli/fleet_serve.h"

#include <stdlib.h>

IrProgram *fleet_ask_program(IrProgram *program, VmInputs *inputs)
{
    Str parcel = {0};
    Arena *arena = arena_new();
    const char *error = NULL;
    VmEnvironment none = {0};
    VmInputs same = {0};
    program_parcel_write(program, &none, inputs, &parcel);
    ir_program_free(program);
    program = program_parcel_read(str_text(&parcel), parcel.n, arena, &none, &same, &error);
    if (!program)
        bug("the program cannot be read again: %s", error);
    if (program->drive)
        inputs->entry = ir_text(program, program->fns.v[program->drive->fn].name);
    str_free(&parcel);
    arena_free(arena);
    return program;
}

void fleet_ask_begin(FleetAsk *a, const char *store, uint64_t workers, const StoreJob *job,
                     const IrProgram *program, const VmEnvironment *environment, Arena *arena)
{
    *a = (FleetAsk){.of = job, .program = program, .environment = environment, .arena = arena};
    a->board = fleet_board_open(store);
    FleetJob all = {.hash = job->program,
                    .version = job->version,
                    .options = arena_printf(arena, "%s\n%s", environment->argv[0], job->options)};
    if (!fleet_ask_alone(fleet_board_fleet(a->board), &all))
        die("--store: %s", fleet_board_failure(a->board));
    fleet_board_ask(a->board, &a->job, workers, fleet_serve_fork);
}

void fleet_ask_bound(FleetAsk *a, uint32_t bound, const VmInputs *inputs)
{
    const char *name = a->environment->argv[0], *entry = inputs->entry;
    vec_clear(&a->parcel);
    program_parcel_write(a->program, a->environment, inputs, &a->parcel);
    a->job =
        (FleetJob){.title = entry ? arena_printf(a->arena, "sheaf %s %s --entry %.*s, bound %u",
                                                 a->of->command, name, (int)strcspn(entry, "."), entry, bound)
                                  : arena_printf(a->arena, "sheaf %s %s", a->of->command, name),
                   .options = arena_printf(a->arena, "%u %s\n%s", bound, name, a->of->options),
                   .version = a->of->version,
                   .hash = a->of->program,
                   .program = str_text(&a->parcel),
                   .size = a->parcel.n};
}

const ExploreBoard *fleet_ask_board(const FleetAsk *a) { return fleet_board_explore(a->board); }

bool fleet_ask_end(FleetAsk *a)
{
    fleet_board_finish(a->board);
    const char *failure = fleet_board_failure(a->board);
    bool ok = !failure;
    if (!ok)
        warn("--store: %s: the same command goes on with the job", failure);
    fleet_board_close(a->board);
    str_free(&a->parcel);
    return ok;
}

/* ---- the other side -------------------------------------------------------------------------- */

typedef Vec(char *) Words;

/* Values of most options are one word, whatever is in them. */
static void add_values(Words *words, const char *name, char *values)
{
    bool several = !strcmp(name, "--sym-args");
    for (char *next; several && (next = strchr(values, ' ')); values = next + 1) {
        *next = 0;
        vec_push(words, values);
    }
    vec_push(words, values);
}

/* The first line; returns what is behind it. */
static char *read_head(char *text, Served *out)
{
    char *name, *end = text + strcspn(text, "\n");
    bool more = *end;
    *end = 0;
    out->bound = (uint32_t)strtoul(text, &name, 10);
    out->name = name + (*name == ' ');
    return end + more;
}

Served served_words(const FleetJob *job, Arena *arena)
{
    Words words = {0};
    Served served;
    char *at = read_head(arena_strdup(arena, job->options), &served), *end;
    bool rest = false;
    for (; at[0] && (end = strchr(at, '\n')); at = end + 1) {
        char *value = strchr(at, ' ');
        *end = 0;
        value = value && value < end ? value : NULL;
        if (!rest && text_starts_with(at, "--file ")) /* the parcel has it */
            continue;
        if (!rest)
            vec_push(&words, value ? arena_strndup(arena, at, (size_t)(value - at)) : at);
        rest |= text_starts_with(at, "-- ");
        if (rest)
            vec_push(&words, at + strlen("-- "));
        else if (value)
            add_values(&words, vec_last(&words), value + 1);
    }
    served.argc = (int)words.n;
    served.argv = arena_alloc(arena, (words.n + 1) * sizeof *served.argv);
    memcpy(served.argv, words.v, words.n * sizeof *words.v);
    vec_free(&words);
    return served;
}
