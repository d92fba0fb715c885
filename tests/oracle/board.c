/* board.c - see board.h. */
#include "board.h"

static void add(BoardBytes *list, const Str *bytes)
{
    Str copy = {0};
    str_add_n(&copy, str_text(bytes), bytes->n);
    vec_push(list, copy);
}

static void forget(BoardBytes *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        str_free(&list->v[i]);
    vec_free(list);
}

/* ---- the process that asks ------------------------------------------------------------------- */

static const char *failure(void *context)
{
    (void)context;
    return NULL;
}

static bool post(void *context, const Str *region, uint64_t max_runs)
{
    Board *b = context;
    (void)max_runs;
    add(&b->regions, region);
    return true;
}

static bool read_messages(void *context, void (*each)(void *to, const void *message, size_t n), void *to)
{
    Board *b = context;
    for (; b->read < b->messages.n; b->read++)
        each(to, str_text(&b->messages.v[b->read]), b->messages.v[b->read].n);
    return true;
}

static bool is_done(void *context) { return !((Board *)context)->regions.n; }

static bool is_out_of_runs(void *context)
{
    (void)context;
    return false;
}

/* While it waits, a worker works. */
static void wait_for_news(void *context, double seconds)
{
    enum { CLAIMS_MOST = 3 };
    Board *b = context;
    (void)seconds;
    b->turns = 1 + (uint32_t)rng_below(&b->rng, CLAIMS_MOST);
    b->workers++;
    Explore *x = explore_new(b->program, b->environment, &b->options);
    explore_serve(x, &b->face);
    explore_free(x);
}

static void pause_work(void *context) { (void)context; }

/* ---- a worker -------------------------------------------------------------------------------- */

static bool claim(void *context, Str *region, uint64_t *runs)
{
    Board *b = context;
    if (!b->turns || !b->regions.n)
        return false;
    b->turns--;
    uint32_t i = (uint32_t)rng_below(&b->rng, b->regions.n);
    str_free(&b->held);
    b->held = b->regions.v[i];
    b->regions.v[i] = vec_last(&b->regions);
    b->regions.n--;
    str_add_n(region, b->held.v, b->held.n);
    *runs = UINT64_MAX;
    return true;
}

static bool others_wait(void *context) { return rng_below(&((Board *)context)->rng, 2); }

static void refuse(void *context, const char *why)
{
    (void)context;
    bug("%s", why);
}

static bool check_in(void *context, const ExploreCheckIn *c, uint64_t *runs)
{
    enum { ONE_OF = 8 };
    Board *b = context;
    bool lost = !rng_below(&b->rng, ONE_OF);
    *runs = UINT64_MAX;
    b->lost += lost;
    if (lost) {
        add(&b->regions, &b->held);
        return false;
    }
    for (uint32_t i = 0; i < c->nmessages; i++)
        add(&b->messages, &c->messages[i]);
    if (c->given)
        add(&b->regions, c->given);
    vec_clear(&b->held);
    if (c->left)
        str_add_n(&b->held, str_text(c->left), c->left->n);
    return true;
}

/* ---- a board --------------------------------------------------------------------------------- */

void board_begin(Board *b, const IrProgram *program, const VmEnvironment *environment,
                 const ExploreOptions *options)
{
    *b = (Board){.program = program, .environment = environment, .options = *options};
    rng_seed(&b->rng, options->seed);
    b->face = (ExploreBoard){.context = b,
                             .failure = failure,
                             .post = post,
                             .read = read_messages,
                             .is_done = is_done,
                             .is_out_of_runs = is_out_of_runs,
                             .wait = wait_for_news,
                             .pause = pause_work,
                             .claim = claim,
                             .others_wait = others_wait,
                             .refuse = refuse,
                             .check_in = check_in};
}

void board_end(Board *b)
{
    forget(&b->regions);
    forget(&b->messages);
    str_free(&b->held);
}
