/* asking.c - see asking.h.
 *
 * A job's options are lines: the name by which the program was called, then what options_canonical gives, an
 * option with its values a line, then arguments of the program behind "-- ". */
#include "cli/asking.h"

#include "cli/serving.h"

IrProgram *asking_program(IrProgram *program)
{
    Str text = {0};
    Arena *arena = arena_new();
    const char *error = NULL;
    ir_program_print(program, &text);
    ir_program_free(program);
    program = ir_program_parse(str_text(&text), text.n, arena, &error);
    if (!program)
        bug("the program cannot be read again: %s", error);
    ir_program_index(program);
    str_free(&text);
    arena_free(arena);
    return program;
}

static void fork_workers(void *context, const char *store, uint64_t job, uint64_t n)
{
    Asking *a = context;
    worker_fork(store, job, n, &a->scratch);
}

void asking_begin(Asking *a, const char *store, uint64_t workers, const StoreJob *job,
                  const IrProgram *program, const VmEnvironment *environment, Arena *arena)
{
    Str text = {0};
    ir_program_print(program, &text);
    a->job = (FleetJob){.title = arena_printf(arena, "sheaf %s %s", job->command, environment->argv[0]),
                        .options = arena_printf(arena, "%s\n%s", environment->argv[0], job->options),
                        .version = job->version,
                        .hash = job->program,
                        .program = arena_strdup(arena, str_text(&text)),
                        .size = text.n};
    str_free(&text);
    a->scratch = scratch_make();
    a->board = board_open(store);
    board_ask(a->board, &a->job, workers, fork_workers, a);
}

const ExploreBoard *asking_board(const Asking *a) { return board_explore(a->board); }

bool asking_end(Asking *a)
{
    board_finish(a->board);
    const char *failure = fleet_failure(board_fleet(a->board));
    bool ok = !failure;
    if (!ok)
        warn("--store: %s: the same command goes on with the job", failure);
    board_close(a->board);
    scratch_free(&a->scratch);
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

Served served_words(const FleetJob *job, const char *file, Arena *arena)
{
    Words words = {0};
    char *at = arena_strdup(arena, job->options), *end;
    Served served = {.name = at};
    bool rest = false;
    vec_push(&words, arena_strdup(arena, file));
    for (at[strcspn(at, "\n")] = 0, at += strlen(at) + 1; at[0] && (end = strchr(at, '\n')); at = end + 1) {
        char *value = strchr(at, ' ');
        *end = 0;
        value = value && value < end ? value : NULL;
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
