/* dependence_state.c - the memory of `dependence`: what it takes, what moves to another pool of expressions,
 * and its end. */
#include "explore/dependence.h"

void dependence_end(Explore *x)
{
    Dependence *d = dependence_of(x);
    sinks_free(&d->sinks);
    if (d->phase > 1)
        sinks_free(&d->first);
    flips_free(&d->flips);
    run_store_free(&d->runs);
    failure_classes_free(&d->classes);
    vec_free(&d->assumed);
    filed_tasks_free(&d->filed);
    marks_free(&d->failing);
    outcomes_free(&d->outcomes);
    map_free(&d->values);
    dependence_drop_excluded(d);
    vec_free(&d->excluded);
    mem_free(d);
}

void dependence_move(Explore *x, ExprPool *to, ExprImport *import)
{
    Dependence *d = dependence_of(x);
    run_store_move(&d->runs, to);
    failure_classes_move(&d->classes, to, import);
    flips_forget(&d->flips);
    sinks_forget(&d->sinks);
    if (d->phase > 1)
        sinks_forget(&d->first);
    d->flips.pool = to;
    for (uint32_t i = 0; i < d->excluded.n; i++)
        d->excluded.v[i] = path_move(d->excluded.v[i], import);
    x->lane->bytes = dependence_bytes(d);
}

size_t dependence_bytes(const Dependence *d)
{
    size_t maps = marks_bytes(&d->filed.pairs) + marks_bytes(&d->failing) + map_bytes(&d->outcomes.taken) +
                  map_bytes(&d->values);
    return run_store_bytes(&d->runs) + failure_classes_bytes(&d->classes) + flips_bytes(&d->flips) + maps +
           d->nexcluded * sizeof(Path);
}
