/* dependence_file.c - a flip becomes a task.
 *
 * A task is filed once. It is the same as another if it asks for the same outcome of the same decision under
 * the same conditions; whatever run it follows from. */
#include "explore/dependence.h"

enum { TASKS_SHARE = 8 }; /* of the memory, for the conditions of tasks that follow from one run */

/* Negated conditions have fingerprints that differ in the last bit: so have the tasks for them. */
static inline uint64_t task_fingerprint(const Expansion *e, const VmDecision *d, uint64_t condition,
                                        uint64_t under)
{
    uint64_t negated = condition & 1;
    return (hash_mix(under + hash_u64(condition - negated), d->index + e->d->phase) & ~UINT64_C(1)) | negated;
}

static uint64_t condition_fingerprint(const Expansion *e, Expr condition)
{
    return fingerprint_of(&e->x->fingerprints, condition);
}

static uint64_t choice_name(const Expansion *e, const Flip *flip)
{
    return hash_mix(hash_mix(e->run->decisions[flip->decision].index, flip->name), e->d->phase);
}

/* The alternative's, for a flip that has been made: then the value that the run chose is excluded. */
static uint64_t alternative_fingerprint(const Expansion *e, const Flip *flip, const VmAlternative *alt)
{
    if (!alt->residual)
        return task_fingerprint(e, &e->run->decisions[flip->decision],
                                condition_fingerprint(e, alt->condition), flip->name);
    uint64_t name = choice_name(e, flip);
    choice_exclude(&e->d->choices, &e->x->fingerprints, name, alt->condition);
    return choice_task(&e->d->choices, name);
}

/* ---- conditions of a task ---------------------------------------------------------------------- */

/* What an input must meet that is to come so far: the assumptions before. One that would break a later one
 * may fail in between. */
static Path *add_assumed(const Expansion *e, const Flip *flip, Path *path)
{
    for (uint32_t i = 0; i < e->assumed->n && e->assumed->v[i] < flip->decision; i++) {
        const VmDecision *a = &e->run->decisions[e->assumed->v[i]];
        if (flip_keeps_all(&e->d->flips, flip, a->label)) {
            path = path_add(path, a->holds);
            e->d->flips.nodes++;
        }
    }
    return path;
}

/* ---- a task -------------------------------------------------------------------------------------- */

static uint32_t length_of(const Path *path) { return path ? path->length : 0; }

/* An outcome is looked for under a fingerprint of its own: once any run has taken it the task is dropped,
 * though that run may have failed before a sink that depends on it. The flips of such a sink are then filed
 * all the same. */
static uint64_t of_outcome(uint64_t fingerprint) { return hash_mix(fingerprint, 1); }

/* Of so many equal parts of what is left of the run's weight the task gets one. Unless time was over while
 * its conditions were listed, it is pending then. It has what the explorer knows it by. */
static void file(const Expansion *e, const Flip *flip, const VmAlternative *alt, Task task, uint32_t parts)
{
    Dependence *s = e->d;
    const VmDecision *d = &e->run->decisions[flip->decision];
    VmSnapshot *resume = e->trace ? e->trace->decisions.v[flip->decision].snapshot : NULL;
    Path *path = add_assumed(e, flip, path_hold(flip_path(&s->flips, flip)));
    if (s->flips.stopped) {
        path_drop(path);
        return;
    }
    task.choice = alt->residual ? choice_name(e, flip) : 0;
    task.path = alt->residual ? choice_path(&s->choices, task.choice, path_hold(path))
                              : path_add(path_hold(path), alt->condition);
    task.excluded = alt->residual ? length_of(task.path) - length_of(path) : 0;
    s->flips.nodes += task.excluded;
    path_drop(path);
    task.origin = origin_hold(e->run->origin);
    task.resume = resume ? vm_snapshot_hold(resume) : NULL;
    task.because = d->index;
    task.depth = flip->decision;
    task.redecide = alt->residual;
    task.site = d->site;
    task.fn = alt->fn;
    task.block = alt->block;
    filed_tasks_add(&s->filed, task.fingerprint);
    explore_bump(e->x, EXPLORE_TASKS);
    frontier_file_part(&e->x->lane->frontier, task, parts);
}

/* Of an alternative that was not filed. */
static bool too_deep(const Expansion *e, uint32_t k)
{
    if (k >= e->deep)
        ledger_add(e->x->lane->ledger, LEDGER_DEPTH, e->run->decisions[k].site, NULL);
    return k >= e->deep;
}

/* Where labels have nothing in common, the tasks of one run take the square of its decisions. Nothing is
 * expanded after such a run: the next ones would be like it, and those tasks are pending. */
static bool is_too_much(Explore *x)
{
    bool much = dependence_of(x)->flips.nodes > x->options.max_memory / TASKS_SHARE / sizeof(Path);
    if (much)
        ledger_add(x->lane->ledger, LEDGER_TASKS, IR_NONE, NULL);
    return much;
}

/* An empty task stays behind, so that something is pending. */
bool dependence_is_late(void *context)
{
    Explore *x = context;
    Dependence *d = dependence_of(x);
    d->late |= explore_is_late(x);
    bool much = !d->late && is_too_much(x);
    if (much)
        frontier_file_part(&x->lane->frontier, task_first(), 1);
    return d->late || much;
}

static bool has_residual(const StoredRun *run, const VmDecision *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (run->alternatives[d->first + i].residual)
            return true;
    return false;
}

/* The outcome that the run took needs no other run, if this one terminates normally. Else runs that take
 * another outcome ask for it, but not if it is one of those that a residual alternative stands for: they ask
 * for none that was chosen before. */
static void file_own_outcome(const Expansion *e, const Flip *flip, uint64_t fingerprint)
{
    const VmDecision *d = &e->run->decisions[flip->decision];
    VmAlternative own = {.condition = d->holds, .fn = IR_NONE, .block = IR_NONE};
    if (e->run->normal)
        filed_tasks_ran(&e->d->filed, fingerprint, true);
    else if (has_residual(e->run, d) && !filed_tasks_has(&e->d->filed, fingerprint) &&
             !too_deep(e, flip->decision))
        file(e, flip, &own, (Task){.fingerprint = fingerprint}, d->count + 1);
}

/* What a flip of the decision under these conditions will look up is fetched meanwhile. */
void dependence_prefetch(const Expansion *e, uint32_t decision, uint64_t under)
{
    const VmDecision *d = &e->run->decisions[decision];
    if (d->count)
        filed_tasks_prefetch(&e->d->filed, task_fingerprint(e, d, condition_fingerprint(e, d->holds), under));
}

static void prefetch_next(const Expansion *e)
{
    const Flips *flips = &e->d->flips;
    if (flips->current + 1 < flips->order.n)
        dependence_prefetch(e, flips->order.v[flips->current + 1].decision,
                            flips->order.v[flips->current + 1].name);
}

void dependence_file_flip(void *expansion, const Flip *flip)
{
    Expansion *e = expansion;
    Dependence *s = e->d;
    const VmDecision *d = &e->run->decisions[flip->decision];
    prefetch_next(e);
    if (!d->count || s->flips.steps.v[flip->decision].implied)
        return;
    uint64_t own = condition_fingerprint(e, d->holds), own_task = task_fingerprint(e, d, own, flip->name);
    file_own_outcome(e, flip, own_task);
    if (flip_has(&s->flips, flip, s->flips.steps.v[flip->decision].same))
        return; /* what held is one of the conditions that stay: no alternative is left */
    for (uint32_t i = 0; i < d->count; i++) {
        const VmAlternative *alt = &e->run->alternatives[d->first + i];
        bool negated = !alt->residual && condition_fingerprint(e, alt->condition) == (own ^ 1);
        uint64_t task = negated ? own_task ^ 1 : alternative_fingerprint(e, flip, alt);
        if (!filed_tasks_has(&s->filed, task) && !too_deep(e, flip->decision))
            file(e, flip, alt, (Task){.fingerprint = task}, d->count - i + 1);
    }
}

void dependence_file_outcomes(const Expansion *e, uint32_t k)
{
    Dependence *s = e->d;
    const VmDecision *d = &e->run->decisions[k];
    Flip flip = flip_of(&s->flips, k);
    for (uint32_t i = 0; i < d->count; i++) {
        const VmAlternative *alt = &e->run->alternatives[d->first + i];
        uint64_t outcome = fingerprint_outcome(&e->x->fingerprints, d, alt->block, alt->condition);
        if (outcome_is_taken(&s->outcomes, outcome))
            continue;
        uint64_t task = alternative_fingerprint(e, &flip, alt);
        bool filed = filed_tasks_has(&s->filed, task) || filed_tasks_has(&s->filed, of_outcome(task));
        if (!filed && !too_deep(e, k))
            file(e, &flip, alt, (Task){.fingerprint = of_outcome(task), .outcome = outcome, .flip = task},
                 d->count - i + 1);
    }
}
