/* beside.c - the second lane of a portfolio in a process of its own: see portfolio.c, parallel.h.
 *
 * Where two lanes take turns in one process, both together cost twice what the better one costs; in two
 * processes the better one takes the time that it takes. The process of the second lane reports faults at
 * once. The inputs of its other runs it keeps: they are told, to become tests, when it has finished, and then
 * the first lane is given up. If the first finishes before, the process is ended. */
#include "explore/parallel.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Beside {
    pid_t pid;
    Channel channel;
    Shared *shared;
    Explore *x;         /* of the process itself: */
    Vec(Origin *) held; /* of runs that are no tests yet */
    BesideNews news;    /* the last: once it is not busy, that stays */
} Beside;

/* ---- the process ----------------------------------------------------------------------------- */

static void tell_run(Beside *b, const ExprInput *input)
{
    Str body = {0};
    run_write(b->x, &(ExploreRun){.input = input}, &body);
    if (!channel_send(&b->channel, MESSAGE_RUN, &body))
        _exit(1);
    str_free(&body);
}

static void on_run(void *context, const ExploreRun *run)
{
    Beside *b = context;
    const VmResult *r = &run->trace->result;
    bool fault =
        r->ending == VM_END_FAULT && !marks_set(&b->x->lane->faults, hash_mix(r->fault + 1, r->site), 1, 1);
    if (fault)
        tell_run(b, run->input);
    else if (!run->repeated)
        vec_push(&b->held, origin_new(run->input));
}

static bool lane_finishes(Explore *x)
{
    Task task;
    while (!explore_is_late(x)) {
        if (!frontier_take(&x->lane->frontier, &task)) {
            if (!x->lane->explorer->more || !x->lane->explorer->more(x))
                return !explore_is_late(x);
            continue;
        }
        if (!explore_take(x, &task))
            return false;
        task_release(x->lane->vm, &task);
        explore_keep_within_memory(x);
    }
    return false;
}

/* If it has begun already, it goes on where it was. */
static void begin_lane(Beside *b, Explore *x)
{
    Lane *lane = &x->lanes[1];
    x->lanes[0].active = false; /* the coordinator has it */
    if (lane->active) {
        x->lane = lane;
        for (uint32_t i = 0; i < lane->held.n; i++)
            vec_push(&b->held, origin_hold(lane->held.v[i].origin));
        return;
    }
    lane_begin(x, lane, x->lanes[0].explorer->beside, false);
    vm_coverage_add(lane->vm, x->lanes[0].vm);
    frontier_file_first(&lane->frontier);
}

static _Noreturn void beside_run(Beside *b, Explore *x)
{
    b->x = x;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    x->options.on_run = on_run;
    x->options.context = b;
    x->options.on_progress = NULL;
    x->options.stop = x->options.vm.interrupt = &b->shared->stop;
    x->options.jobs = 1;
    x->options.max_memory /= 2;
    x->checker = NULL;
    x->checker_known = false;
    begin_lane(b, x);
    memset(x->counters, 0, sizeof x->counters);
    x->solver_seconds = x->machine_seconds = x->guidance_seconds = 0;
    if (!lane_finishes(x) || lane_is_out_of_memory(x->lane))
        _exit(0); /* nothing that the first lane does not do */
    for (uint32_t i = 0; i < b->held.n; i++)
        tell_run(b, &b->held.v[i]->input);
    Str body = {0}, none = {0}; /* nothing is left */
    checkpoint_write(x, false, false, &body, &none, &none);
    wire_bytes(&body, "", 0);
    wire_bytes(&body, "", 0);
    channel_send(&b->channel, MESSAGE_CHECKPOINT, &body);
    _exit(0);
}

/* ---- the first lane's side ------------------------------------------------------------------- */

bool beside_fork(Explore *x)
{
    int fds[2];
    Beside *b = mem_zalloc(sizeof *b);
    b->shared = mmap(NULL, sizeof *b->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b->shared == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) {
        mem_free(b);
        return false;
    }
    fflush(NULL); /* what is buffered would be written twice */
    b->pid = fork();
    if (!b->pid) {
        close(fds[0]);
        b->channel.fd = fds[1];
        beside_run(b, x);
    }
    close(fds[1]);
    b->channel.fd = fds[0];
    x->beside = b;
    if (b->pid < 0)
        beside_end(x);
    return b->pid > 0;
}

void beside_end(Explore *x)
{
    Beside *b = x->beside;
    if (!b)
        return;
    if (b->pid > 0) {
        kill(b->pid, SIGKILL);
        waitpid(b->pid, NULL, 0);
    }
    close(b->channel.fd);
    munmap(b->shared, sizeof *b->shared);
    str_free(&b->channel.pending);
    mem_free(b);
    x->beside = NULL;
}

/* A run of the second lane: it is run again on that lane's machine here. */
static bool take_run(Explore *x, Lane *second, const Str *body)
{
    ExprInput input = {0};
    Lane *lane = x->lane;
    x->lane = second;
    bool ok = run_read(x, body, &input);
    if (ok)
        explore_report_again(x, &input, NULL, x->counters[EXPLORE_RUNS] + 1);
    x->lane = lane;
    expr_input_free(&input);
    return ok;
}

/* For tests: as the kernel does it when memory is used up. */
static void kill_now_and_then(Explore *x)
{
    enum { ONE_OF = 4 };
    if (x->test.kills && !rng_below(&x->lanes[0].frontier.rng, ONE_OF)) {
        kill(x->beside->pid, SIGKILL);
        x->test.kills--;
    }
}

static BesideNews take_news(Explore *x, Beside *b, Lane *second)
{
    MessageKind kind;
    Str body = {0}, none = {0};
    bool bad = false, bounded, open = true, done = false;
    struct pollfd ready = {.fd = b->channel.fd, .events = POLLIN};
    kill_now_and_then(x);
    if (poll(&ready, 1, x->test.waits ? -1 : 0) > 0)
        open = channel_fill(&b->channel);
    while (!bad && !done && channel_next(&b->channel, &kind, &body, &bad)) {
        Lane *lane = x->lane;
        uint64_t paths = x->counters[EXPLORE_PATHS];
        x->lane = second;
        if (kind == MESSAGE_RUN)
            bad = !take_run(x, second, &body);
        else
            done = kind == MESSAGE_CHECKPOINT &&
                   checkpoint_read(x, second->ledger, &body, &none, &none, &bounded);
        if (done) /* counted when they were reported here */
            x->counters[EXPLORE_PATHS] = paths;
        bad |= kind == MESSAGE_CHECKPOINT && !done;
        x->lane = lane;
    }
    str_free(&body);
    str_free(&none);
    return done ? BESIDE_DONE : bad || !open ? BESIDE_GONE : BESIDE_BUSY;
}

BesideNews beside_listen(Explore *x, Lane *second)
{
    Beside *b = x->beside;
    if (b->news == BESIDE_BUSY)
        b->news = take_news(x, b, second);
    return b->news;
}
