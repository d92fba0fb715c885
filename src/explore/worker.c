/* worker.c - one of several processes that explore a program: see parallel.h. */
#include "explore/parallel.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct Worker {
    Explore *x;
    Shared *shared;
    SharedWorker *mine;
    Channel channel;
    ExploreOptions options; /* of the exploration, before it became a worker's */
    FactPlace reported;     /* what the coordinator knows */
    Str notes;              /* that it does not know yet */
    uint64_t runs;          /* that it has reported */
    uint32_t workers;
    uint64_t before; /* runs that all had made when they last told each other */
    double next;     /* when it may be asked again: checkpoints take a small part of the time */
} Worker;

/* ---- depth ----------------------------------------------------------------------------------- */

static uint32_t depth_of(const Task *task) { return task->path ? task->path->length : task->bound; }

static int by_depth(const void *a, const void *b)
{
    uint32_t x = depth_of(*(Task *const *)a), y = depth_of(*(Task *const *)b);
    return x < y ? -1 : x > y;
}

void tasks_by_depth(Frontier *f, TaskList *out)
{
    FrontierPlace at = {0};
    vec_clear(out);
    for (Task *task; (task = frontier_next(f, &at));)
        vec_push(out, task);
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_depth);
}

/* ---- what a checkpoint says ------------------------------------------------------------------ */

static void write_counts(Explore *x, Str *out)
{
    for (unsigned i = 0; i < EXPLORE_COUNTER_COUNT; i++)
        wire_uint(out, x->counters[i]);
    const double seconds[] = {x->solver_seconds, x->machine_seconds, x->guidance_seconds};
    for (size_t i = 0; i < COUNT_OF(seconds); i++)
        wire_uint(out, (uint64_t)(seconds[i] * 1e6));
    ledger_write(x->lane->ledger, explore_ends_session, out);
    wire_uint(out, frontier_explored(&x->lane->frontier));
    through_write(x, out);
    vm_coverage_write(x->lane->vm, out);
}

static void forget_counts(Explore *x)
{
    memset(x->counters, 0, sizeof x->counters);
    x->cost = (ExploreCost){.work = x->work};
    x->solver_seconds = x->machine_seconds = x->guidance_seconds = 0;
    ledger_clear(x->lane->ledger);
    frontier_explored_set(&x->lane->frontier, 0);
}

bool checkpoint_read(Explore *x, Ledger *ledger, const Str *body, Str *left, Str *given, bool *bounded)
{
    Wire in = wire_of(body->v, body->n);
    uint64_t counters[EXPLORE_COUNTER_COUNT];
    uint32_t n;
    for (unsigned i = 0; i < EXPLORE_COUNTER_COUNT; i++)
        counters[i] = wire_get(&in);
    double seconds[3];
    for (size_t i = 0; i < COUNT_OF(seconds); i++)
        seconds[i] = (double)wire_get(&in) / 1e6;
    ledger_read(ledger, &in, x->program->sites.n);
    uint64_t explored = wire_get_below(&in, EXPLORE_WHOLE + 1);
    through_read(x, &in);
    vm_coverage_read(x->lane->vm, &in, false);
    *bounded = wire_get_below(&in, 2);
    const uint8_t *bytes = wire_get_bytes(&in, &n);
    str_add_n(left, (const char *)bytes, n);
    bytes = wire_get_bytes(&in, &n);
    str_add_n(given, (const char *)bytes, n);
    if (!wire_ended(&in))
        return false;
    for (unsigned i = 0; i < EXPLORE_COUNTER_COUNT; i++)
        x->counters[i] += counters[i];
    x->counters[EXPLORE_SENT] += counters[EXPLORE_RUNS];
    x->lane->frontier.explored += explored;
    x->solver_seconds += seconds[0];
    x->machine_seconds += seconds[1];
    x->guidance_seconds += seconds[2];
    return true;
}

/* ---- giving ---------------------------------------------------------------------------------- */

/* Every second task, the shallowest first: about half of the work. */
static void part(TaskList *all, TaskList *given)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->n; i++)
        if (i % 2 == 0)
            vec_push(given, all->v[i]);
        else
            all->v[kept++] = all->v[i];
    all->n = kept;
}

/* What is given away belongs to another worker from here on. */
static void drop_given(Explore *x, const TaskList *kept, const TaskList *given)
{
    TaskVec stay = {0};
    for (uint32_t i = 0; i < kept->n; i++)
        vec_push(&stay, *kept->v[i]);
    for (uint32_t i = 0; i < given->n; i++)
        task_release(x->lane->vm, given->v[i]);
    frontier_clear(&x->lane->frontier);
    for (uint32_t i = stay.n; i-- > 0;) /* the deepest is taken first again */
        frontier_file(&x->lane->frontier, stay.v[i]);
    vec_free(&stay);
}

void checkpoint_write(Explore *x, bool bounded, bool gives, Str *counts, Str *left, Str *given)
{
    TaskList kept = {0}, away = {0};
    tasks_by_depth(&x->lane->frontier, &kept);
    if (gives)
        part(&kept, &away);
    write_counts(x, counts);
    wire_uint(counts, bounded);
    if (kept.n)
        tasks_write(x, kept.v, kept.n, left);
    if (away.n)
        tasks_write(x, away.v, away.n, given);
    if (away.n)
        drop_given(x, &kept, &away);
    forget_counts(x);
    vec_free(&kept);
    vec_free(&away);
}

static void send_notes(Worker *w)
{
    if (w->notes.n && !channel_send(&w->channel, MESSAGE_NOTES, &w->notes))
        _exit(1);
    vec_clear(&w->notes);
}

/* It goes ahead: less is noted twice if this process dies. */
static void send_checkpoint(Worker *w, bool gives, bool bounded)
{
    enum { SHARE = 10, LEAST_MILLISECONDS = 20 };
    Str body = {0}, left = {0}, given = {0};
    double start = clock_seconds();
    send_notes(w);
    checkpoint_write(w->x, bounded, gives, &body, &left, &given);
    w->runs += atomic_exchange(&w->mine->runs, 0);
    atomic_store(&w->mine->explored, 0);
    wire_bytes(&body, left.v, left.n);
    wire_bytes(&body, given.v, given.n);
    if (!channel_send(&w->channel, MESSAGE_CHECKPOINT, &body))
        _exit(1);
    double now = clock_seconds(), pause = SHARE * (now - start);
    w->next = now + (pause > LEAST_MILLISECONDS / 1000.0 ? pause : LEAST_MILLISECONDS / 1000.0);
    str_free(&body);
    str_free(&left);
    str_free(&given);
}

/* ---- working --------------------------------------------------------------------------------- */

static void note(Worker *w, const ExploreRun *run)
{
    enum { MOST = 64 << 10 };
    if (w->options.note)
        w->options.note(w->options.context, run, &w->notes);
    if (w->notes.n > MOST)
        send_notes(w);
}

static void on_run(void *context, const ExploreRun *run)
{
    Worker *w = context;
    Explore *x = w->x;
    const ExploreOptions *o = &w->options;
    if (run->repeated)
        return;
    if (o->wants ? !o->wants(o->context, run) : !o->on_run) {
        note(w, run);
        return;
    }
    Str body = {0};
    run_write(x, run, &body);
    if (!channel_send(&w->channel, MESSAGE_RUN, &body))
        _exit(1);
    str_free(&body);
}

void run_write(Explore *x, const ExploreRun *run, Str *body)
{
    expr_objects_write(x->pool, body);
    expr_input_write(x->pool, run->input, body);
}

bool run_read(Explore *x, const Str *body, ExprInput *input)
{
    Wire in = wire_of(body->v, body->n);
    U32Vec objects = {0};
    bool ok = expr_objects_read(x->pool, &in, &objects) && expr_input_read(x->pool, &in, &objects, input) &&
              wire_ended(&in);
    vec_free(&objects);
    return ok;
}

/* What the explorer has found since. */
static void tell_facts(Worker *w)
{
    Str body = {0};
    if (facts_tell(w->x, &w->reported, &body) && !channel_send(&w->channel, MESSAGE_FACTS, &body))
        _exit(1);
    str_free(&body);
}

static void skip_facts(Worker *w)
{
    const Explorer *e = w->x->lane->explorer;
    uint64_t number;
    while (e->next_fact && e->next_fact(w->x, &w->reported, &number))
        ;
}

bool run_take(Explore *x, Marks *reported, uint64_t *runs, const Str *body, uint64_t *path)
{
    ExprInput input = {0};
    bool ok = run_read(x, body, &input);
    if (ok) {
        VmTrace *trace = vm_run_input(x->lane->vm, &input, NULL);
        *path = fingerprint_path(&x->fingerprints, trace);
        if (!marks_set(reported, *path, 1, 1))
            explore_report_foreign(x, trace, &input, ++*runs);
        vm_trace_free(x->lane->vm, trace);
        explore_note_functions(x, &input);
    }
    expr_input_free(&input);
    return ok;
}

/* Where checkpoints are made together, what is given away is no checkpoint. */
static void give(Worker *w)
{
    TaskList kept = {0}, away = {0};
    Str gift = {0};
    tasks_by_depth(&w->x->lane->frontier, &kept);
    part(&kept, &away);
    tasks_write(w->x, away.v, away.n, &gift);
    drop_given(w->x, &kept, &away);
    if (!channel_send(&w->channel, MESSAGE_GIFT, &gift))
        _exit(1);
    str_free(&gift);
    vec_free(&kept);
    vec_free(&away);
}

/* True: there is more to do than what was left. */
static bool pause_here(Worker *w, bool bounded)
{
    bool more;
    send_notes(w);
    w->runs += atomic_exchange(&w->mine->runs, 0);
    atomic_store(&w->mine->explored, 0);
    if (!pause_worker(w->x, &w->channel, bounded, &more))
        _exit(1);
    w->before = w->x->runs_elsewhere;
    return more;
}

/* The message is on its way. */
static void await_pause(Worker *w)
{
    Str none = {0};
    MessageKind kind;
    if (!channel_receive(&w->channel, &kind, &none) || kind != MESSAGE_PAUSE)
        _exit(1);
    pause_here(w, false);
    str_free(&none);
}

static void answer(Worker *w)
{
    uint32_t asked = atomic_load(&w->mine->asked);
    if (asked == ASKED_PAUSE) {
        await_pause(w);
        return;
    }
    uint64_t least = asked == ASKED_PART ? 2 : 1; /* with nothing left, its last checkpoint is due at once */
    if (!asked || clock_seconds() < w->next || frontier_size(&w->x->lane->frontier) < least)
        return;
    if (w->x->lane->explorer->share)
        give(w);
    else
        send_checkpoint(w, asked == ASKED_PART, false);
    atomic_compare_exchange_strong(&w->mine->asked, &asked, ASKED_NOTHING); /* to pause comes before it */
}

/* How many runs others have made counts for the bound on branch outcomes. */
static void note_others(Worker *w)
{
    w->x->runs_elsewhere = w->before;
    for (uint32_t i = 0; i < w->workers; i++)
        if (&w->shared->workers[i] != w->mine)
            w->x->runs_elsewhere += atomic_load(&w->shared->workers[i].runs);
}

/* Until nothing is pending here, or a bound is met: true. */
static bool work(Worker *w)
{
    Explore *x = w->x;
    Task task;
    while (!explore_is_late(x) && frontier_take(&x->lane->frontier, &task)) {
        if (!explore_take(x, &task)) {
            frontier_file_part(&x->lane->frontier, task, 1);
            return true;
        }
        task_release(x->lane->vm, &task);
        tell_facts(w);
        explore_keep_within_memory(x);
        atomic_store(&w->mine->pending, frontier_size(&x->lane->frontier));
        atomic_store(&w->mine->runs, x->counters[EXPLORE_RUNS]);
        atomic_store(&w->mine->all_runs, w->runs + x->counters[EXPLORE_RUNS]);
        atomic_store(&w->mine->explored, frontier_explored(&x->lane->frontier));
        note_others(w);
        answer(w);
    }
    return frontier_size(&x->lane->frontier) != 0;
}

/* A machine of its own, which the shared mark stops; nothing is pending or counted here yet. */
static void begin(Worker *w, uint32_t workers)
{
    Explore *x = w->x;
    Lane *lane = x->lane;
    const Vm *before = lane->vm;
    x->options.on_run = on_run;
    x->options.context = w;
    x->options.selects = true;
    x->options.on_progress = NULL;
    x->options.stop = x->options.vm.interrupt = &w->shared->stop;
    x->options.max_memory /= workers;
    x->options.symbolic.snapshot_bytes /= workers;
    x->runs_of_all = &w->shared->runs;
    frontier_free(&lane->frontier, lane->vm);
    lane->ledger = ledger_new();
    explore_machine_new(x, lane);
    vm_coverage_add(lane->vm, before);
    frontier_init(&lane->frontier, x->options.search, x->options.seed, lane->vm);
    x->checker = NULL; /* the coordinator's, which may have processes of its own */
    x->checker_known = false;
    x->beside = NULL; /* the coordinator's as well */
    x->runs_elsewhere = w->before = x->counters[EXPLORE_RUNS];
    forget_counts(x);
}

static void tell_idle(Worker *w, bool bounded)
{
    Str body = {0};
    str_add_char(&body, bounded);
    if (!channel_send(&w->channel, MESSAGE_IDLE, &body))
        _exit(1);
    str_free(&body);
}

/* What the coordinator says, until it is gone. */
static void serve(Worker *w)
{
    MessageKind kind;
    Str body = {0};
    bool together = w->x->lane->explorer->share, bounded = false;
    while (channel_receive(&w->channel, &kind, &body)) {
        if (kind == MESSAGE_PAUSE && together) {
            if (!pause_here(w, bounded))
                continue;
        } else if (kind != MESSAGE_WORK || !tasks_read(w->x, body.v, body.n)) {
            _exit(1);
        }
        bounded = work(w);
        atomic_store(&w->mine->pending, 0);
        if (together)
            tell_idle(w, bounded);
        else
            send_checkpoint(w, false, bounded);
    }
    str_free(&body);
}

void worker_run(Explore *x, Shared *shared, uint32_t number, uint32_t workers, int fd)
{
    Worker w = {.x = x,
                .shared = shared,
                .mine = &shared->workers[number],
                .workers = workers,
                .channel = {.fd = fd},
                .options = x->options};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* the coordinator tells */
    signal(SIGTERM, SIG_DFL);
    begin(&w, workers);
    skip_facts(&w);
    serve(&w);
    _exit(0);
}
