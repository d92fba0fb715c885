/* remote.c - an exploration whose regions lie on a board, for workers on any machine: see parallel.h.
 *
 * The process that asks for it posts one region, everything, and reads what workers say, as a coordinator
 * does that has forked them. A worker makes a checkpoint every few seconds, and at its end. */
#include "explore/parallel.h"

/* ---- the process that asks ------------------------------------------------------------------- */

typedef struct Gathering {
    Explore *x;
    Ledger *ledger; /* of the exploration; runs that are made again here have another one */
    Marks reported;
    uint64_t runs;
    bool bad; /* a message was none */
} Gathering;

static void take_counts(Gathering *g, Str *body)
{
    Str left = {0}, given = {0};
    bool bounded = false;
    wire_bytes(body, "", 0); /* what is left, and given away, is not told here */
    wire_bytes(body, "", 0);
    g->bad |= !checkpoint_read(g->x, g->ledger, body, &left, &given, &bounded);
    str_free(&left);
    str_free(&given);
}

static void take_message(void *to, const void *bytes, size_t n)
{
    Gathering *g = to;
    Str body = {0};
    if (!n || g->bad) {
        g->bad = true;
        return;
    }
    uint64_t path;
    str_add_n(&body, (const char *)bytes + 1, n - 1);
    switch (*(const uint8_t *)bytes) {
    case MESSAGE_RUN: g->bad |= !run_take(g->x, &g->reported, &g->runs, &body, &path); break;
    case MESSAGE_FACTS: g->bad |= !facts_take(g->x, &body); break;
    default: take_counts(g, &body);
    }
    str_free(&body);
}

static void post(Explore *x, const ExploreBoard *board)
{
    TaskList all = {0};
    Str region = {0};
    tasks_by_depth(&x->lane->frontier, &all);
    tasks_write(x, all.v, all.n, &region);
    vec_free(&all);
    frontier_free(&x->lane->frontier, x->lane->vm);
    board->post(board->context, &region, x->options.max_runs);
    str_free(&region);
}

static bool out_of_runs(const Explore *x)
{
    return x->options.max_runs && x->counters[EXPLORE_RUNS] >= x->options.max_runs;
}

/* True: all is done. */
static bool gather(Gathering *g, const ExploreBoard *board)
{
    static const double between = 0.5;
    Explore *x = g->x;
    for (;;) {
        bool done = board->is_done(board->context); /* asked first: then all can be read */
        if (!board->read(board->context, take_message, g) || g->bad)
            return false;
        if (done)
            return true;
        if (explore_is_late(x) || x->over || (out_of_runs(x) && board->is_out_of_runs(board->context)))
            return false;
        explore_progress(x);
        board->wait(board->context, between);
    }
}

/* Why it ended before all was done. */
static void note_end(Gathering *g, const char *failure)
{
    Explore *x = g->x;
    if (g->bad)
        ledger_add(x->lane->ledger, LEDGER_UNSUPPORTED, IR_NONE, "what a worker says cannot be read");
    else if (failure)
        ledger_add(x->lane->ledger, LEDGER_FLEET, IR_NONE, "%s", failure);
    else if (x->over)
        ledger_add(x->lane->ledger, x->over_why, IR_NONE, "%s", x->over_detail);
    else if (out_of_runs(x))
        ledger_add(x->lane->ledger, LEDGER_RUNS, IR_NONE, ", %llu", (unsigned long long)x->options.max_runs);
    else
        explore_out_of_time(x);
}

bool remote_run(Explore *x)
{
    const ExploreBoard *board = x->options.board;
    Gathering g = {.x = x, .ledger = x->lane->ledger};
    Ledger *scratch = ledger_new();
    x->ranks = true;
    post(x, board);
    x->lane->ledger = scratch;
    explore_machines_begin(x);
    bool done = gather(&g, board);
    x->lane->ledger = g.ledger;
    explore_machines_begin(x);
    ledger_free(scratch);
    if (!done) {
        board->pause(board->context);
        note_end(&g, board->failure(board->context));
    }
    marks_free(&g.reported);
    return done;
}

/* ---- a worker -------------------------------------------------------------------------------- */

typedef struct Serving {
    Explore *x;
    const ExploreBoard *board;
    bool (*wants)(void *context, const ExploreRun *run);
    void *context;
    uint64_t runs;     /* that may be made until the next checkpoint */
    Vec(Str) messages; /* for that */
    FactPlace told;    /* of what the explorer has found */
} Serving;

static Str *message(Serving *s, MessageKind kind)
{
    vec_push(&s->messages, (Str){0});
    Str *body = &vec_last(&s->messages);
    str_add_char(body, (char)kind);
    return body;
}

static void on_run(void *context, const ExploreRun *run)
{
    Serving *s = context;
    if (run->repeated || (s->wants && !s->wants(s->context, run)))
        return;
    run_write(s->x, run, message(s, MESSAGE_RUN));
}

/* Behind the run that showed them: the reader of both asks of the run whether it is a new row. */
static void tell_facts(Serving *s)
{
    Str body = {0};
    str_add_char(&body, (char)MESSAGE_FACTS);
    if (facts_tell(s->x, &s->told, &body))
        vec_push(&s->messages, body);
    else
        str_free(&body);
}

static void forget_messages(Serving *s)
{
    for (uint32_t i = 0; i < s->messages.n; i++)
        str_free(&s->messages.v[i]);
    vec_clear(&s->messages);
}

/* False: the region is another's now, or is not wanted. */
static bool check_in(Serving *s, bool cut, bool gives)
{
    Explore *x = s->x;
    Str left = {0}, given = {0};
    uint64_t runs = x->counters[EXPLORE_RUNS], explored = frontier_explored(&x->lane->frontier);
    checkpoint_write(x, false, gives, message(s, MESSAGE_CHECKPOINT), &left, &given);
    ExploreCheckIn c = {.messages = s->messages.v,
                        .nmessages = s->messages.n,
                        .left = left.n ? &left : NULL,
                        .given = given.n ? &given : NULL,
                        .runs = runs,
                        .explored = explored,
                        .needs_run = cut && !s->runs};
    bool ok = s->board->check_in(s->board->context, &c, &s->runs);
    forget_messages(s);
    str_free(&left);
    str_free(&given);
    return ok;
}

/* For tests: small explorations are shared, too. */
static bool is_due(const Explore *x)
{
    return x->options.fork_after && x->counters[EXPLORE_RUNS] >= x->options.fork_after;
}

/* True: it was cut off before, since time or runs are used up. */
static bool work_until(Serving *s, double end)
{
    Explore *x = s->x;
    Task task;
    while (clock_seconds() < end && !is_due(x) && !explore_is_late(x) &&
           frontier_take(&x->lane->frontier, &task)) {
        if (!explore_take(x, &task)) {
            frontier_file_part(&x->lane->frontier, task, 1);
            return true;
        }
        task_release(x->lane->vm, &task);
        tell_facts(s);
        explore_keep_within_memory(x);
    }
    return false;
}

/* The first checkpoint comes soon, later ones when another worker waits, or after some seconds: to ask costs
 * little, a checkpoint writes all that is pending. False as of check_in: then what this process believes to
 * be covered may be covered by no test. */
static bool work(Serving *s)
{
    static const double pause = 0.25, most = 4;
    Explore *x = s->x;
    double last = clock_seconds(), span = pause;
    bool ours = true;
    while (ours && frontier_size(&x->lane->frontier)) {
        bool cut = work_until(s, clock_seconds() + pause);
        uint64_t pending = frontier_size(&x->lane->frontier);
        bool gives = pending > 1 && s->board->others_wait(s->board->context);
        if (pending && !cut && !gives && !is_due(x) && !explore_is_late(x) && clock_seconds() - last < span)
            continue;
        ours = check_in(s, cut, gives);
        last = clock_seconds();
        span = span < most ? 2 * span : most;
        if (explore_is_late(x)) /* the next claim of the region has what is left of it */
            break;
    }
    frontier_free(&x->lane->frontier, x->lane->vm);
    return ours;
}

bool explore_serve(Explore *x, const ExploreBoard *board)
{
    Serving s = {.x = x, .board = board, .wants = x->options.wants, .context = x->options.context};
    Str region = {0};
    x->started = clock_seconds();
    x->ranks = true;
    x->options.on_run = on_run;
    x->options.context = &s;
    x->options.selects = true;
    x->options.on_progress = NULL;
    x->allowed = &s.runs;
    bool ours = true;
    while (ours && !explore_is_late(x) && board->claim(board->context, &region, &s.runs)) {
        ours = tasks_read(x, region.v, region.n);
        if (ours)
            ours = work(&s);
        else
            board->refuse(board->context, "a part of it cannot be read");
        vec_clear(&region);
    }
    str_free(&region);
    forget_messages(&s);
    vec_free(&s.messages);
    x->ended = clock_seconds();
    return ours;
}
