/* parallel.h - private to explore: several processes explore one program.
 *
 *     parallel.c   the coordinator: forks workers, hands out regions, merges what they found
 *     worker.c     a worker: explores its regions, gives the shallowest part of them away when it is asked
 *     channel.c    messages between the two
 *     remote.c     the same without forks: regions and messages lie on a board that many machines see
 *
 * A region is a task with all that follows from it. A worker's account is what it has to do, as bytes, when
 * it last reported: with it the worker reported all that it had found and counted so far (a checkpoint), in
 * one message. So a worker that dies costs what it did since then: its account is given to another. A
 * coordinator that dies takes its workers with it. */
#ifndef SHEAF_EXPLORE_PARALLEL_H
#define SHEAF_EXPLORE_PARALLEL_H

#include "explore/save.h"

#include <stdatomic.h>
#include <sys/types.h>

enum { WORKERS_MOST = 256 };

/* What a worker shows and is asked without a message, in memory that all share. */
typedef struct SharedWorker {
    _Atomic uint32_t asked; /* ASKED_... */
    _Atomic uint64_t pending;
    _Atomic uint64_t runs, explored; /* since it last reported */
    _Atomic uint64_t all_runs;
} SharedWorker;
enum { ASKED_NOTHING, ASKED_CHECKPOINT, ASKED_PART };
typedef struct Shared {
    volatile bool stop;    /* all end soon */
    _Atomic uint64_t runs; /* of all, for --max-runs */
    SharedWorker workers[WORKERS_MOST];
} Shared;

/* ---- messages: channel.c --------------------------------------------------------------------- */

typedef enum MessageKind {
    MESSAGE_WORK,      /* tasks_write */
    MESSAGE_RUN,       /* a run that is reported: its input */
    MESSAGE_NOTES,     /* what the caller's options noted of others */
    MESSAGE_FACTS,     /* of the explorer: facts_write */
    MESSAGE_CHECKPOINT /* what was found and counted since the last one, what is left, what is given away */
} MessageKind;

typedef struct Channel {
    int fd;
    Str pending; /* bytes of messages that are not whole yet */
} Channel;

bool channel_send(Channel *c, MessageKind kind, const Str *body); /* false: the other end is closed */
/* Waits for a message. False: the other end is closed, or it is none. */
bool channel_receive(Channel *c, MessageKind *kind, Str *body);
/* Takes what has come; false: the other end is closed. */
bool channel_fill(Channel *c);
/* A whole message among what was taken. *bad: what is there is none. */
bool channel_next(Channel *c, MessageKind *kind, Str *body, bool *bad);

/* ---- worker.c -------------------------------------------------------------------------------- */

/* In a process of its own, with a copy of the exploration, whose tasks are forgotten: until the coordinator
 * is gone or all is to stop. */
_Noreturn void worker_run(Explore *x, Shared *shared, uint32_t number, uint32_t workers, int fd);
/* The coordinator's part: adds what a worker found and counted. `left`, `given`: tasks as bytes; *bounded:
 * the worker has met a bound. */
bool checkpoint_read(Explore *x, Ledger *ledger, const Str *body, Str *left, Str *given, bool *bounded);
/* Runs a run again that a worker reported, and reports it here, unless its path is marked: *runs is its
 * number, *path the fingerprint of its path. */
bool run_take(Explore *x, Marks *reported, uint64_t *runs, const Str *body, uint64_t *path);
/* The worker's part: what it counted and found since the last time, and that is forgotten here; *left,
 * *given: its tasks as bytes, some of which it gives away if it is to. */
void checkpoint_write(Explore *x, bool bounded, bool gives, Str *counts, Str *left, Str *given);
void run_write(Explore *x, const ExploreRun *run, Str *body);
bool run_read(Explore *x, const Str *body, ExprInput *input); /* empty before */
/* Tasks by their depth in the tree of executions, shallowest first; the frontier keeps them. */
typedef Vec(Task *) TaskList;
void tasks_by_depth(Frontier *f, TaskList *out);

/* ---- beside.c: the second lane of a portfolio -------------------------------------------------- */

typedef enum BesideNews {
    BESIDE_BUSY,
    BESIDE_GONE, /* it has met a bound, or was killed: the first lane goes on alone */
    BESIDE_DONE  /* the second lane has finished: its ledger and counters are here, its runs were reported */
} BesideNews;
bool beside_fork(Explore *x); /* false: it cannot be */
BesideNews beside_listen(Explore *x, Lane *second);
void beside_end(Explore *x); /* if there is one */

/* ---- parallel.c ------------------------------------------------------------------------------ */

bool parallel_begins(Explore *x); /* does it pay now? */
/* For explore_save, while there are workers: all that they have to do is in the frontier, as they last
 * reported, and the ledger is that of all; and back. False: it cannot be, a run is being reported. */
bool parallel_lend(Explore *x);
void parallel_return(Explore *x);
/* Returns when nothing is pending or a bound is met: then what is pending is in the frontier again. */
void parallel_run(Explore *x);

/* ---- remote.c -------------------------------------------------------------------------------- */

/* Posts what is pending on the board of the options, and returns when all of it is done, or false: a bound is
 * met, or the board has failed, and what is pending stays there. */
bool remote_run(Explore *x);

#endif
