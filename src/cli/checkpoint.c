/* checkpoint.c - see checkpoint.h. */
#include "cli/checkpoint.h"

#include "cli/stored_faults.h"

enum { SHARE = 10 };      /* at most this part of the time goes into it */
enum { EXPLORATION = 0 }; /* the pending work of the whole */

/* ---- writing --------------------------------------------------------------------------------- */

static void done(Checkpoint *c, double begun)
{
    c->committed = clock_seconds();
    c->pause = (c->committed - begun) * SHARE;
    c->pause = c->pause > 1 ? c->pause : 1;
}

void checkpoint_commit(Checkpoint *c)
{
    Store *store = results_store(c->results);
    if (store && stored_faults_put(c->report, store))
        results_commit(c->results);
}

static void pack_counts(const Checkpoint *c, const Explore *x, Str *out)
{
    const Report *r = c->report;
    wire_uint(out, r->runs + explore_count(x, EXPLORE_RUNS));
    wire_uint(out, r->tests);
    wire_uint(out, *c->inputs);
    wire_uint(out, c->covering->steps);
    wire_uint(out, c->covering->measured);
    ranking_write(c->ranking, out);
    wire_uint(out, c->files_used->n);
    for (uint32_t i = 0; i < c->files_used->n; i++)
        wire_text(out, c->files_used->v[i]);
    wire_uint(out, r->faults.n);
    for (uint32_t i = 0; i < r->faults.n; i++)
        wire_uint(out, r->faults.v[i].count);
    wire_uint(out, r->needs.n);
    for (uint32_t i = 0; i < r->needs.n; i++)
        wire_uint(out, r->needs.v[i].count);
}

/* Counts and the exploration belong together: without the one the other stays as it was. */
static void save(Checkpoint *c, Explore *x)
{
    Str state = {0}, counts = {0};
    Store *store = results_store(c->results);
    if (store && c->whole && explore_save(x, &state)) {
        pack_counts(c, x, &counts);
        store_put(store, "counts", str_text(&counts), counts.n);
        store_work_put(store, EXPLORATION, str_text(&state), state.n);
    }
    checkpoint_commit(c);
    str_free(&state);
    str_free(&counts);
}

void checkpoint_save(Checkpoint *c, Explore *x)
{
    double begun = clock_seconds();
    if (begun < c->committed + c->pause)
        return;
    save(c, x);
    done(c, begun);
}

void checkpoint_end(Checkpoint *c, Explore *x) { save(c, x); }

/* ---- and back -------------------------------------------------------------------------------- */

/* Faults and needs that are not among the counts were found behind the checkpoint, and will be again. */
static void unpack_counts(Checkpoint *c, Wire *in)
{
    Report *r = c->report;
    r->tests = wire_get(in);
    *c->inputs = wire_get(in);
    c->covering->steps = wire_get(in);
    c->covering->measured = wire_get(in);
    ranking_read(c->ranking, in);
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--)
        vec_push(c->files_used, wire_get_text(in, r->arena));
    uint32_t faults = wire_get_count(in);
    for (uint32_t i = 0; i < faults && i < r->faults.n; i++)
        r->faults.v[i].count = wire_get(in);
    uint32_t needs = wire_get_count(in);
    for (uint32_t i = 0; i < needs && i < r->needs.n; i++)
        r->needs.v[i].count = wire_get(in);
    if (faults > r->faults.n || needs > r->needs.n)
        wire_refuse(in);
}

CheckpointKept checkpoint_load(Checkpoint *c, const char *directory, Str *state)
{
    CheckpointKept kept = {0};
    Str counts = {0};
    Store *store = results_store(c->results);
    if (!store)
        die("--resume: %s", results_failure(c->results));
    bool good = stored_faults_get(c->report, directory, store);
    for (uint32_t i = 0; i < c->report->faults.n; i++)
        c->report->faults.v[i].count = 0;
    for (uint32_t i = 0; i < c->report->needs.n; i++)
        c->report->needs.v[i].count = 0;
    kept.begins = !store_work_get(store, EXPLORATION, state) || !store_get(store, "counts", &counts);
    if (kept.begins)
        vec_clear(state);
    Wire in = wire_of(str_text(&counts), counts.n);
    if (!kept.begins) {
        kept.runs = wire_get(&in);
        unpack_counts(c, &in);
        good = good && wire_ended(&in);
    }
    if (!good || store_failure(store))
        die("--resume: %s",
            store_failure(store) ? store_failure(store) : "the store is damaged: --force begins anew");
    kept.tests = store_test_last(store);
    kept.faults = c->report->faults.n;
    str_free(&counts);
    return kept;
}
