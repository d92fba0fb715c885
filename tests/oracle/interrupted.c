/* interrupted.c - see interrupted.h. */
#include "interrupted.h"

static bool was_interrupted(const Explore *x)
{
    for (uint32_t i = 0; i < ledger_count(explore_ledger(x)); i++)
        if (ledger_entry(explore_ledger(x), i)->kind == LEDGER_RUNS)
            return true;
    return false;
}

static void move(const Interrupted *in, Explore *from, Explore *to)
{
    ExprImport *import = expr_import_new(explore_pool(to), explore_pool(from));
    in->move(in->options.context, import);
    expr_import_free(import);
}

/* The session that goes on where x was stopped, which is freed. */
static Explore *next_session(const Interrupted *in, Explore *x, const ExploreOptions *options)
{
    Str saved = {0};
    if (!explore_save(x, &saved))
        bug("it cannot be saved");
    Explore *next = explore_new_test(in->program, in->environment, options, &in->test);
    if (!explore_load(next, saved.v, saved.n))
        bug("what was saved cannot be loaded");
    if (in->move)
        move(in, x, next);
    explore_free(x);
    str_free(&saved);
    return next;
}

Explore *interrupted_explore(Interrupted *in)
{
    Rng rng;
    ExploreOptions options = in->options;
    rng_seed(&rng, in->options.seed);
    in->test.weighs = true;
    options.max_runs = in->after ? 1 + rng_below(&rng, in->after) : in->options.max_runs;
    Explore *x = explore_new_test(in->program, in->environment, &options, &in->test);
    explore_all(x);
    while (in->after && was_interrupted(x) &&
           (!in->options.max_runs || explore_count(x, EXPLORE_RUNS) < in->options.max_runs)) {
        options.max_runs = explore_count(x, EXPLORE_RUNS) + 1 + rng_below(&rng, in->after);
        x = next_session(in, x, &options);
        in->sessions++;
        explore_all(x);
    }
    return x;
}
