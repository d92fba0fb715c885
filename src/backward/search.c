/* search.c - alternating variables: one word of the input after the other is moved as long as runs come
 * nearer. See backward.h. */
#include "backward/backward.h"

typedef struct Climb {
    const BackwardClimb *over;
    BackwardNear best;
    uint32_t runs;
    bool done;
} Climb;

static u128 word_get(const ExprInput *input, BackwardWord w)
{
    u128 value = 0;
    for (uint32_t i = 0; i < w.bytes; i++)
        value |= (u128)expr_input_byte(input, w.at + i) << 8 * i;
    return value;
}

static void word_set(ExprInput *input, BackwardWord w, u128 value)
{
    for (uint32_t i = 0; i < w.bytes; i++)
        expr_input_set_byte(input, w.at + i, (uint8_t)(value >> 8 * i));
}

/* Runs the input as it is; true if it is nearer than the best, which it is then. */
static bool attempt(Climb *c, ExprInput *input)
{
    BackwardNear near;
    if (c->done || c->runs >= c->over->most || !c->over->run(c->over->context, input, &near)) {
        c->done = true;
        return false;
    }
    c->runs++;
    c->done = near.reached;
    if (!near.reached && !backward_is_nearer(&near, &c->best))
        return false;
    c->best = near;
    return true;
}

/* Steps that double while runs come nearer; true if one did. */
static bool move(Climb *c, ExprInput *input, BackwardWord w, bool up)
{
    u128 by = 1;
    bool any = false;
    for (unsigned i = 0; i < 8 * w.bytes && !c->done; i++, by += by) {
        u128 before = word_get(input, w);
        word_set(input, w, up ? before + by : before - by);
        if (!attempt(c, input)) {
            word_set(input, w, before);
            break;
        }
        any = true;
    }
    return any;
}

/* All moves of one word, until none helps. */
static bool alternate(Climb *c, ExprInput *input, BackwardWord w)
{
    bool any = false;
    for (bool again = true; again && !c->done;) {
        again = move(c, input, w, true) || move(c, input, w, false);
        any |= again;
    }
    return any;
}

uint32_t backward_climb(const BackwardClimb *over, ExprInput *input, BackwardNear *near)
{
    Climb c = {.over = over};
    BackwardWords words = {0};
    c.best = (BackwardNear){.level = UINT32_MAX};
    attempt(&c, input);
    for (bool again = true; again && !c.done;) {
        again = false;
        over->words(over->context, &words); /* of the last run, which the input may have changed */
        for (uint32_t i = 0; i < words.n && !c.done; i++)
            again |= alternate(&c, input, words.v[i]);
    }
    vec_free(&words);
    *near = c.best;
    return c.runs;
}
