/* fleet.c - see fleet.h. */
#include "store/fleet.h"

#include "store/sql.h"

enum { FLEET_VERSION = 3, MESSAGES_AT_ONCE = 256 };

/* sheaf_job.state, in statements as digits. */
enum { JOB_RUNS = 0, JOB_FINISHED = 1, JOB_PAUSED = 2, JOB_FAILED = 3 };

/* The server's clock, in milliseconds. */
#define NOW "(extract(epoch from clock_timestamp()) * 1000)::bigint"

/* Nothing works on region r: its lease is over, or the connection that claimed it is gone, which the server
 * sees at once of a process that was killed. */
#define FREE "(r.until < " NOW " OR NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.pid = r.session))"

/* Claims of a region, one after the other, without a checkpoint: then it is given up, since it ends whatever
 * works on it. As text, for statements. */
#define TRIES "5"

/* A run of job j may be made that nothing has drawn yet. */
#define RUNS_LEFT "(j.max_runs = 0 OR j.runs < j.max_runs)"

struct Fleet {
    Sql *sql;
    bool listens;
    SqlStatement *claim, *prolong, *keep, *end, *give, *send, *messages, *open, *waits, *waiting, *lock,
        *account, *take, *hold, *out_of_runs, *given_up, *state;
};

/* A message's number is drawn while its job is locked, so that numbers become visible in their order.
 * sheaf_job.runs counts those that were made and those that claims have drawn, which sheaf_region.runs has.
 */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS sheaf_fleet (version BIGINT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS sheaf_job (id BIGINT PRIMARY KEY, title TEXT NOT NULL, options TEXT NOT NULL,"
    " version TEXT NOT NULL, hash TEXT NOT NULL, program BLOB NOT NULL, made BIGINT NOT NULL,"
    " state BIGINT NOT NULL, sent BIGINT NOT NULL, reason TEXT NOT NULL, explored BIGINT NOT NULL,"
    " runs BIGINT NOT NULL, max_runs BIGINT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS sheaf_region (id BIGSERIAL PRIMARY KEY, job BIGINT NOT NULL REFERENCES "
    "sheaf_job,"
    " token BIGINT NOT NULL, until BIGINT NOT NULL, session BIGINT NOT NULL, tries BIGINT NOT NULL,"
    " worker TEXT NOT NULL, runs BIGINT NOT NULL, needs_run BIGINT NOT NULL, bytes BLOB NOT NULL);"
    "CREATE INDEX IF NOT EXISTS sheaf_region_free ON sheaf_region (job, until);"
    "CREATE TABLE IF NOT EXISTS sheaf_message (job BIGINT NOT NULL REFERENCES sheaf_job, number BIGINT NOT "
    "NULL,"
    " bytes BLOB NOT NULL, PRIMARY KEY (job, number));"
    "CREATE TABLE IF NOT EXISTS sheaf_waiting (worker TEXT PRIMARY KEY, job BIGINT NOT NULL, seen BIGINT NOT "
    "NULL)";

/* ---- opening --------------------------------------------------------------------------------- */

/* Two that open an empty database at once must not both make the tables. */
static void make_tables(Fleet *f)
{
    sql_begin(f->sql);
    sql_run(f->sql, "SELECT pg_advisory_xact_lock(5366546)");
    sql_run(f->sql, schema);
    SqlStatement *version = sql_prepare(f->sql, "SELECT version FROM sheaf_fleet");
    bool any = sql_step(version);
    int64_t is = any ? sql_int(version, 0) : FLEET_VERSION;
    sql_reset(version);
    SqlStatement *add = any ? NULL : sql_prepare(f->sql, "INSERT INTO sheaf_fleet (version) VALUES ($1)");
    sql_bind_int(add, 1, FLEET_VERSION);
    if (!any)
        sql_do(add);
    Str why = {0};
    str_printf(&why,
               "its tables are of version %lld, and those of Sheaf " SHEAF_VERSION " of version %d: "
               "use another database",
               (long long)is, FLEET_VERSION);
    if (is != FLEET_VERSION)
        sql_fail(f->sql, str_text(&why));
    str_free(&why);
    sql_commit(f->sql);
}

static void prepare(Fleet *f)
{
    Sql *sql = f->sql;
    f->claim = sql_prepare(
        sql,
        "UPDATE sheaf_region SET token = token + 1, until = " NOW " + $1, worker = $2, tries = tries + 1,"
        " session = pg_backend_pid() WHERE id ="
        " (SELECT r.id FROM sheaf_region r JOIN sheaf_job j ON j.id = r.job WHERE " FREE
        " AND r.tries < " TRIES " AND j.state = 0 AND j.version = $3 AND (r.job = $4 OR $4 = 0)"
        " AND (r.needs_run = 0 OR r.runs > 0 OR " RUNS_LEFT ")"
        " ORDER BY r.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED) RETURNING job, id, token, bytes, runs,"
        " (SELECT max_runs FROM sheaf_job WHERE id = job)");
    f->prolong =
        sql_prepare(sql, "UPDATE sheaf_region SET until = " NOW " + $1 WHERE id = $2 AND token = $3");
    f->keep = sql_prepare(sql, "UPDATE sheaf_region SET until = CASE WHEN $2::bigint = 0 AND (SELECT state "
                               "FROM sheaf_job WHERE id = job) = 0 THEN " NOW
                               " + $1 ELSE 0 END, tries = 0, runs = 0, needs_run = $2, bytes = $3 WHERE id = "
                               "$4 AND token = $5 RETURNING until");
    f->end = sql_prepare(sql, "DELETE FROM sheaf_region WHERE id = $1 AND token = $2");
    f->give = sql_prepare(sql, "INSERT INTO sheaf_region (job, token, until, session, tries, worker, runs,"
                               " needs_run, bytes) VALUES ($1, 0, 0, 0, 0, '', 0, 0, $2)");
    f->send = sql_prepare(sql, "WITH n AS (UPDATE sheaf_job SET sent = sent + 1 WHERE id = $1 RETURNING sent)"
                               " INSERT INTO sheaf_message (job, number, bytes) SELECT $1, sent, $2 FROM n");
    f->messages = sql_prepare(sql, "SELECT number, bytes FROM sheaf_message WHERE job = $1 AND number > $2"
                                   " ORDER BY number LIMIT $3");
    f->account =
        sql_prepare(sql, "UPDATE sheaf_job SET explored = explored + $1, runs = runs + $2 WHERE id = $3"
                         " RETURNING max_runs, runs");
    f->take = sql_prepare(sql, "UPDATE sheaf_job SET runs = runs + $1 WHERE id = $2");
    f->hold = sql_prepare(sql, "UPDATE sheaf_region SET runs = $1 WHERE id = $2 AND token = $3");
    f->out_of_runs = sql_prepare(sql, "SELECT count(*) FROM sheaf_region r JOIN sheaf_job j ON j.id = r.job"
                                      " WHERE r.job = $1 AND r.needs_run <> 0 AND NOT " RUNS_LEFT);
    f->open = sql_prepare(sql, "SELECT count(*) FROM sheaf_job WHERE id = $1 AND NOT EXISTS"
                               " (SELECT 1 FROM sheaf_region WHERE job = $1)");
    f->given_up = sql_prepare(
        sql,
        "UPDATE sheaf_job j SET state = 3, reason = (SELECT '" TRIES
        " workers ended, one after the other, while"
        " they worked on one part of it, the last of them ' || max(worker) FROM sheaf_region WHERE job = $1)"
        " WHERE id = $1 AND state = 0 AND EXISTS (SELECT 1 FROM sheaf_region WHERE job = $1 AND tries "
        ">= " TRIES
        ") AND NOT EXISTS (SELECT 1 FROM sheaf_region r WHERE r.job = $1 AND NOT (r.tries >= " TRIES
        " AND " FREE ") AND NOT (r.needs_run <> 0 AND r.runs = 0 AND NOT " RUNS_LEFT "))");
    f->state = sql_prepare(sql, "SELECT state, reason FROM sheaf_job WHERE id = $1");
    f->waits =
        sql_prepare(sql, "INSERT INTO sheaf_waiting (worker, job, seen) VALUES ($1, $2, " NOW ")"
                         " ON CONFLICT (worker) DO UPDATE SET job = excluded.job, seen = excluded.seen");
    f->lock = sql_prepare(sql, "SELECT pg_try_advisory_lock(hashtextextended($1, 5366546))::integer::bigint");
    f->waiting = sql_prepare(
        sql, "SELECT count(*) FROM sheaf_waiting WHERE (job = $1 OR job = 0) AND seen > " NOW " - $2");
}

Fleet *fleet_open(const char *address, Str *error, bool *unreachable)
{
    *unreachable = false;
    if (!sql_is_server(address)) {
        str_printf(error, "%s: many machines share a database of PostgreSQL: postgresql://HOST/DATABASE",
                   address);
        return NULL;
    }
    Sql *sql = sql_open(address, SQL_WRITE, error);
    *unreachable = !sql;
    if (!sql)
        return NULL;
    Fleet *f = mem_zalloc(sizeof *f);
    f->sql = sql;
    make_tables(f);
    prepare(f);
    if (!sql_failure(sql))
        return f;
    str_add(error, sql_failure(sql));
    *unreachable = sql_is_lost(sql);
    fleet_close(f);
    return NULL;
}

void fleet_close(Fleet *f)
{
    if (!f)
        return;
    sql_close(f->sql);
    mem_free(f);
}

const char *fleet_failure(const Fleet *f) { return sql_failure(f->sql); }
bool fleet_is_lost(const Fleet *f) { return sql_is_lost(f->sql); }

static int64_t milliseconds(double seconds) { return (int64_t)(seconds * 1000); }

/* The first column of the only row; 0: there is none. */
static int64_t number(SqlStatement *s)
{
    int64_t n = sql_step(s) ? sql_int(s, 0) : 0;
    sql_reset(s);
    return n;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* A lock of the server goes with the connection, even of a machine that is gone. */
bool fleet_ask_alone(Fleet *f, const FleetJob *job)
{
    /* The server needs a moment to see that a process is gone. */
    static const double patience = 5, pause = 0.2;
    double end = clock_seconds() + patience;
    Str what = {0};
    str_printf(&what, "%s %s %s", job->hash, job->version, job->options);
    sql_run(f->sql, "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;"
                    " SET tcp_keepalives_count = 3");
    sql_bind_text(f->lock, 1, str_text(&what));
    bool ours = number(f->lock) != 0;
    while (!ours && !sql_failure(f->sql) && clock_seconds() < end) {
        sql_wait(f->sql, pause);
        sql_bind_text(f->lock, 1, str_text(&what));
        ours = number(f->lock) != 0;
    }
    if (!ours && !sql_failure(f->sql))
        sql_fail(f->sql, "the same 'sheaf test' runs already, and has its job");
    str_free(&what);
    return ours;
}

static bool add_region(Fleet *f, uint64_t job, const Str *bytes)
{
    sql_bind_int(f->give, 1, (int64_t)job);
    sql_bind_bytes(f->give, 2, str_text(bytes), bytes->n);
    return sql_do(f->give);
}

uint64_t fleet_job_add(Fleet *f, const FleetJob *job, const Str *region)
{
    sql_begin(f->sql);
    sql_run(f->sql, "LOCK TABLE sheaf_job IN SHARE ROW EXCLUSIVE MODE");
    uint64_t id = (uint64_t)number(sql_prepare(f->sql, "SELECT coalesce(max(id), 0) + 1 FROM sheaf_job"));
    SqlStatement *add = sql_prepare(
        f->sql, "INSERT INTO sheaf_job (id, title, options, version, hash, program, made,"
                " state, sent, reason, explored, runs, max_runs) VALUES ($1, $2, $3, $4, $5, $6, " NOW
                ", 0, 0, '', 0,"
                " 0, $7)");
    sql_bind_int(add, 1, (int64_t)id);
    sql_bind_text(add, 2, job->title);
    sql_bind_text(add, 3, job->options);
    sql_bind_text(add, 4, job->version);
    sql_bind_text(add, 5, job->hash);
    sql_bind_bytes(add, 6, job->program, job->size);
    sql_bind_int(add, 7, (int64_t)job->max_runs);
    sql_do(add);
    add_region(f, id, region);
    return sql_run(f->sql, "NOTIFY sheaf") && sql_commit(f->sql) ? id : 0;
}

uint64_t fleet_job_find(Fleet *f, const FleetJob *job)
{
    SqlStatement *find = sql_prepare(f->sql, "SELECT id FROM sheaf_job WHERE state <> 1 AND options = $1 AND"
                                             " version = $2 AND hash = $3 ORDER BY id LIMIT 1");
    sql_bind_text(find, 1, job->options);
    sql_bind_text(find, 2, job->version);
    sql_bind_text(find, 3, job->hash);
    return (uint64_t)number(find);
}

bool fleet_job_get(Fleet *f, uint64_t id, Arena *arena, FleetJob *out)
{
    SqlStatement *get = sql_prepare(
        f->sql, "SELECT title, options, version, hash, program, state FROM sheaf_job WHERE id = $1");
    sql_bind_int(get, 1, (int64_t)id);
    bool there = sql_step(get);
    if (there) {
        *out = (FleetJob){.id = id,
                          .title = arena_strdup(arena, sql_text(get, 0)),
                          .options = arena_strdup(arena, sql_text(get, 1)),
                          .version = arena_strdup(arena, sql_text(get, 2)),
                          .hash = arena_strdup(arena, sql_text(get, 3)),
                          .finished = sql_int(get, 5) == JOB_FINISHED,
                          .paused = sql_int(get, 5) == JOB_PAUSED};
        const void *program = sql_bytes(get, 4, &out->size);
        out->program = memcpy(arena_alloc(arena, out->size + 1), program, out->size);
    }
    sql_reset(get);
    return there;
}

static void do_each(Fleet *f, const char *const *texts, size_t n, uint64_t id)
{
    for (size_t i = 0; i < n; i++) {
        SqlStatement *s = sql_prepare(f->sql, texts[i]);
        sql_bind_int(s, 1, (int64_t)id);
        sql_do(s);
    }
}

bool fleet_job_finish(Fleet *f, uint64_t id)
{
    static const char *const texts[] = {"DELETE FROM sheaf_region WHERE job = $1",
                                        "DELETE FROM sheaf_message WHERE job = $1",
                                        "UPDATE sheaf_job SET state = 1, program = ''::bytea WHERE id = $1"};
    sql_begin(f->sql);
    do_each(f, texts, COUNT_OF(texts), id);
    return sql_commit(f->sql);
}

bool fleet_job_remove(Fleet *f, uint64_t id, bool force, bool *runs)
{
    static const char *const texts[] = {"DELETE FROM sheaf_region WHERE job = $1",
                                        "DELETE FROM sheaf_message WHERE job = $1",
                                        "DELETE FROM sheaf_job WHERE id = $1"};
    sql_begin(f->sql);
    /* checkpoints that are under way end before, and none adds a region meanwhile */
    sql_run(f->sql, "LOCK TABLE sheaf_region IN EXCLUSIVE MODE");
    sql_bind_int(f->state, 1, (int64_t)id);
    bool there = sql_step(f->state);
    *runs = there && sql_int(f->state, 0) == JOB_RUNS;
    sql_reset(f->state);
    if (!there || (*runs && !force)) {
        if (!sql_failure(f->sql))
            sql_roll_back(f->sql);
        return false;
    }
    do_each(f, texts, COUNT_OF(texts), id);
    return sql_run(f->sql, "NOTIFY sheaf") && sql_commit(f->sql);
}

bool fleet_job_pause(Fleet *f, uint64_t id)
{
    SqlStatement *set = sql_prepare(f->sql, "UPDATE sheaf_job SET state = 2 WHERE id = $1 AND state = 0");
    sql_bind_int(set, 1, (int64_t)id);
    return sql_do(set);
}

bool fleet_job_go_on(Fleet *f, uint64_t id, uint64_t max_runs)
{
    static const char *const texts[] = {
        "UPDATE sheaf_region SET tries = 0 WHERE job = $1",
        "UPDATE sheaf_job SET state = 0, reason = '' WHERE id = $1 AND state <> 1"};
    sql_begin(f->sql);
    do_each(f, texts, COUNT_OF(texts), id);
    SqlStatement *limit = sql_prepare(f->sql, "UPDATE sheaf_job SET max_runs = $1 WHERE id = $2");
    sql_bind_int(limit, 1, (int64_t)max_runs);
    sql_bind_int(limit, 2, (int64_t)id);
    sql_do(limit);
    return sql_run(f->sql, "NOTIFY sheaf") && sql_commit(f->sql);
}

bool fleet_job_fail(Fleet *f, uint64_t id, const char *reason)
{
    SqlStatement *set =
        sql_prepare(f->sql, "UPDATE sheaf_job SET state = 3, reason = $1 WHERE id = $2 AND state = 0");
    sql_bind_text(set, 1, reason);
    sql_bind_int(set, 2, (int64_t)id);
    return sql_do(set) && sql_run(f->sql, "NOTIFY sheaf");
}

bool fleet_job_failed(Fleet *f, uint64_t id, Str *reason)
{
    sql_bind_int(f->given_up, 1, (int64_t)id);
    sql_do(f->given_up);
    sql_bind_int(f->state, 1, (int64_t)id);
    bool there = sql_step(f->state), gone = !there && !sql_failure(f->sql);
    bool failed = there && sql_int(f->state, 0) == JOB_FAILED;
    if (failed || gone)
        str_add(reason, failed ? sql_text(f->state, 1) : "it was removed");
    sql_reset(f->state);
    return failed || gone;
}

bool fleet_jobs(Fleet *f, void (*each)(void *context, const FleetJob *job), void *context)
{
    SqlStatement *all = sql_prepare(
        f->sql, "SELECT j.id, j.title, j.options, j.version, j.hash, j.state,"
                " (SELECT count(*) FROM sheaf_region r WHERE job = j.id AND " FREE "),"
                " (SELECT count(*) FROM sheaf_region r WHERE job = j.id AND NOT " FREE "),"
                " (" NOW " - j.made) / 1000, j.reason, j.explored FROM sheaf_job j ORDER BY j.id DESC");
    while (sql_step(all)) {
        FleetJob job = {.id = (uint64_t)sql_int(all, 0),
                        .title = sql_text(all, 1),
                        .options = sql_text(all, 2),
                        .version = sql_text(all, 3),
                        .hash = sql_text(all, 4),
                        .finished = sql_int(all, 5) == JOB_FINISHED,
                        .paused = sql_int(all, 5) == JOB_PAUSED,
                        .failed = sql_int(all, 5) == JOB_FAILED,
                        .reason = sql_text(all, 9),
                        .explored = (double)sql_int(all, 10) / (double)FLEET_WHOLE,
                        .pending = (uint64_t)sql_int(all, 6),
                        .claimed = (uint64_t)sql_int(all, 7),
                        .seconds = (uint64_t)sql_int(all, 8)};
        each(context, &job);
    }
    sql_reset(all);
    return !sql_failure(f->sql);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* So many runs more were made or, less than 0, drawn in vain; draws others for the region. */
static void account(Fleet *f, FleetRegion *r, uint64_t explored, int64_t runs, bool draws)
{
    enum { PART = 8 };
    sql_bind_int(f->account, 1, (int64_t)explored);
    sql_bind_int(f->account, 2, runs);
    sql_bind_int(f->account, 3, (int64_t)r->job);
    int64_t most = sql_step(f->account) ? sql_int(f->account, 0) : 0, left = most - sql_int(f->account, 1);
    sql_reset(f->account);
    int64_t drawn = draws && most && left > 0 ? (left + PART - 1) / PART : 0;
    r->runs = most ? (uint64_t)drawn : UINT64_MAX;
    if (!drawn)
        return;
    sql_bind_int(f->take, 1, drawn);
    sql_bind_int(f->take, 2, (int64_t)r->job);
    sql_do(f->take);
    sql_bind_int(f->hold, 1, drawn);
    sql_bind_int(f->hold, 2, (int64_t)r->id);
    sql_bind_int(f->hold, 3, (int64_t)r->token);
    sql_do(f->hold);
}

/* What a claim has drawn that was over before it checked in is drawn for this one. */
static bool draw_first(Fleet *f, FleetRegion *r)
{
    if (r->runs)
        return true;
    sql_begin(f->sql);
    account(f, r, 0, 0, true);
    return sql_commit(f->sql);
}

static void stop_listening(Fleet *f)
{
    if (f->listens)
        sql_run(f->sql, "UNLISTEN sheaf");
    f->listens = false;
}

bool fleet_claim(Fleet *f, uint64_t job, const char *version, const char *worker, double lease,
                 FleetRegion *out)
{
    size_t n;
    sql_bind_int(f->claim, 1, milliseconds(lease));
    sql_bind_text(f->claim, 2, worker);
    sql_bind_text(f->claim, 3, version);
    sql_bind_int(f->claim, 4, (int64_t)job);
    bool there = sql_step(f->claim);
    if (there) {
        *out = (FleetRegion){.job = (uint64_t)sql_int(f->claim, 0),
                             .id = (uint64_t)sql_int(f->claim, 1),
                             .token = (uint64_t)sql_int(f->claim, 2)};
        const char *bytes = sql_bytes(f->claim, 3, &n);
        str_add_n(&out->bytes, bytes, n);
        out->runs = sql_int(f->claim, 5) ? (uint64_t)sql_int(f->claim, 4) : UINT64_MAX;
    }
    sql_reset(f->claim);
    if (there)
        stop_listening(f);
    return there && draw_first(f, out);
}

bool fleet_prolong(Fleet *f, const FleetRegion *r, double lease)
{
    sql_bind_int(f->prolong, 1, milliseconds(lease));
    sql_bind_int(f->prolong, 2, (int64_t)r->id);
    sql_bind_int(f->prolong, 3, (int64_t)r->token);
    return sql_do(f->prolong) && sql_changed(f->sql) == 1;
}

/* Is the claim still ours? If it is, the region is what is left. *goes_on: it is claimed from here on, too.
 */
static bool settle(Fleet *f, const FleetRegion *r, const FleetCheckpoint *c, bool *goes_on)
{
    SqlStatement *s = c->left ? f->keep : f->end;
    int i = 0;
    if (c->left) {
        sql_bind_int(s, ++i, milliseconds(c->lease));
        sql_bind_int(s, ++i, c->needs_run);
        sql_bind_bytes(s, ++i, str_text(c->left), c->left->n);
    }
    sql_bind_int(s, ++i, (int64_t)r->id);
    sql_bind_int(s, ++i, (int64_t)r->token);
    *goes_on = sql_step(s) && sql_int(s, 0) != 0;
    sql_reset(s);
    return !sql_failure(f->sql) && sql_changed(f->sql) == 1;
}

static void add_message(Fleet *f, uint64_t job, const Str *bytes)
{
    sql_bind_int(f->send, 1, (int64_t)job);
    sql_bind_bytes(f->send, 2, str_text(bytes), bytes->n);
    sql_do(f->send);
}

bool fleet_checkpoint(Fleet *f, FleetRegion *r, const FleetCheckpoint *c)
{
    bool goes_on = false, ours = sql_begin(f->sql) && settle(f, r, c, &goes_on);
    if (!ours && !sql_failure(f->sql))
        sql_roll_back(f->sql);
    if (!ours)
        return false;
    for (uint32_t i = 0; i < c->nmessages; i++)
        add_message(f, r->job, &c->messages[i]);
    if (c->given)
        add_region(f, r->job, c->given);
    int64_t drawn = r->runs == UINT64_MAX ? 0 : (int64_t)r->runs;
    account(f, r, c->explored, (int64_t)c->runs - drawn, goes_on && c->left);
    if (c->given || !c->left)
        sql_run(f->sql, "NOTIFY sheaf"); /* processes that wait for work, or for the end */
    return sql_commit(f->sql) && (goes_on || !c->left);
}

uint64_t fleet_waiting(Fleet *f, uint64_t job)
{
    enum { LATELY = 3000 }; /* milliseconds */
    sql_bind_int(f->waiting, 1, (int64_t)job);
    sql_bind_int(f->waiting, 2, LATELY);
    return (uint64_t)number(f->waiting);
}

/* The server wakes up all that listen, each time: a worker that has work must not. */
static void listen_until(Fleet *f, double seconds)
{
    if (f->listens) {
        sql_wait(f->sql, seconds);
        return;
    }
    f->listens = true;
    sql_run(f->sql, "LISTEN sheaf"); /* what came before was not heard: the caller looks again */
}

void fleet_wait(Fleet *f, uint64_t job, const char *worker, double seconds)
{
    sql_bind_text(f->waits, 1, worker);
    sql_bind_int(f->waits, 2, (int64_t)job);
    if (sql_do(f->waits))
        listen_until(f, seconds);
}

void fleet_listen(Fleet *f, double seconds) { listen_until(f, seconds); }

/* ---- messages -------------------------------------------------------------------------------- */

uint64_t fleet_messages(Fleet *f, uint64_t job, uint64_t after,
                        void (*each)(void *context, const void *bytes, size_t n), void *context)
{
    sql_bind_int(f->messages, 1, (int64_t)job);
    sql_bind_int(f->messages, 2, (int64_t)after);
    sql_bind_int(f->messages, 3, MESSAGES_AT_ONCE);
    while (sql_step(f->messages)) {
        size_t n;
        after = (uint64_t)sql_int(f->messages, 0);
        const void *bytes = sql_bytes(f->messages, 1, &n);
        each(context, bytes, n);
    }
    sql_reset(f->messages);
    return after;
}

bool fleet_is_done(Fleet *f, uint64_t job)
{
    sql_bind_int(f->open, 1, (int64_t)job);
    return number(f->open) != 0;
}

bool fleet_is_out_of_runs(Fleet *f, uint64_t job)
{
    sql_bind_int(f->out_of_runs, 1, (int64_t)job);
    return number(f->out_of_runs) != 0;
}
