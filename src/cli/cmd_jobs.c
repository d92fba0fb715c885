/* cmd_jobs.c - `sheaf jobs`: what runs in a fleet. */
#include "cli/command.h"
#include "store/store.h"

typedef struct JobsSettings {
    const char *store;
    bool json;
    uint64_t remove; /* 0: none */
    bool remove_finished, force;
} JobsSettings;

static const Option jobs_options[] = {
    {OPT_GROUP("Jobs")},
    {OPT_STRING(JobsSettings, store), "store", .argument = "URL",
     .help = "the database with the jobs: postgresql://HOST/DATABASE"},
    {OPT_FLAG(JobsSettings, json), "json", .help = "as JSON"},
    {OPT_GROUP("Removal")},
    {OPT_UINT(JobsSettings, remove), "remove", .argument = "ID",
     .help = "remove this job, with what was found and is pending, instead of a list"},
    {OPT_FLAG(JobsSettings, remove_finished), "remove-finished",
     .help = "remove all jobs that are finished, instead of a list"},
    {OPT_FLAG(JobsSettings, force), "force", .help = "remove the job though it runs or waits"},
    {OPT_END},
};
static const Option *const jobs_tables[] = {jobs_options, NULL};

static const char *state_of(const FleetJob *job)
{
    return job->finished  ? "finished"
           : job->failed  ? "failed"
           : job->paused  ? "paused"
           : job->claimed ? "runs"
                          : "waits";
}

static void print_job(void *context, const FleetJob *job)
{
    (void)context;
    printf("%5llu  %-8s  %6u %%  %5llu of %5llu  %6llu s  %s\n", (unsigned long long)job->id, state_of(job),
           (unsigned)(100 * job->explored), (unsigned long long)job->claimed,
           (unsigned long long)(job->claimed + job->pending), (unsigned long long)job->seconds, job->title);
    if (job->failed)
        printf("       because %s\n", job->reason);
}

static void job_json(void *context, const FleetJob *job)
{
    JsonOut *json = context;
    json_object_begin(json, NULL);
    json_uint(json, "job", job->id);
    json_string(json, "state", state_of(job));
    if (job->failed)
        json_string(json, "reason", job->reason);
    json_double(json, "explored", job->explored);
    json_uint(json, "claimed", job->claimed);
    json_uint(json, "pending", job->pending);
    json_uint(json, "seconds", job->seconds);
    json_string(json, "version", job->version);
    json_string(json, "program", job->hash);
    json_string(json, "command", job->title);
    json_object_end(json);
}

/* ---- removal --------------------------------------------------------------------------------- */

static void remove_job(Fleet *f, uint64_t id, bool force)
{
    bool runs;
    if (fleet_job_remove(f, id, force, &runs))
        return;
    if (fleet_failure(f))
        die("--store: %s", fleet_failure(f));
    if (runs)
        die("job %llu is not over: --force removes it, and its command ends", (unsigned long long)id);
    die("--remove: there is no job %llu", (unsigned long long)id);
}

static void add_finished(void *context, const FleetJob *job)
{
    U64Vec *ids = context;
    if (job->finished)
        vec_push(ids, job->id);
}

static void remove_finished(Fleet *f)
{
    U64Vec ids = {0};
    if (!fleet_jobs(f, add_finished, &ids))
        die("--store: %s", fleet_failure(f));
    for (uint32_t i = 0; i < ids.n; i++)
        remove_job(f, ids.v[i], false);
    printf("%u job%s removed\n", ids.n, ids.n == 1 ? "" : "s");
    vec_free(&ids);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void list(Fleet *f, bool as_json)
{
    JsonOut json = {0};
    if (as_json)
        json_array_begin(&json, NULL);
    else
        printf("  job  state     explored  worked on         made     command\n");
    bool ok = as_json ? fleet_jobs(f, job_json, &json) : fleet_jobs(f, print_job, NULL);
    if (!ok)
        die("--store: %s", fleet_failure(f));
    if (as_json) {
        json_array_end(&json);
        printf("%s\n", str_text(&json.text));
    }
    str_free(&json.text);
}

static int jobs_run(const Command *command, void *settings, const OptionArgs *args)
{
    const JobsSettings *s = settings;
    Str error = {0};
    if (args->plain.n)
        die("%s: '%s' lists what is in a database: --store URL", args->plain.v[0], command->name);
    if (!s->store)
        die("--store: where are the jobs? postgresql://HOST/DATABASE");
    if (s->force && !s->remove)
        die("--force is for --remove");
    bool unreachable;
    Fleet *f = fleet_open(s->store, &error, &unreachable);
    if (!f)
        die("--store: %s", str_text(&error));
    if (s->remove)
        remove_job(f, s->remove, s->force);
    if (s->remove_finished)
        remove_finished(f);
    if (!s->remove && !s->remove_finished)
        list(f, s->json);
    fleet_close(f);
    return EXIT_CLEAN;
}

const Command command_jobs = {
    .name = "jobs",
    .synopsis = "--store URL [OPTIONS]",
    .summary = "list the explorations that 'sheaf test --store' asked for",
    .description =
        "Lists jobs, newest first: whether workers are at it, how much of the tree of executions is\n"
        "explored (an estimate), how many of its parts are worked on, when it was made, and the command\n"
        "that made it.\n"
        "A job is paused when its command ended before the work did, and fails when workers cannot work\n"
        "on it, for the reason that stands below it; the same command goes on with it. What will not be\n"
        "asked for again stays in the database until it is removed.",
    .options = jobs_tables,
    .settings_size = sizeof(JobsSettings),
    .run = jobs_run,
};
