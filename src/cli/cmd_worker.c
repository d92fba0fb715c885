/* cmd_worker.c - `sheaf worker`: explores for others, whose 'sheaf test --store' made a job. */
#include "cli/board.h"
#include "cli/exploring.h"
#include "cli/scratch.h"
#include "cli/serving.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct WorkerSettings {
    const char *store;
    uint64_t jobs, job;
    double idle;
    bool quiet;
} WorkerSettings;

static const Option worker_options[] = {
    {OPT_GROUP("Work")},
    {OPT_STRING(WorkerSettings, store), "store", .argument = "URL",
     .help = "the database with the jobs: postgresql://HOST/DATABASE"},
    {OPT_UINT(WorkerSettings, jobs), "jobs", 'j', "N", "0", .help = "processes; 0: one for each processor"},
    {OPT_UINT(WorkerSettings, job), "job", .argument = "N", .help = "work for this job only; 0: for all"},
    {OPT_SECONDS(WorkerSettings, idle), "idle", .argument = "TIME",
     .help = "end after so long without work; 0: wait for more"},
    {OPT_FLAG(WorkerSettings, quiet), "quiet", .brief = 'q', .help = "do not say what is worked on"},
    {OPT_END},
};
static const Option *const worker_tables[] = {worker_options, NULL};

/* ---- one job --------------------------------------------------------------------------------- */

static void write_program(const FleetJob *job, const char *path)
{
    if (!file_write_atomic(path, job->program, job->size))
        die("%s cannot be written", path);
}

/* The program of the job that a region was claimed of, as long as there are regions of it. */
static void work_for(Board *board, const Scratch *scratch, bool quiet)
{
    Arena *arena = arena_new();
    FleetJob job;
    if (!fleet_job_get(board_fleet(board), board_job(board), arena, &job)) {
        arena_free(arena);
        return;
    }
    char *path = arena_printf(arena, "%s/%ld.ir", scratch->path, (long)getpid());
    write_program(&job, path);
    if (!quiet)
        fprintf(stderr, "job %llu: %s\n", (unsigned long long)job.id, job.title);
    test_serve(&job, path, board_explore(board));
    arena_free(arena);
}

static void work(const WorkerSettings *s, const Scratch *scratch)
{
    const volatile bool *stop = exploring_interrupt();
    Board *board = board_open(s->store);
    double since = clock_seconds();
    while (!*stop && !fleet_failure(board_fleet(board))) {
        if (board_claim(board, s->job)) {
            work_for(board, scratch, s->quiet);
            since = clock_seconds();
        } else if (s->idle > 0 && clock_seconds() - since > s->idle) {
            break;
        } else {
            board_wait(board, s->job, 1);
        }
    }
    if (fleet_failure(board_fleet(board)))
        die("--store: %s", fleet_failure(board_fleet(board)));
    board_close(board);
}

/* ---- processes ------------------------------------------------------------------------------- */

static pid_t fork_worker(const WorkerSettings *s, const Scratch *scratch)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close_range(STDERR_FILENO + 1, ~0u, 0); /* a lock, or a connection, of the process that forked */
    work(s, scratch);
    fflush(NULL);
    _exit(EXIT_CLEAN);
}

/* Each by its number: the scratch directory has a process of its own, which ends after us. A worker that is
 * told to end still checks in what it has done. */
static bool await_worker(pid_t pid, const volatile bool *stop)
{
    int status;
    do {
        if (*stop)
            kill(pid, SIGTERM);
    } while (waitpid(pid, &status, 0) < 0 && errno == EINTR);
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

static uint64_t processes(uint64_t asked)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return asked ? asked : processors > 0 ? (uint64_t)processors : 1;
}

void worker_fork(const char *store, uint64_t job, uint64_t n, const Scratch *scratch)
{
    WorkerSettings s = {.store = store, .job = job, .quiet = true};
    for (uint64_t i = 0; i < processes(n); i++)
        fork_worker(&s, scratch);
}

static int worker_run(const Command *command, void *settings, const OptionArgs *args)
{
    const WorkerSettings *s = settings;
    if (args->plain.n)
        die("%s: '%s' works on what is in a database: --store URL", args->plain.v[0], command->name);
    if (!s->store)
        die("--store: where are the jobs? postgresql://HOST/DATABASE");
    board_close(board_open(s->store)); /* what is wrong with it is said once */
    Scratch scratch = scratch_make();
    const volatile bool *stop = exploring_interrupt();
    Vec(pid_t) workers = {0};
    int status = EXIT_CLEAN;
    for (uint64_t i = 0; i < processes(s->jobs); i++) {
        pid_t pid = fork_worker(s, &scratch);
        if (pid < 0)
            die("no process could be made");
        vec_push(&workers, pid);
    }
    for (uint32_t i = 0; i < workers.n; i++)
        status = await_worker(workers.v[i], stop) ? status : EXIT_USAGE;
    vec_free(&workers);
    scratch_free(&scratch);
    return status;
}

const Command command_worker = {
    .name = "worker",
    .group = "Many machines",
    .synopsis = "--store URL [OPTIONS]",
    .summary = "explore for 'sheaf test --store' on other machines",
    .description = "Takes part in explorations that 'sheaf test --store URL' asked for, on this or another\n"
                   "machine: claims a part, explores it, and checks in what it found every few seconds.\n"
                   "Any number may run, begin and end at any time; one that dies costs what it did since it\n"
                   "last checked in.\n\n"
                   "The program comes from the database; no source, compiler or model of libc is needed\n"
                   "here. Jobs of another version of Sheaf are left alone.",
    .example = "  $ sheaf worker --store postgresql://db.example/sheaf\n",
    .options = worker_tables,
    .settings_size = sizeof(WorkerSettings),
    .run = worker_run,
};
