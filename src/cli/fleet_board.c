/* fleet_board.c - see fleet_board.h.
 *
 * While a worker has a region, a thread prolongs its lease, by a connection of its own: one run, or one
 * question to the solver, may take longer than a lease. */
#include "cli/fleet_board.h"

#include "cli/exploring.h"

#include <pthread.h>
#include <unistd.h>

static const double lease = 30, beat = 5; /* seconds */

struct FleetBoard {
    ExploreBoard explore;
    Fleet *fleet;
    char *address;
    char worker[96]; /* by which others see it */
    const FleetJob *asked;
    uint64_t workers;
    void (*fork)(const char *address, uint64_t job, uint64_t workers);
    uint64_t job;
    U64Vec jobs; /* that were posted, all */
    bool done;
    Str failed;    /* the job did, for this reason */
    uint64_t read; /* the last message */
    bool begins;   /* the region is for the first claim of the exploration */
    FleetRegion region;
    /* of the thread: */
    pthread_t thread;
    bool has_thread, ends;
    pthread_mutex_t mutex; /* for what follows, and for `ends` */
    pthread_cond_t changed;
    FleetRegion held; /* without bytes; id 0: none */
};

/* ---- the lease ------------------------------------------------------------------------------- */

/* The connection is made when it is first needed. One that fails costs the claim, if that lasts. */
static void *prolong(void *context)
{
    FleetBoard *b = context;
    Fleet *own = NULL;
    pthread_mutex_lock(&b->mutex);
    while (!b->ends) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (time_t)beat;
        pthread_cond_timedwait(&b->changed, &b->mutex, &until);
        FleetRegion held = b->held;
        if (b->ends || !held.id)
            continue;
        pthread_mutex_unlock(&b->mutex);
        Str ignored = {0};
        bool unreachable;
        if (!own)
            own = fleet_open(b->address, &ignored, &unreachable);
        if (own && !fleet_prolong(own, &held, lease) && fleet_failure(own)) {
            fleet_close(own);
            own = NULL;
        }
        str_free(&ignored);
        pthread_mutex_lock(&b->mutex);
    }
    pthread_mutex_unlock(&b->mutex);
    fleet_close(own);
    return NULL;
}

static void hold(FleetBoard *b, const FleetRegion *region)
{
    pthread_mutex_lock(&b->mutex);
    b->held = region ? (FleetRegion){.job = region->job, .id = region->id, .token = region->token}
                     : (FleetRegion){0};
    pthread_mutex_unlock(&b->mutex);
    if (!b->has_thread)
        b->has_thread = !pthread_create(&b->thread, NULL, prolong, b);
}

static void end_thread(FleetBoard *b)
{
    if (!b->has_thread)
        return;
    pthread_mutex_lock(&b->mutex);
    b->ends = true;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->mutex);
    pthread_join(b->thread, NULL);
}

/* ---- the process that asks ------------------------------------------------------------------- */

static const char *failure(void *context)
{
    const FleetBoard *b = context;
    return b->failed.n ? str_text(&b->failed) : fleet_failure(b->fleet);
}

static bool post(void *context, const Str *region, uint64_t max_runs)
{
    FleetBoard *b = context;
    FleetJob job = *b->asked;
    job.max_runs = max_runs;
    b->job = fleet_job_find(b->fleet, &job);
    if (b->job)
        fleet_job_go_on(b->fleet, b->job, max_runs);
    else if (!fleet_failure(b->fleet))
        b->job = fleet_job_add(b->fleet, &job, region);
    bool ok = b->job && !fleet_failure(b->fleet);
    b->read = 0;
    b->done = false;
    if (ok) {
        vec_push(&b->jobs, b->job);
        b->fork(b->address, b->job, b->workers);
    }
    return ok;
}

/* Asked after messages were read: of a job that is there still, all were. */
static void note_failed(FleetBoard *b)
{
    Str why = {0};
    if (fleet_job_failed(b->fleet, b->job, &why))
        str_printf(&b->failed, "job %llu failed: %s", (unsigned long long)b->job, str_text(&why));
    str_free(&why);
}

static bool read_messages(void *context, void (*each)(void *to, const void *message, size_t n), void *to)
{
    FleetBoard *b = context;
    for (uint64_t before = b->read + 1; before != b->read && !fleet_failure(b->fleet);) {
        before = b->read;
        b->read = fleet_messages(b->fleet, b->job, before, each, to);
    }
    note_failed(b);
    return !failure(b);
}

static bool is_done(void *context)
{
    FleetBoard *b = context;
    b->done = b->job && fleet_is_done(b->fleet, b->job);
    return b->done;
}

static bool is_out_of_runs(void *context)
{
    FleetBoard *b = context;
    return fleet_is_out_of_runs(b->fleet, b->job);
}

static void wait_for_news(void *context, double seconds)
{
    FleetBoard *b = context;
    fleet_listen(b->fleet, seconds);
}

static void pause_job(void *context)
{
    FleetBoard *b = context;
    fleet_job_pause(b->fleet, b->job);
}

/* ---- a worker -------------------------------------------------------------------------------- */

bool fleet_board_claim(FleetBoard *b, uint64_t job)
{
    str_free(&b->region.bytes);
    b->begins = fleet_claim(b->fleet, job, SHEAF_VERSION, b->worker, lease, &b->region);
    b->job = b->begins ? b->region.job : 0;
    hold(b, b->begins ? &b->region : NULL);
    return b->begins;
}

static bool claim(void *context, Str *region, uint64_t *runs)
{
    FleetBoard *b = context;
    uint64_t job = b->job;
    if (!b->begins && !fleet_board_claim(b, job)) {
        b->job = job;
        return false;
    }
    b->begins = false;
    str_add_n(region, b->region.bytes.v, b->region.bytes.n);
    *runs = b->region.runs;
    return true;
}

static bool others_wait(void *context)
{
    const FleetBoard *b = context;
    return fleet_waiting(b->fleet, b->job) != 0;
}

_Static_assert(EXPLORE_WHOLE == FLEET_WHOLE, "the database counts as the exploration does");

static bool check_in(void *context, const ExploreCheckIn *c, uint64_t *runs)
{
    FleetBoard *b = context;
    bool ours = fleet_checkpoint(b->fleet, &b->region,
                                 &(FleetCheckpoint){.messages = c->messages,
                                                    .nmessages = c->nmessages,
                                                    .left = c->left,
                                                    .given = c->given,
                                                    .runs = c->runs,
                                                    .explored = c->explored,
                                                    .needs_run = c->needs_run,
                                                    .lease = lease});
    *runs = b->region.runs;
    if (!ours || !c->left)
        hold(b, NULL);
    return ours;
}

static void refuse(void *context, const char *why) { fleet_board_refuse(context, why); }

void fleet_board_refuse(FleetBoard *b, const char *why)
{
    fleet_job_fail(b->fleet, b->region.job, why);
    hold(b, NULL);
}

void fleet_board_wait(FleetBoard *b, uint64_t job, double seconds)
{
    fleet_wait(b->fleet, job, b->worker, seconds);
}

/* ---- opening --------------------------------------------------------------------------------- */

FleetBoard *fleet_board_open(const char *address)
{
    Str error = {0};
    bool unreachable;
    FleetBoard *b = fleet_board_try(address, &error, &unreachable);
    if (!b)
        die("--store: %s", str_text(&error));
    return b;
}

FleetBoard *fleet_board_try(const char *address, Str *error, bool *unreachable)
{
    char host[64] = "";
    Fleet *fleet = fleet_open(address, error, unreachable);
    if (!fleet)
        return NULL;
    FleetBoard *b = mem_zalloc(sizeof *b);
    gethostname(host, sizeof host - 1);
    snprintf(b->worker, sizeof b->worker, "%s:%ld", host, (long)getpid());
    b->fleet = fleet;
    b->address = mem_strdup(address);
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->changed, NULL);
    b->explore = (ExploreBoard){.context = b,
                                .failure = failure,
                                .post = post,
                                .read = read_messages,
                                .is_done = is_done,
                                .is_out_of_runs = is_out_of_runs,
                                .wait = wait_for_news,
                                .pause = pause_job,
                                .claim = claim,
                                .others_wait = others_wait,
                                .refuse = refuse,
                                .check_in = check_in};
    return b;
}

void fleet_board_close(FleetBoard *b)
{
    end_thread(b);
    fleet_close(b->fleet);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->mutex);
    str_free(&b->region.bytes);
    str_free(&b->failed);
    vec_free(&b->jobs);
    mem_free(b->address);
    mem_free(b);
}

void fleet_board_ask(FleetBoard *b, const FleetJob *job, uint64_t workers,
                     void (*fork)(const char *address, uint64_t job, uint64_t workers))
{
    b->asked = job;
    b->workers = workers;
    b->fork = fork;
}

void fleet_board_finish(FleetBoard *b)
{
    for (uint32_t i = 0; b->done && i < b->jobs.n; i++)
        fleet_job_finish(b->fleet, b->jobs.v[i]);
}

const ExploreBoard *fleet_board_explore(const FleetBoard *b) { return &b->explore; }
Fleet *fleet_board_fleet(const FleetBoard *b) { return b->fleet; }
const char *fleet_board_failure(FleetBoard *b) { return failure(b); }
uint64_t fleet_board_job(const FleetBoard *b) { return b->job; }
