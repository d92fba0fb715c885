/* job.c - see job.h. */
#include "cli/job.h"

static const char *const free_to_change[] = {
    "output",   "force",    "resume",    "format",    "quiet", "verbose", "tests",     "emit",
    "max-time", "max-runs", "max-tests", "max-store", "jobs",  "store",   "no-replay", "stop-at-first-fault",
    NULL};

/* All that is run: the program as it was loaded, headers and models of libc included, and the files it sees.
 */
static const char *hash_program(const char *sources, const IrProgram *program,
                                const VmEnvironment *environment, Arena *arena)
{
    Str text = {0};
    char hex[65];
    wire_text(&text, sources);
    ir_program_print(program, &text);
    ir_extra_write(program, &text);
    for (uint32_t i = 0; i < environment->files.n; i++) {
        const VmFile *f = &environment->files.v[i];
        wire_text(&text, f->name);
        wire_bytes(&text, f->data, f->size);
    }
    suite_sha256(str_text(&text), text.n, hex);
    str_free(&text);
    return arena_strdup(arena, hex);
}

StoreJob job_of(const Command *command, const OptionArgs *args, const char *sources, const IrProgram *program,
                const VmEnvironment *environment, Arena *arena)
{
    Str options = {0};
    options_canonical(command->options, args, free_to_change, &options);
    for (uint32_t i = 0; i < args->rest.n; i++)
        str_printf(&options, "-- %s\n", args->rest.v[i]);
    StoreJob job = {.program = hash_program(sources, program, environment, arena),
                    .command = command->name,
                    .options = arena_strdup(arena, str_text(&options)),
                    .version = SHEAF_VERSION};
    str_free(&options);
    return job;
}
