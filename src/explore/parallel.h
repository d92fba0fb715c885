/* parallel.h - private to explore: several processes explore one program.
 *
 *     parallel.c   the coordinator: forks workers, hands out regions, merges what they found
 *     worker.c     a worker: explores its regions, gives the shallowest part of them away when it is asked
 *     pause.c      checkpoints that all workers make together
 *     channel.c    messages between the two
 *     remote.c     the same without forks: regions and messages lie on a board that many machines see
 *
 * A region is a task with all that follows from it. A worker's account is what it has to do, as bytes, when
 * it last reported: with it the worker reported all that it had found and counted so far (a checkpoint), in
 * one message. So a worker that dies costs what it did since then: its account is given to another. A
 * coordinator that dies takes its workers with it.
 *
 * That is so where a task does not depend on others. An explorer that files a task once, whichever run it
 * follows from, shares what was filed (Explorer.share): a worker that dies takes tasks with it that others
 * have left out because of it. There all workers pause now and then and make their checkpoints together; when
 * one dies, all begin again from the last pause, with one worker less. */
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
enum { ASKED_NOTHING, ASKED_CHECKPOINT, ASKED_PART, ASKED_PAUSE };
typedef struct Shared {
    volatile bool stop;    /* all end soon */
    _Atomic uint64_t runs; /* of all, for --max-runs */
    SharedWorker workers[WORKERS_MOST];
} Shared;

/* ---- messages: channel.c --------------------------------------------------------------------- */

typedef enum MessageKind {
    MESSAGE_WORK,       /* tasks_write */
    MESSAGE_RUN,        /* a run that is reported: its input */
    MESSAGE_NOTES,      /* what the caller's options noted of others */
    MESSAGE_FACTS,      /* of the explorer: facts_write */
    MESSAGE_CHECKPOINT, /* what was found and counted since the last one, what is left, what is given away */
    /* Where checkpoints are made together: */
    MESSAGE_GIFT,  /* of a worker: tasks_write, for another */
    MESSAGE_IDLE,  /* of a worker: it has nothing to do or has met a bound, which one byte says */
    MESSAGE_PAUSE, /* to a worker: it is to answer with a checkpoint, and to wait */
    MESSAGE_GO_ON  /* to a worker that waits, with what others have learnt */
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

/* ---- parallel.c ------------------------------------------------------------------------------ */

typedef struct Member {
    pid_t pid; /* 0: it is gone */
    Channel channel;
    bool busy;
    Str account;     /* of one that is busy: what it had to do when it last reported */
    double heard;    /* when that was */
    U64Vec reported; /* paths of runs since then */
    Str checkpoint;  /* of one that pauses; together: when all do */
    bool pauses;
} Member;

typedef Vec(Str) StrList;

typedef struct Team {
    Explore *x;
    Shared *shared;
    Ledger *ledger;  /* of the exploration */
    Ledger *scratch; /* of the coordinator's own runs, which say what workers have said */
    Vec(Member) members;
    StrList queue;  /* tasks for idle members */
    Marks reported; /* paths of runs: what is done again is not reported again */
    uint64_t runs;  /* that were */
    bool bounded;
    bool reports;  /* the machine's last run is looked at */
    bool together; /* checkpoints are: */
    bool pausing;  /* each member was told to pause */
    bool broken;   /* one has died: what was done since the last pause is done again */
    double begun;  /* when they were told to */
    double due;    /* when they are told next */
    StrList safe;  /* tasks that were to be done then */
    bool more;     /* there were none, and the explorer had more to do */
} Team;

bool parallel_begins(Explore *x); /* does it pay now? */
/* For explore_save, while there are workers: all that they have to do is in the frontier, as they last
 * reported, and the ledger is that of all; and back. False: it cannot be, a run is being reported. */
bool parallel_lend(Explore *x);
void parallel_return(Explore *x);
/* Returns when nothing is pending or a bound is met: then what is pending is in the frontier again. */
void parallel_run(Explore *x);
void parallel_listen(Team *t);               /* to members, for a moment */
void parallel_deal(Team *t, uint32_t parts); /* what is in the frontier, by depth, into the queue */

/* ---- pause.c --------------------------------------------------------------------------------- */

/* Before members are forked. False: they cannot explore together. */
bool pause_prepare(Team *t);
/* What is in the queue, before the members have any of it, is what is to be done if one of them dies. */
void pause_keep_queue(Team *t);
/* Begins one if it is time; ends one that all have come to. */
void pause_now_and_then(Team *t);
bool pause_take(Team *t, Member *m, Str *body); /* a member's checkpoint; false: it is none */
/* The last one: nothing is pending, or a bound was met, which leaves members some time. */
void pause_finish(Team *t);
/* What is left is in the queue then, as of the last pause. */
void pause_close(Team *t);
/* Of a worker that was told to. *more: the explorer has begun something, and this process may have tasks of
 * it. False: the other end is closed. */
bool pause_worker(Explore *x, Channel *c, bool bounded, bool *more);

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

/* ---- remote.c -------------------------------------------------------------------------------- */

/* Posts what is pending on the board of the options, and returns when all of it is done, or false: a bound is
 * met, or the board has failed, and what is pending stays there. */
bool remote_run(Explore *x);

#endif
