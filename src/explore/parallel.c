/* parallel.c - the coordinator of several processes that explore one program: see parallel.h.
 *
 * Small explorations stay in one process: workers are forked when about a tenth of a second has been spent
 * (a second by others than `full`) and enough is pending. From then on the coordinator explores nothing
 * itself. It hands out what is pending; where a worker has nothing to do, one that has much is asked for a
 * part. Runs that are reported are run again here, so that its observer sees one process. */
#include "explore/parallel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FORK_AFTER = 100000000, /* cost of the exploration so far, in about nanoseconds; */
    FORK_LATE = 1000000000, /* where it depends on the time which runs are made: only if it must be */
    PENDING_LEAST = 2,      /* tasks: who has none asks for some */
    WAIT_MILLISECONDS = 20,
    CHECKPOINT_SECONDS = 5 /* that a worker may have to do again */
};

/* ---- does it pay? ---------------------------------------------------------------------------- */

const char *explore_alone(const Explore *x)
{
    const Explorer *e = x->lanes[0].explorer;
    const SolverOptions *s = &x->options.solver;
    if (e == &explorer_states)
        return "each run is compared with all states that were met before";
    if (e != &explorer_full && e != &explorer_output && !e->share)
        return "what is left out depends on all runs before";
    if (e == &explorer_output && x->options.max_depth)
        return "--max-depth";
    if (x->options.labels_of)
        return "labels are kept";
    if ((s->backend && strcmp(s->backend, "cadical")) || s->log_dir)
        return "the back end of the solver is not shared";
    return NULL;
}

/* The lane beside the first may have a process of its own. */
static uint32_t count_wanted(const Explore *x)
{
    uint32_t jobs = x->options.jobs < WORKERS_MOST ? x->options.jobs : WORKERS_MOST,
             others = x->lost + (x->beside != NULL);
    return jobs > others ? jobs - others : 0;
}

/* Where it counts which runs are made, or what runs have left out, one process makes them. A lane beside the
 * first has its process before others share the first. */
static bool is_for_one(const Explore *x)
{
    const Lane *first = &x->lanes[0], *second = &x->lanes[1];
    bool counts = first->explorer->share && (x->options.max_runs || x->options.explain);
    bool early = first->explorer->beside && !second->explorer;
    return x->alone || counts || early || x->lane != first || second->active || explore_alone(x);
}

bool parallel_begins(Explore *x)
{
    uint64_t pending = frontier_size(&x->lane->frontier);
    if (count_wanted(x) < 2 || is_for_one(x))
        return false;
    if (x->options.fork_after)
        return x->counters[EXPLORE_RUNS] >= x->options.fork_after && pending;
    uint64_t after = x->lanes[0].explorer == &explorer_full ? FORK_AFTER : FORK_LATE;
    return x->lane->cost >= after && pending >= PENDING_LEAST;
}

/* ---- members --------------------------------------------------------------------------------- */

static bool fork_member(Team *t, uint32_t number, uint32_t workers)
{
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
        return false;
    fflush(NULL); /* what is buffered would be written twice */
    pid_t pid = fork();
    if (!pid) {
        for (uint32_t i = 0; i < t->members.n; i++)
            close(t->members.v[i].channel.fd);
        close(fds[0]);
        worker_run(t->x, t->shared, number, workers, fds[1]);
    }
    close(fds[1]);
    if (pid < 0)
        close(fds[0]);
    else
        vec_push(&t->members, (Member){.pid = pid, .channel = {.fd = fds[0]}});
    return pid > 0;
}

/* These runs are made again if its account is worked on again. */
static void note_reported(Explore *x, const Member *m)
{
    for (uint32_t i = 0; i < m->reported.n; i++)
        marks_set(&x->reported_paths, m->reported.v[i], 1, 1);
}

/* Without its work. */
static void end_member(Team *t, Member *m)
{
    kill(m->pid, SIGKILL);
    waitpid(m->pid, NULL, 0);
    close(m->channel.fd);
    str_free(&m->channel.pending);
    str_free(&m->checkpoint);
    m->pid = 0;
    if (m->busy && !t->together)
        vec_push(&t->queue, m->account);
    else
        str_free(&m->account);
    note_reported(t->x, m);
    vec_free(&m->reported);
    m->account = (Str){0};
    m->busy = false;
}

/* It is gone, or talks nonsense: its account is for another, or all begin again without it. */
static void lose(Team *t, Member *m)
{
    end_member(t, m);
    t->x->lost += !t->broken;
    t->broken |= t->together;
}

/* A task that leads into several regions at once would be large: the first part of the work is dealt out by
 * depth. */
void parallel_deal(Team *t, uint32_t parts)
{
    Explore *x = t->x;
    Frontier *f = &x->lane->frontier;
    TaskList all = {0}, mine = {0};
    tasks_by_depth(f, &all);
    for (uint32_t k = 0; k < parts && k < all.n; k++) {
        Str bytes = {0};
        vec_clear(&mine);
        for (uint32_t i = k; i < all.n; i += parts)
            vec_push(&mine, all.v[i]);
        tasks_write(x, mine.v, mine.n, &bytes);
        vec_push(&t->queue, bytes);
    }
    for (uint32_t i = 0; i < all.n; i++)
        task_release(x->lane->vm, all.v[i]);
    frontier_clear(f);
    vec_free(&all);
    vec_free(&mine);
}

/* Each member meets a bound on time or runs by itself, and then gives back what it has: it is not stopped in
 * the middle of a run. */
static bool hands_out(const Team *t) { return t->queue.n && !t->shared->stop && !t->bounded && !t->broken; }

static void hand_out(Team *t)
{
    for (uint32_t i = 0; i < t->members.n && hands_out(t) && !t->pausing; i++) {
        Member *m = &t->members.v[i];
        if (!m->pid || m->busy)
            continue;
        m->account = vec_pop(&t->queue);
        m->busy = true;
        m->heard = clock_seconds();
        if (!channel_send(&m->channel, MESSAGE_WORK, &m->account))
            lose(t, m);
        else if (t->together)
            str_free(&m->account);
    }
}

static uint32_t count_busy(const Team *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->members.n; i++)
        n += t->members.v[i].busy;
    return n;
}

static uint32_t count_alive(const Team *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->members.n; i++)
        n += t->members.v[i].pid != 0;
    return n;
}

/* Of the one that has most, for each that has nothing to do; and of each that has not reported for long. */
static void ask(Team *t)
{
    uint32_t idle = count_alive(t) - count_busy(t);
    double now = clock_seconds();
    if (t->pausing)
        return;
    for (uint32_t n = 0; n < idle && !t->queue.n; n++) {
        SharedWorker *most = NULL;
        for (uint32_t i = 0; i < t->members.n; i++) {
            SharedWorker *w = &t->shared->workers[i];
            bool may =
                t->members.v[i].busy && atomic_load(&w->asked) != ASKED_PART && atomic_load(&w->pending) > 1;
            if (may && (!most || atomic_load(&w->pending) > atomic_load(&most->pending)))
                most = w;
        }
        if (most)
            atomic_store(&most->asked, ASKED_PART);
    }
    for (uint32_t i = 0; i < t->members.n && !t->together; i++) {
        uint32_t nothing = ASKED_NOTHING;
        bool often = t->x->test.pauses && rng_below(&t->x->lane->frontier.rng, 2);
        if (t->members.v[i].busy && (often || now - t->members.v[i].heard > CHECKPOINT_SECONDS))
            atomic_compare_exchange_strong(&t->shared->workers[i].asked, &nothing, ASKED_CHECKPOINT);
    }
}

/* ---- what members say ------------------------------------------------------------------------ */

static bool take_run(Team *t, Member *m, const Str *body)
{
    uint64_t path;
    t->reports = true;
    bool ok = run_take(t->x, &t->reported, &t->runs, body, &path);
    t->reports = false;
    if (ok)
        vec_push(&m->reported, path);
    return ok;
}

static bool take_facts(Team *t, const Str *body)
{
    t->reports = true;
    bool ok = facts_take(t->x, body);
    t->reports = false;
    return ok;
}

static bool take_checkpoint(Team *t, Member *m, const Str *body)
{
    Str left = {0}, given = {0};
    bool bounded = false, ok = checkpoint_read(t->x, t->ledger, body, &left, &given, &bounded);
    if (!ok) {
        str_free(&left);
        str_free(&given);
        return false;
    }
    str_free(&m->account);
    vec_clear(&m->reported);
    if (!left.n)
        str_free(&left); /* its room */
    m->account = left;
    m->heard = clock_seconds();
    m->busy = left.n != 0 && !bounded;
    if (given.n)
        vec_push(&t->queue, given);
    else
        str_free(&given);
    if (bounded) {
        vec_push(&t->queue, m->account);
        m->account = (Str){0};
        t->bounded = true;
    }
    return true;
}

static bool take_gift(Team *t, Str *body)
{
    vec_push(&t->queue, *body);
    *body = (Str){0};
    return true;
}

static bool take_idle(Team *t, Member *m, const Str *body)
{
    bool bounded = body->n && body->v[0];
    m->busy = false;
    t->bounded |= bounded;
    return body->n == 1;
}

/* Of a member whose checkpoints are made with those of the others. */
static bool take_together(Team *t, Member *m, MessageKind kind, Str *body)
{
    switch (kind) {
    case MESSAGE_GIFT: return take_gift(t, body);
    case MESSAGE_IDLE: return take_idle(t, m, body);
    case MESSAGE_CHECKPOINT: return pause_take(t, m, body);
    default: return false;
    }
}

/* False: the member is lost. */
static bool listen_to(Team *t, Member *m)
{
    MessageKind kind;
    Str body = {0};
    bool bad = false, open = channel_fill(&m->channel);
    while (!bad && channel_next(&m->channel, &kind, &body, &bad)) {
        if (kind == MESSAGE_RUN)
            bad = !take_run(t, m, &body);
        else if (kind == MESSAGE_NOTES)
            bad = !t->x->options.noted || !t->x->options.noted(t->x->options.context, body.v, body.n);
        else if (kind == MESSAGE_FACTS)
            bad = !take_facts(t, &body);
        else if (t->together)
            bad = !take_together(t, m, kind, &body);
        else
            bad = kind != MESSAGE_CHECKPOINT || !take_checkpoint(t, m, &body);
    }
    str_free(&body);
    return open && !bad;
}

void parallel_listen(Team *t)
{
    struct pollfd fds[WORKERS_MOST];
    for (uint32_t i = 0; i < t->members.n; i++)
        fds[i] =
            (struct pollfd){.fd = t->members.v[i].pid ? t->members.v[i].channel.fd : -1, .events = POLLIN};
    poll(fds, t->members.n, WAIT_MILLISECONDS);
    for (uint32_t i = 0; i < t->members.n; i++)
        if (t->members.v[i].pid && fds[i].revents && !listen_to(t, &t->members.v[i]))
            lose(t, &t->members.v[i]);
}

/* ---- the exploration ------------------------------------------------------------------------- */

/* What is left is pending here again. Bytes that were read once, or written here, are well. */
static void take_back(Team *t)
{
    for (uint32_t i = 0; i < t->queue.n; i++) {
        if (t->queue.v[i].n && !tasks_read(t->x, t->queue.v[i].v, t->queue.v[i].n))
            ledger_add(t->ledger, LEDGER_UNSUPPORTED, IR_NONE, "what a process left undone cannot be read");
        str_free(&t->queue.v[i]);
    }
    vec_free(&t->queue);
}

static void lend(Explore *x, const Str *tasks)
{
    if (tasks->n && !tasks_read(x, tasks->v, tasks->n))
        bug("tasks that were written cannot be read");
}

bool parallel_lend(Explore *x)
{
    Team *t = x->team;
    if (t->reports)
        return false;
    const StrList *queue = t->together ? &t->safe : &t->queue;
    x->lane->ledger = t->ledger;
    for (uint32_t i = 0; i < queue->n; i++)
        lend(x, &queue->v[i]);
    for (uint32_t i = 0; i < t->members.n; i++) {
        lend(x, &t->members.v[i].account);
        note_reported(x, &t->members.v[i]);
    }
    return true;
}

void parallel_return(Explore *x)
{
    FrontierPlace at = {0};
    for (Task *task; (task = frontier_next(&x->lane->frontier, &at));)
        task_release(x->lane->vm, task);
    frontier_clear(&x->lane->frontier);
    x->lane->ledger = x->team->scratch;
}

static void dismiss(Team *t)
{
    for (uint32_t i = 0; i < t->members.n; i++)
        if (t->members.v[i].pid)
            end_member(t, &t->members.v[i]);
    vec_free(&t->members);
    marks_free(&t->reported);
    munmap(t->shared, sizeof *t->shared);
}

static void progress(Team *t)
{
    uint64_t pending = 0, runs = 0, explored = 0;
    for (uint32_t i = 0; i < t->members.n; i++) {
        pending += atomic_load(&t->shared->workers[i].pending);
        runs += atomic_load(&t->shared->workers[i].runs);
        explored += atomic_load(&t->shared->workers[i].explored);
    }
    t->x->elsewhere = pending;
    t->x->runs_elsewhere = runs;
    t->x->explored_elsewhere = explored;
    explore_progress(t->x);
}

uint32_t explore_workers(const Explore *x) { return x->team ? x->team->members.n : 0; }

ExploreWorker explore_worker(const Explore *x, uint32_t number)
{
    const Member *m = &x->team->members.v[number];
    SharedWorker *w = &x->team->shared->workers[number];
    return (ExploreWorker){.runs = atomic_load(&w->all_runs),
                           .pending = m->busy ? atomic_load(&w->pending) : 0,
                           .idle = !m->busy,
                           .gone = !m->pid};
}

/* For tests: as the kernel does it when memory is used up. */
static void kill_one(Team *t, unsigned *kills)
{
    enum { ONE_OF = 8 };
    Frontier *f = &t->x->lane->frontier;
    Member *m = &t->members.v[rng_below(&f->rng, t->members.n)];
    if (*kills && m->busy && !rng_below(&f->rng, ONE_OF)) {
        kill(m->pid, SIGKILL);
        --*kills;
    }
}

/* The lane beside this one has finished: what this one has left need not be done. */
static bool is_superseded(Explore *x) { return x->beside && beside_listen(x, &x->lanes[1]) == BESIDE_DONE; }

/* Until no member has anything to do, or a bound is met. */
static void coordinate(Team *t)
{
    Explore *x = t->x;
    double end = 0;
    while (count_alive(t) && !t->broken && (count_busy(t) || hands_out(t))) {
        enum { SECONDS_TO_END = 5 };
        bool ends = explore_is_late(x) || x->over;
        if (ends && t->together)
            break;
        if (ends && !t->shared->stop) {
            t->shared->stop = true;
            end = clock_seconds() + SECONDS_TO_END;
        }
        if (is_superseded(x))
            break;
        hand_out(t);
        kill_one(t, &x->test.kills);
        parallel_listen(t);
        if (t->together)
            pause_now_and_then(t);
        ask(t);
        progress(t);
        if (t->shared->stop && clock_seconds() > end)
            break;
    }
}

/* Nothing is pending in the end, or it is known what. */
static void coordinate_together(Team *t)
{
    do {
        coordinate(t);
        if (is_superseded(t->x))
            return;
        t->more = false;
        pause_finish(t);
    } while (t->more && !t->broken);
}

/* What comes back is for this process alone, unless a member died whose work the others can do, or the
 * explorer has more to do (Explorer.more). */
static bool may_begin_again(const Team *t)
{
    return t->together && !t->bounded && !t->x->over && !explore_is_late(t->x);
}

/* False: no process could be forked. */
static bool explore_by(Team *t, uint32_t jobs)
{
    Explore *x = t->x;
    for (uint32_t i = 0; i < jobs && fork_member(t, i, jobs); i++)
        ;
    if (!t->members.n)
        return false;
    parallel_deal(t, t->members.n);
    if (t->together)
        pause_keep_queue(t);
    x->lane->ledger = t->scratch;
    explore_machines_begin(x);
    x->team = t;
    if (t->together)
        coordinate_together(t);
    else
        coordinate(t);
    x->team = NULL;
    x->lane->ledger = t->ledger;
    explore_machines_begin(x);
    x->elsewhere = x->runs_elsewhere = x->explored_elsewhere = 0;
    return true;
}

void parallel_run(Explore *x)
{
    Team t = {.x = x,
              .ledger = x->lane->ledger,
              .runs = x->counters[EXPLORE_RUNS],
              .together = x->lane->explorer->share};
    x->alone = true;
    x->ranks = true;
    t.shared = mmap(NULL, sizeof *t.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t.shared == MAP_FAILED)
        return;
    if (t.together && !pause_prepare(&t)) {
        munmap(t.shared, sizeof *t.shared);
        return;
    }
    atomic_store(&t.shared->runs, x->counters[EXPLORE_RUNS]);
    t.scratch = ledger_new();
    x->alone = !explore_by(&t, count_wanted(x)) || !may_begin_again(&t);
    dismiss(&t);
    if (t.together)
        pause_close(&t);
    take_back(&t);
    ledger_free(t.scratch);
}
