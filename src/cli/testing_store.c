/* testing_store.c - where the results of 'sheaf test' go, and from whom they come: see testing.h. */
#include "cli/testing.h"

bool testing_deepens(const Testing *t)
{
    return exploring_deepens(&t->settings->exploring, t->program) && t->settings->tests != TESTS_ALL;
}

static void add_count(Str *out, uint64_t n, const char *what)
{
    str_printf(out, "%s%llu %s%s", out->n ? ", " : "", (unsigned long long)n, what, n == 1 ? "" : "s");
}

static void resume(Testing *t)
{
    CheckpointKept kept = checkpoint_load(&t->checkpoint, t->settings->exploring.directory, &t->state);
    Str counts = {0};
    if (!kept.begins)
        add_count(&counts, kept.runs, "run");
    add_count(&counts, kept.tests, "test");
    add_count(&counts, kept.faults, "fault");
    if (t->settings->exploring.format == FORMAT_TEXT)
        printf("resumed: %s kept%s\n", str_text(&counts), kept.begins ? "; the exploration begins anew" : "");
    fflush(stdout);
    str_free(&counts);
}

static void find_keys(Testing *t, const Command *command)
{
    FrontendOptions native = program_frontend(&t->settings->exploring.program, t->args, t->arena);
    t->answer.key = reuse_key(command, t->args, &t->job, t->maker.program_hash, &native, t->arena);
    t->answer.reached =
        testing_is_of_reached(t->settings)
            ? reuse_reached_key(command, t->args, t->program, t->environment, &native, t->arena)
            : "";
    vec_free(&native.inputs);
    vec_free(&native.cflags);
}

bool testing_give_again(Testing *t, const Command *command, ReuseAnswer *before, int *status)
{
    const TestSettings *s = t->settings;
    find_keys(t, command);
    if (s->no_reuse || s->resume || !testing_is_repeatable(s) ||
        !reuse_find(s->exploring.directory, t->arena, before))
        return false;
    if (strcmp(before->key, t->answer.key)) {
        if (!t->answer.reached[0] || strcmp(before->reached, t->answer.reached))
            *before = (ReuseAnswer){0};
        return false;
    }
    if (s->exploring.format == FORMAT_TEXT)
        printf("unchanged since %s: nothing was explored (--no-reuse explores)\n", before->since);
    fputs(before->form[testing_form(&s->exploring)], stdout);
    *status = before->status;
    return true;
}

void testing_open(Testing *t, const ExploreOptions *options)
{
    t->maker.job = &t->job;
    t->maker.resume = t->settings->resume;
    t->maker.fleet = t->settings->store;
    t->maker.store_most = t->settings->max_store;
    t->covering = (Covering){.program = t->program, .environment = t->environment, .options = options};
    if (t->settings->resume && t->settings->exploring.force)
        die("--resume goes on with what is there, and --force removes it: name one of them");
    t->is_shown = progress_is_seen() && !t->settings->exploring.quiet;
    t->checkpoint = (Checkpoint){.results = testcase_results(&t->maker),
                                 .report = &t->report,
                                 .covering = &t->covering,
                                 .ranking = &t->ranking,
                                 .inputs = &t->inputs,
                                 .files_used = &t->files_used,
                                 .whole = !testing_deepens(t),
                                 .committed = clock_seconds(),
                                 .pause = 1};
    if (t->settings->resume)
        resume(t);
}

const char *testing_shared_explorer(const TestSettings *s, const OptionArgs *args)
{
    return options_given(args, "explore") ? explore_names[s->explorer] : "full";
}

void testing_refuse_store(const Testing *t, const ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    bool output = !strcmp(options->explorer, "output");
    if (strcmp(options->explorer, "full") && !output)
        die("--store: machines share --explore full and output so far, not %s", options->explorer);
    if (output && options->max_depth)
        die("--max-depth: with --store it is for --explore full");
    if (s->resume)
        die("--resume is for results in a directory: with --store the same command goes on with its job, "
            "into another directory or with --force");
}

void testing_use_fleet(Testing *t, ExploreOptions *options)
{
    const TestSettings *s = t->settings;
    fleet_ask_begin(&t->asking, s->store, s->jobs, &t->job, t->program, t->environment, t->arena);
    options->board = fleet_ask_board(&t->asking);
    options->jobs = 1;
}
