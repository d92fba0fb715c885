/* fleet.h - explorations that many machines share, in one database of PostgreSQL.
 *
 * A job is a program with its options. What is to be done for it are regions, bytes that only an exploration
 * can read. A worker claims a region for some seconds (a lease) and prolongs that while it works; now and
 * then it makes a checkpoint: what it has found, what is left of the region, and parts of it for others, in
 * one transaction. Each claim has a token of its own, and a checkpoint counts only while the claim does. So a
 * worker that dies, or is cut off for longer than its lease, costs what it did since its last checkpoint, and
 * a region is never counted twice.
 *
 * Whatever time is compared is the server's. */
#ifndef SHEAF_STORE_FLEET_H
#define SHEAF_STORE_FLEET_H

#include "base/base.h"

typedef struct Fleet Fleet;

/* Makes the tables, if they are missing. NULL with one line in error; *unreachable: there was no connection,
 * and may be one later. */
Fleet *fleet_open(const char *address, Str *error, bool *unreachable);
void fleet_close(Fleet *f);                /* NULL is allowed */
const char *fleet_failure(const Fleet *f); /* the first; nothing works from then on. NULL: none */
bool fleet_is_lost(const Fleet *f);        /* it is that the server is gone */

/* ---- jobs ------------------------------------------------------------------------------------ */

/* All that a job is to explore, as checkpoints count it. */
#define FLEET_WHOLE (UINT64_C(1) << 60)

typedef struct FleetJob {
    uint64_t id;
    const char *title;   /* for people: the command */
    const char *options; /* as the command needs them */
    const char *version; /* of Sheaf: workers of another one leave the job alone */
    const char *hash;    /* of the program */
    const void *program; /* bitcode; NULL in a list */
    size_t size;
    bool finished, paused;     /* its command has seen the end; has ended before that */
    bool failed;               /* workers cannot work on it: */
    const char *reason;        /* why, one line */
    double explored;           /* what checkpoints said, in all: an estimate, 0 to 1 */
    uint64_t pending, claimed; /* regions */
    uint64_t seconds;          /* since it was made */
    uint64_t max_runs;         /* of all workers together; 0: no limit. Not in a list */
} FleetJob;

/* With its first region. The job's number; 0 after a failure. */
uint64_t fleet_job_add(Fleet *f, const FleetJob *job, const Str *region);
/* An unfinished job of the same program, options and version; 0: none. */
uint64_t fleet_job_find(Fleet *f, const FleetJob *job);
/* What tells jobs from each other is locked by this process, as long as its connection lasts: one that asked
 * beside it would read what the other removes. False, with fleet_failure: another process has locked it. */
bool fleet_ask_alone(Fleet *f, const FleetJob *job);
/* Workers leave a paused job alone once they have checked in; its regions and messages stay. */
bool fleet_job_pause(Fleet *f, uint64_t id);
/* Of one that is paused, or has failed. The limit counts all runs of the job. */
bool fleet_job_go_on(Fleet *f, uint64_t id, uint64_t max_runs);
/* It cannot be worked on. Its regions stay, and are left alone. */
bool fleet_job_fail(Fleet *f, uint64_t id, const char *reason);
/* Did it fail, was it removed, or is nothing of it left but regions that ended several workers, one after the
 * other? Adds the reason. */
bool fleet_job_failed(Fleet *f, uint64_t id, Str *reason);
/* Texts and bytes are in the arena. False: there is none of this number, or a failure. */
bool fleet_job_get(Fleet *f, uint64_t id, Arena *arena, FleetJob *out);
bool fleet_job_finish(Fleet *f, uint64_t id); /* regions and messages go; the job stays in the list */
/* The job with all that belongs to it. False: there is none, or a failure; or it is neither finished, paused
 * nor failed (*runs), and that must be forced. */
bool fleet_job_remove(Fleet *f, uint64_t id, bool force, bool *runs);
/* Newest first; texts are short-lived. */
bool fleet_jobs(Fleet *f, void (*each)(void *context, const FleetJob *job), void *context);

/* ---- regions --------------------------------------------------------------------------------- */

/* Where the job has a limit of runs, a claim draws some of those that are left: an eighth, at least one. What
 * it did not use goes back when it checks in, and it draws anew. So workers seldom ask, and never make more
 * than the limit. */
typedef struct FleetRegion {
    uint64_t job, id, token;
    Str bytes;
    uint64_t runs; /* that may be made until the next checkpoint; UINT64_MAX: no limit */
} FleetRegion;

/* A region that nothing works on, of this job or, if that is 0, of any unfinished one of this version. One
 * that needs a run is left alone while none is left. False: there is none now, or a failure. The caller frees
 * the bytes. The claim is over with its lease, or with this connection. */
bool fleet_claim(Fleet *f, uint64_t job, const char *version, const char *worker, double lease,
                 FleetRegion *out);
/* Works on. False: the claim is over, and what is done from here on counts for nothing; or a failure. */
bool fleet_prolong(Fleet *f, const FleetRegion *r, double lease);
/* How many workers wait for a region that this one may be of use to: they called fleet_wait lately. */
uint64_t fleet_waiting(Fleet *f, uint64_t job);

typedef struct FleetCheckpoint {
    const Str *messages; /* what was found, for readers of the job's messages */
    uint32_t nmessages;
    const Str *left;   /* of the region; NULL: nothing, it is done */
    const Str *given;  /* further regions; NULL: none */
    uint64_t runs;     /* that were made since the last one */
    bool needs_run;    /* what is left does, and the claim has none: it is over */
    uint64_t explored; /* since the last one: a part of FLEET_WHOLE */
    double lease;
} FleetCheckpoint;
/* All of it, or nothing; r->runs is what may be made until the next one. False as of fleet_prolong; also,
 * with all of it done, if the job is paused, or out of runs: the claim is over then. */
bool fleet_checkpoint(Fleet *f, FleetRegion *r, const FleetCheckpoint *c);
/* Until a region is there to be claimed, perhaps, or so many seconds have passed; the first time after a
 * claim at once. */
void fleet_wait(Fleet *f, uint64_t job, const char *worker, double seconds);
void fleet_listen(Fleet *f, double seconds); /* the same of one that wants no region */

/* ---- messages -------------------------------------------------------------------------------- */

/* Those behind `after`, in the order in which they became visible; the number of the last. `each` may be
 * called with few of many: call again until none comes. */
uint64_t fleet_messages(Fleet *f, uint64_t job, uint64_t after,
                        void (*each)(void *context, const void *bytes, size_t n), void *context);
/* Is nothing of the job left to be done? Then all its messages can be read. */
bool fleet_is_done(Fleet *f, uint64_t job);
/* Does a region need a run, and none is left? */
bool fleet_is_out_of_runs(Fleet *f, uint64_t job);

#endif
