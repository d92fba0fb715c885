/* cmd_worker.c - `sheaf worker`: explores for others, whose 'sheaf test --store' made a job. */
#include "cli/fleet_board.h"
#include "cli/exploring.h"
#include "cli/fleet_serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
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

/* What a worker and its processes share. */
typedef struct Team {
    atomic_bool failed; /* the database did, which is said once */
    atomic_bool lost;   /* its server is gone, which was said */
} Team;

/* ---- one process ----------------------------------------------------------------------------- */

/* The program of the job that a region was claimed of, as long as there are regions of it. */
static void work_for(FleetBoard *board, bool quiet)
{
    Arena *arena = arena_new();
    FleetJob job;
    Str why = {0};
    if (fleet_job_get(fleet_board_fleet(board), fleet_board_job(board), arena, &job)) {
        if (!quiet)
            fprintf(stderr, "job %llu: %s\n", (unsigned long long)job.id, job.title);
        if (!fleet_serve_job(&job, fleet_board_explore(board), &why)) {
            fleet_board_refuse(board, str_text(&why));
            if (!quiet)
                fprintf(stderr, "job %llu failed: %s\n", (unsigned long long)job.id, str_text(&why));
        }
    }
    str_free(&why);
    arena_free(arena);
}

/* Is the one job that it works for over, or of no use? */
static bool is_over(FleetBoard *board, uint64_t job)
{
    Str why = {0};
    bool over = job && (fleet_is_done(fleet_board_fleet(board), job) ||
                        fleet_job_failed(fleet_board_fleet(board), job, &why));
    str_free(&why);
    return over;
}

static bool is_idle_for_long(const WorkerSettings *s, double since)
{
    return s->idle > 0 && clock_seconds() - since > s->idle;
}

/* Until it is to end, or the database fails. *since: when it last had work. */
static void work_on(FleetBoard *board, const WorkerSettings *s, double *since)
{
    const volatile bool *stop = exploring_interrupt();
    while (!*stop && !fleet_failure(fleet_board_fleet(board))) {
        if (fleet_board_claim(board, s->job)) {
            work_for(board, s->quiet);
            *since = clock_seconds();
        } else if (is_over(board, s->job) || is_idle_for_long(s, *since)) {
            break;
        } else {
            fleet_board_wait(board, s->job, 1);
        }
    }
}

/* One connection. Adds to failure why it failed; *lost: another may not. */
static void work_connected(const WorkerSettings *s, Team *team, double *since, Str *failure, bool *lost)
{
    FleetBoard *board = fleet_board_try(s->store, failure, lost);
    if (!board)
        return;
    if (team)
        atomic_store(&team->lost, false);
    work_on(board, s, since);
    const char *failed = fleet_failure(fleet_board_fleet(board));
    *lost = fleet_is_lost(fleet_board_fleet(board));
    str_add(failure, failed ? failed : "");
    fleet_board_close(board);
}

/* The server may be started again, or be too busy: then all would come back at once. */
static void wait_for_server(const WorkerSettings *s, double seconds, double since)
{
    enum { STEP = 50 }; /* milliseconds; a signal that comes before poll would be noticed at its end only */
    const volatile bool *stop = exploring_interrupt();
    double end = clock_seconds() + seconds;
    while (!*stop && clock_seconds() < end && !is_idle_for_long(s, since))
        poll(NULL, 0, STEP);
}

/* False: the database failed. */
static bool work(const WorkerSettings *s, Team *team)
{
    static const double first = 0.5, most = 30;
    const volatile bool *stop = exploring_interrupt();
    double since = clock_seconds();
    Str failure = {0};
    bool lost = false;
    for (double pause = first;; pause = 2 * pause < most ? 2 * pause : most) {
        double begun = clock_seconds();
        vec_clear(&failure);
        work_connected(s, team, &since, &failure, &lost);
        if (!failure.n || *stop)
            break;
        if (lost && team && !atomic_exchange(&team->lost, true))
            warn("--store: %s: connecting again until it is there", str_text(&failure));
        if (!lost || is_idle_for_long(s, since))
            break;
        if (clock_seconds() - begun > most)
            pause = first;
        wait_for_server(s, pause, since);
    }
    bool ok = !failure.n || *stop;
    if (!ok && team && !atomic_exchange(&team->failed, true) && !lost)
        warn("--store: %s", str_text(&failure));
    str_free(&failure);
    return ok;
}

/* Without a team it is quiet: the process that forked it says what is wrong with the database. */
static pid_t fork_worker(const WorkerSettings *s, Team *team)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close_range(STDERR_FILENO + 1, ~0u, 0); /* a lock, or a connection, of the process that forked */
    bool ok = work(s, team);
    fflush(NULL);
    _exit(ok ? EXIT_CLEAN : EXIT_USAGE);
}

/* ---- processes ------------------------------------------------------------------------------- */

static uint64_t processes(uint64_t asked)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return asked ? asked : processors > 0 ? (uint64_t)processors : 1;
}

void fleet_serve_fork(const char *store, uint64_t job, uint64_t n)
{
    WorkerSettings s = {.store = store, .job = job, .quiet = true};
    for (uint64_t i = 0; i < processes(n); i++)
        fork_worker(&s, NULL);
}

static pid_t begin_worker(const WorkerSettings *s, Team *team)
{
    pid_t pid = fork_worker(s, team);
    if (pid < 0)
        die("no process could be made");
    return pid;
}

/* A worker that is told to end still checks in what it has done. One that a job has ended is replaced: jobs
 * that do so again and again fail, and the others must be served. */
static void await_worker(pid_t pid, const WorkerSettings *s, Team *team, const volatile bool *stop)
{
    for (;;) {
        int status;
        if (*stop)
            kill(pid, SIGTERM);
        if (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        if ((WIFEXITED(status) && !WEXITSTATUS(status)) || *stop || atomic_load(&team->failed))
            return;
        pid = begin_worker(s, team);
    }
}

static int worker_run(const Command *command, void *settings, const OptionArgs *args)
{
    const WorkerSettings *s = settings;
    if (args->plain.n)
        die("%s: '%s' works on what is in a database: --store URL", args->plain.v[0], command->name);
    if (!s->store)
        die("--store: where are the jobs? postgresql://HOST/DATABASE");
    fleet_board_close(fleet_board_open(s->store)); /* what is wrong with it is said once */
    const volatile bool *stop = exploring_interrupt();
    Team *team = mmap(NULL, sizeof *team, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (team == MAP_FAILED)
        die("no memory could be shared");
    Vec(pid_t) workers = {0};
    for (uint64_t i = 0; i < processes(s->jobs); i++)
        vec_push(&workers, begin_worker(s, team));
    for (uint32_t i = 0; i < workers.n; i++)
        await_worker(workers.v[i], s, team, stop);
    int status = atomic_load(&team->failed) ? EXIT_USAGE : EXIT_CLEAN;
    vec_free(&workers);
    munmap(team, sizeof *team);
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
                   "last checked in. When the server goes, workers wait until it is back.\n\n"
                   "The program comes from the database; no source, compiler or model of libc is needed\n"
                   "here. Jobs of another version of Sheaf are left alone.",
    .example = "  $ sheaf worker --store postgresql://db.example/sheaf\n",
    .options = worker_tables,
    .settings_size = sizeof(WorkerSettings),
    .run = worker_run,
};
