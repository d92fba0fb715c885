/* diff_fn.c - one function: what is symbolic in the comparison, which calls are abstracted, and what its rows
 * mean. */
#include "versions/diff_int.h"
#include "versions/versions_int.h"

/* The first reason why not all is known; NULL: all is. That a loop was bounded is the last: a larger bound
 * may have been next. */
static const char *reason(const Joint *j, const DiffFn *f)
{
    const char *bounded = NULL;
    for (uint32_t i = 0; i < j->rows.n; i++) {
        const JointRow *row = &j->rows.v[i];
        if (row->verdict == JOINT_OPEN && !row->bounded)
            return row->why;
        if (row->verdict == JOINT_OPEN && !bounded)
            bounded = row->why;
    }
    if (diff_is_blind(j))
        return "nothing that it reads is symbolic: --sym-stdin, --sym-args, --sym-file";
    if (joint_is_bounded(j))
        return bounded;
    return f->doubts.n ? f->doubts.v[0] : bounded;
}

/* What the rows of one comparison mean. Findings of an earlier one, with a smaller bound, stay. */
static void conclude(Diff *d, Joint *j, DiffFn *f)
{
    memset(f->rows, 0, sizeof f->rows);
    for (uint32_t i = 0; i < f->findings.n; i++)
        f->findings.v[i].rows = 0;
    for (uint32_t i = 0; i < j->rows.n; i++) {
        JointRow *row = &j->rows.v[i];
        if (row->verdict == JOINT_DIFFERENT)
            diff_take_row(d, j, f, row);
        f->rows[row->verdict]++;
    }
    for (uint32_t i = 0; i < f->findings.n; i++)
        f->findings.v[i].more = f->findings.v[i].rows ? f->findings.v[i].rows - 1 : 0;
    diff_add_doubts(d, j, f);
    const char *why = reason(j, f);
    f->why = why ? arena_strdup(d->arena, why) : NULL;
    f->verdict = f->findings.n ? DIFF_DIFFERENT : why ? DIFF_OPEN : DIFF_SAME;
    f->runs += j->runs;
    f->queries += j->queries;
    f->seconds += j->seconds;
}

/* A version that was stopped may be one that hangs: the first such input is run natively. */
static void try_to_end(Diff *d, Joint *j, DiffFn *f)
{
    for (uint32_t i = 0; d->options.unended && i < j->rows.n; i++) {
        const JointRow *row = &j->rows.v[i];
        if (row->verdict != JOINT_OPEN || !row->unended)
            continue;
        const char *said = d->options.unended(d->options.context, j, row);
        f->unended = said ? arena_strdup(d->arena, said) : NULL;
        return;
    }
}

/* Outputs may depend on no loop that does not end. */
static bool is_partial(const Diff *d, const DiffFn *f)
{
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    return f->verdict == DIFF_SAME &&
           (!versions_ends(d->versions->program[VERSIONS_OLD], pair->fn[VERSIONS_OLD]) ||
            !versions_ends(d->versions->program[VERSIONS_NEW], pair->fn[VERSIONS_NEW]));
}

/* How far an open function is the same. */
static void say_how_far(Diff *d, DiffFn *f)
{
    if (f->unended)
        f->why = f->unended;
    if (f->verdict != DIFF_OPEN || !f->why)
        return;
    if (f->bound)
        f->why = arena_printf(d->arena, "the same for up to %u iterations and nested calls; beyond, %s",
                              f->bound, f->why);
    else if (f->rows[JOINT_IDENTICAL] + f->rows[JOINT_PROVED])
        f->why = arena_printf(d->arena, "the same as far as it was compared; %s", f->why);
}

static bool is_main(const char *name)
{
    return !strcmp(name, "main") || !strcmp(name, "LLVMFuzzerTestOneInput");
}

/* Parameters and the variables that the function reads are symbolic; of main, what the user named. */
static void find_inputs(Levels *l, DiffFn *f, StrVec *globals, JointOptions *o)
{
    Diff *d = l->d;
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    if (is_main(diff_fn_name(d, f->pair)))
        return;
    for (unsigned v = 0; v < 2; v++)
        o->entry[v] = ir_text(d->versions->program[v], d->versions->program[v]->fns.v[pair->fn[v]].name);
    for (uint32_t i = 0; i < o->explore.symbolic.inputs.globals.n; i++)
        vec_push(globals, o->explore.symbolic.inputs.globals.v[i]);
    const char *bound = diff_free_globals(l, pair, globals);
    if (bound) {
        Str text = {0};
        str_printf(&text,
                   "it reads %s, which one version has not, or with another name, size or initial value: "
                   "compared for its "
                   "initial value only",
                   bound);
        vec_push(&f->doubts, arena_strdup(d->arena, str_text(&text)));
        str_free(&text);
    }
    o->explore.symbolic.inputs.globals = *globals;
}

/* An answer that rests on calls that were not entered says so. */
static void note_abstracted(Diff *d, const Joint *j, DiffFn *f)
{
    for (uint32_t i = 0; j->applied && i < j->options.abstract.n; i++) {
        const JointAbstract *a = &j->options.abstract.v[i];
        if (bitset_has(&j->used, a->pair))
            vec_push(&f->abstracted, diff_fn_name(d, a->pair));
        f->induction |= bitset_has(&j->used, a->pair) && a->pair == f->pair;
    }
}

typedef enum Answer { FINAL, BOUNDED, REFINED } Answer;

/* One comparison: an answer, or all up to the bound on loops, or what to abstract next. `last`: the bound is
 * the user's. */
static Answer compare_once(Diff *d, DiffFn *f, const JointOptions *o, bool last, JointAbstractVec *abstract)
{
    uint32_t doubts = f->doubts.n;
    Joint *j = joint_new(d->versions, o);
    joint_explore(j);
    conclude(d, j, f);
    Answer answer = FINAL;
    if (joint_is_bounded(j)) {
        f->bound = o->explore.symbolic.loop_bound;
        answer = last ? FINAL : BOUNDED;
    }
    if (answer == FINAL && f->verdict == DIFF_OPEN && !(o->rules_off & VERSIONS_OFF_REFINE) &&
        joint_abstract_refine(j, abstract))
        answer = REFINED;
    if (answer == FINAL) {
        note_abstracted(d, j, f);
        try_to_end(d, j, f);
    } else {
        f->doubts.n = doubts;
    }
    joint_free(j);
    return answer;
}

/* Compares with one bound on loops until what is abstracted need not be refined. False: a larger bound may
 * decide more. */
static bool compare_bounded(Diff *d, DiffFn *f, JointOptions *o, bool last, double end, uint32_t *refined,
                            JointAbstractVec *abstract)
{
    enum { REFINEMENTS_MOST = 2 };
    for (;; ++*refined) {
        if (*refined >= REFINEMENTS_MOST)
            vec_clear(abstract);
        double left = end - clock_seconds();
        if (end > 0 && left <= 0) {
            if (!f->why || f->bound)
                f->why = "the time for it is over: --max-time";
            return true;
        }
        o->abstract = *abstract;
        o->explore.max_time = end <= 0 ? 0 : abstract->n ? left / 2 : left;
        JointAbstractVec next = {0};
        for (uint32_t k = 0; k < abstract->n; k++)
            vec_push(&next, abstract->v[k]);
        Answer answer = compare_once(d, f, o, last, &next);
        vec_free(abstract);
        *abstract = next;
        if (answer != REFINED)
            return answer == FINAL;
    }
}

/* With few iterations first: what differs there is found before longer runs take all the time. */
void diff_compare(Levels *l, DiffFn *f, double seconds)
{
    enum { BOUND_FIRST = 4, BOUND_FACTOR = 4 };
    Diff *d = l->d;
    JointOptions o = d->options.joint;
    JointAbstractVec abstract = {0};
    StrVec globals = {0};
    f->explored = true;
    if (d->options.on_progress)
        d->options.on_progress(d->options.context, f);
    find_inputs(l, f, &globals, &o);
    joint_abstract_find(d->versions, f->pair, &l->same, o.explore.vm.checks, o.rules_off, &abstract);
    double limit = o.explore.max_time;
    if (seconds > 0 && (limit <= 0 || seconds < limit))
        limit = seconds;
    double end = limit > 0 ? clock_seconds() + limit : 0;
    uint32_t most = o.explore.symbolic.loop_bound ? o.explore.symbolic.loop_bound : UINT32_MAX, refined = 0;
    for (uint32_t bound = BOUND_FIRST;; bound *= BOUND_FACTOR) {
        bool last = bound >= most / BOUND_FACTOR;
        o.explore.symbolic.loop_bound = last ? d->options.joint.explore.symbolic.loop_bound : bound;
        if (compare_bounded(d, f, &o, last, end, &refined, &abstract))
            break;
    }
    f->partial = is_partial(d, f);
    say_how_far(d, f);
    o.abstract = abstract;
    o.explore.max_time = limit;
    diff_classify(d, f, &o);
    vec_free(&abstract);
    vec_free(&globals);
}
