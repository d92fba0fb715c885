/* pause.c - checkpoints that all processes make together: see parallel.h.
 *
 * The coordinator tells each member to pause. Each answers with a checkpoint: what it counted and found since
 * the last pause, what it has learnt, and all that it has to do; then it waits. When the last one has
 * answered, all of it is one state of the exploration: nothing that a process left out because another had
 * filed it is missing. The coordinator keeps that state, tells each what the others have learnt, and all go
 * on. */
#include "explore/parallel.h"

enum { SECONDS_BETWEEN = 5, SHARE = 10 /* pauses take a small part of the time */ };

/* ---- a member's checkpoint --------------------------------------------------------------------- */

static void tell(Explore *x, Str *out)
{
    Saving s;
    saving_begin(&s, x);
    x->lane->explorer->tell(x, &s);
    saving_end(&s, out);
}

static bool hear(Explore *x, const uint8_t *bytes, uint32_t n)
{
    Loading l;
    if (loading_begin(&l, x, bytes, n))
        x->lane->explorer->hear(x, &l);
    return loading_end(&l);
}

/* What a process may go on with: how many runs all have made, what the explorer says, and whether it has
 * begun something for which there are no tasks yet. */
static bool read_go_on(Explore *x, const Str *body, bool *more)
{
    Wire in = wire_of(body->v, body->n);
    uint32_t n;
    x->runs_elsewhere = wire_get(&in);
    *more = wire_get_below(&in, 2);
    const uint8_t *bytes = wire_get_bytes(&in, &n);
    return wire_ended(&in) && hear(x, bytes, n);
}

bool pause_worker(Explore *x, Channel *c, bool bounded, bool *more)
{
    Str body = {0}, counts = {0}, left = {0}, given = {0}, learnt = {0};
    MessageKind kind;
    tell(x, &learnt);
    checkpoint_write(x, bounded, false, &counts, &left, &given);
    wire_bytes(&counts, str_text(&left), left.n);
    wire_bytes(&counts, str_text(&given), given.n);
    wire_uint(&body, x->torn);
    wire_bytes(&body, str_text(&counts), counts.n);
    wire_bytes(&body, str_text(&learnt), learnt.n);
    bool ok = channel_send(c, MESSAGE_CHECKPOINT, &body) && channel_receive(c, &kind, &body) &&
              kind == MESSAGE_GO_ON && read_go_on(x, &body, more);
    vec_clear(&learnt);
    tell(x, &learnt); /* what was heard need not be told */
    str_free(&body);
    str_free(&counts);
    str_free(&left);
    str_free(&given);
    str_free(&learnt);
    return ok;
}

/* ---- the coordinator --------------------------------------------------------------------------- */

bool pause_prepare(Team *t)
{
    Explore *x = t->x;
    t->due = clock_seconds() + SECONDS_BETWEEN;
    if (!x->lane->explorer->share(x))
        return false;
    if (shared_marks_share(&x->paths))
        return true;
    x->lane->explorer->unshare(x);
    return false;
}

/* A member has gone, or has gone wrong: all begin again with one less. */
static void break_up(Team *t)
{
    t->x->lost += !t->broken;
    t->broken = true;
}

static void free_tasks(StrList *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        str_free(&list->v[i]);
    vec_free(list);
}

static void add_tasks(StrList *list, const Str *tasks)
{
    Str copy = {0};
    str_add_n(&copy, str_text(tasks), tasks->n);
    vec_push(list, copy);
}

void pause_keep_queue(Team *t)
{
    for (uint32_t i = 0; i < t->queue.n; i++)
        add_tasks(&t->safe, &t->queue.v[i]);
}

static bool add_member(Team *t, Member *m)
{
    Explore *x = t->x;
    Wire in = wire_of(m->checkpoint.v, m->checkpoint.n);
    Str counts = {0}, left = {0}, given = {0};
    bool bounded = false;
    uint32_t n;
    x->torn |= wire_get_below(&in, 2);
    const uint8_t *bytes = wire_get_bytes(&in, &n);
    str_add_n(&counts, (const char *)bytes, n);
    bytes = wire_get_bytes(&in, &n);
    bool ok = wire_ended(&in) && checkpoint_read(x, t->ledger, &counts, &left, &given, &bounded) &&
              hear(x, bytes, n);
    if (ok && left.n)
        vec_push(&t->safe, left);
    else
        str_free(&left);
    t->bounded |= bounded;
    vec_clear(&m->reported);
    str_free(&m->checkpoint);
    str_free(&counts);
    str_free(&given);
    return ok;
}

/* Nothing is pending anywhere. If the explorer has more to do, that is for the members, who have the runs. */
static bool has_more(Team *t)
{
    Explore *x = t->x;
    bool any = t->safe.n || t->bounded || x->over || explore_is_late(x);
    if (any || !x->lane->explorer->more)
        return false;
    x->lane->ledger = t->ledger;
    bool more = x->lane->explorer->more(x);
    x->lane->ledger = t->scratch;
    if (more) {
        parallel_deal(t, 1);
        pause_keep_queue(t);
    }
    return more;
}

static void go_on(Team *t)
{
    Str body = {0}, news = {0};
    tell(t->x, &news);
    wire_uint(&body, t->x->counters[EXPLORE_RUNS]);
    wire_uint(&body, t->more);
    wire_bytes(&body, str_text(&news), news.n);
    for (uint32_t i = 0; i < t->members.n; i++) {
        Member *m = &t->members.v[i];
        m->pauses = false;
        m->busy |= t->more; /* with what follows from the runs that it has */
        atomic_store(&t->shared->workers[i].asked, ASKED_NOTHING); /* before it goes on */
        if (!channel_send(&m->channel, MESSAGE_GO_ON, &body))
            break_up(t);
    }
    str_free(&body);
    str_free(&news);
}

/* What was to be done is kept until all is known that is. A checkpoint that cannot be read is that of a
 * member that has gone wrong. */
static void end(Team *t)
{
    Explore *x = t->x;
    StrList before = t->safe;
    t->safe = (StrList){0};
    pause_keep_queue(t);
    for (uint32_t i = 0; i < t->members.n && !t->broken; i++)
        if (!add_member(t, &t->members.v[i]))
            break_up(t);
    free_tasks(t->broken ? &t->safe : &before);
    if (t->broken) {
        t->safe = before;
        return;
    }
    x->lane->explorer->keep(x);
    shared_marks_keep(&x->paths);
    t->more = has_more(t);
    go_on(t);
    t->pausing = false;
    double now = clock_seconds(), between = SHARE * (now - t->begun);
    t->due = now + (between > SECONDS_BETWEEN ? between : SECONDS_BETWEEN);
}

static void begin(Team *t)
{
    Str none = {0};
    t->pausing = true;
    t->begun = clock_seconds();
    for (uint32_t i = 0; i < t->members.n; i++) {
        atomic_store(&t->shared->workers[i].asked, ASKED_PAUSE);
        if (!channel_send(&t->members.v[i].channel, MESSAGE_PAUSE, &none))
            break_up(t);
    }
}

bool pause_take(Team *t, Member *m, Str *body)
{
    if (!t->pausing || m->pauses)
        return false;
    m->pauses = true;
    str_free(&m->checkpoint);
    m->checkpoint = *body;
    *body = (Str){0};
    return true;
}

static bool all_pause(const Team *t)
{
    for (uint32_t i = 0; i < t->members.n; i++)
        if (!t->members.v[i].pauses)
            return false;
    return true;
}

static bool is_time(Team *t)
{
    enum { ONE_OF = 8 };
    if (t->x->test.pauses) /* often, by chance */
        return !rng_below(&t->x->lane->frontier.rng, ONE_OF);
    return clock_seconds() > t->due;
}

void pause_now_and_then(Team *t)
{
    if (t->broken)
        return;
    if (!t->pausing && is_time(t))
        begin(t);
    if (t->pausing && !t->broken && all_pause(t))
        end(t);
}

/* Members are not stopped in the middle of a run at once: what follows from it would be done again. */
void pause_finish(Team *t)
{
    static const double to_end_a_run = 1, to_answer = 5;
    double begun = clock_seconds();
    bool late = explore_is_late(t->x) || t->x->over;
    if (!t->pausing && !t->broken)
        begin(t);
    while (t->pausing && !t->broken && !(late && clock_seconds() > begun + to_answer)) {
        if (late && clock_seconds() > begun + to_end_a_run)
            t->shared->stop = true;
        if (all_pause(t))
            end(t);
        else
            parallel_listen(t);
    }
}

void pause_close(Team *t)
{
    Explore *x = t->x;
    free_tasks(&t->queue);
    t->queue = t->safe;
    t->safe = (StrList){0};
    x->lane->explorer->unshare(x);
    shared_marks_end(&x->paths);
}
