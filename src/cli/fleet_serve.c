/* fleet_serve.c - see fleet_serve.h: the options and the program of a job become an exploration again. */
#include "cli/fleet_serve.h"

#include "cli/program_parcel.h"
#include "cli/testing.h"

static void serve(Testing *t, ExploreOptions *options, const ExploreBoard *board)
{
    options->explorer = testing_shared_explorer(t->settings, t->args);
    options->context = t;
    options->wants = testing_wants;
    for (bool ours = false; !ours;) {
        Explore *x = explore_new(t->program, t->environment, options);
        ours = explore_serve(x, board) || explore_is_stopped(x);
        explore_free(x);
    }
    vec_free(&t->files_used);
    ranking_free(&t->ranking);
}

/* With options that were read; the files of the environment are the parcel's. */
static bool serve_with(const TestSettings *s, const OptionArgs *args, const FleetJob *job,
                       const Served *words, const ExploreBoard *board, Arena *arena, Str *why)
{
    VmEnvironment environment;
    ExploreOptions options;
    const char *error = NULL;
    exploring_environment(&s->exploring, args, arena, &environment);
    const char **argv = program_arguments(args, &s->exploring.program, arena);
    argv[0] = words->name;
    environment.argv = argv;
    exploring_prepare(&s->exploring, args, arena, &options);
    IrProgram *program =
        program_parcel_read(job->program, job->size, arena, &environment, &options.symbolic.inputs, &error);
    if (program) {
        Testing t = {
            .settings = s, .args = args, .arena = arena, .environment = &environment, .program = program};
        exploring_bounds(&s->exploring, words->bound, &options.symbolic.inputs);
        serve(&t, &options, board);
        ir_program_free(program);
    } else {
        str_printf(why, "the program cannot be loaded: %s", error);
    }
    vec_free(&environment.files);
    exploring_free(&options);
    return program != NULL;
}

bool fleet_serve_job(const FleetJob *job, const ExploreBoard *board, Str *why)
{
    Arena *arena = arena_new();
    OptionArgs args = {0};
    TestSettings s = {0};
    Served words = served_words(job, arena);
    options_preset(test_tables, &s);
    bool ok = options_parse(test_tables, &s, words.argc, words.argv, &args, why) &&
              serve_with(&s, &args, job, &words, board, arena, why);
    options_free(test_tables, &s);
    options_args_free(&args);
    arena_free(arena);
    return ok;
}
