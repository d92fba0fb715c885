/* diff_fn.c - one function: what is symbolic in the comparison, which calls are abstracted, and what its rows
 * mean. */
#include "versions/diff_int.h"

static void conclude(Diff *d, Joint *j, DiffFn *f)
{
    uint32_t differences = 0;
    Str text = {0};
    const char *why = NULL;
    for (uint32_t i = 0; i < j->rows.n; i++) {
        JointRow *row = &j->rows.v[i];
        differences += row->verdict == JOINT_DIFFERENT && diff_take_row(d, j, f, row);
        if (row->verdict == JOINT_OPEN && !why)
            why = row->why;
        f->rows[row->verdict]++;
    }
    diff_add_doubts(d, j, f);
    if (!why && diff_is_blind(j))
        why = "nothing that it reads is symbolic: --sym-stdin, --sym-args, --sym-file";
    else if (!why && f->doubts.n)
        why = f->doubts.v[0];
    if (why && !differences && f->rows[JOINT_IDENTICAL] + f->rows[JOINT_PROVED]) {
        str_printf(&text, "the same as far as it was compared; %s", why);
        why = str_text(&text);
    }
    f->why = why ? arena_strdup(d->arena, why) : NULL;
    f->verdict = differences ? DIFF_DIFFERENT : why ? DIFF_OPEN : DIFF_SAME;
    f->runs = j->runs;
    f->queries = j->queries;
    f->seconds = j->seconds;
    str_free(&text);
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

/* One comparison. True: it answers, or there is nothing to refine. */
static bool compare_once(Diff *d, DiffFn *f, const JointOptions *o, JointAbstractVec *abstract)
{
    uint32_t doubts = f->doubts.n;
    Joint *j = joint_new(d->versions, o);
    joint_explore(j);
    conclude(d, j, f);
    bool refined = f->verdict == DIFF_OPEN && !(o->rules_off & VERSIONS_OFF_REFINE) &&
                   joint_abstract_refine(j, abstract);
    if (refined) {
        f->doubts.n = doubts;
        diff_drop_findings(f);
        memset(f->rows, 0, sizeof f->rows);
    } else {
        note_abstracted(d, j, f);
    }
    joint_free(j);
    return !refined;
}

void diff_compare(Levels *l, DiffFn *f, double seconds)
{
    enum { REFINEMENTS_MOST = 2 };
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
    double end = clock_seconds() + limit;
    for (uint32_t i = 0;; i++) {
        if (i == REFINEMENTS_MOST)
            vec_clear(&abstract);
        double left = end - clock_seconds();
        o.abstract = abstract;
        o.explore.max_time = limit <= 0 ? 0 : abstract.n ? left / 2 : left;
        JointAbstractVec next = {0};
        for (uint32_t k = 0; k < abstract.n; k++)
            vec_push(&next, abstract.v[k]);
        bool answered = (limit > 0 && left <= 0) || compare_once(d, f, &o, &next);
        vec_free(&abstract);
        abstract = next;
        if (answered)
            break;
    }
    o.abstract = abstract;
    o.explore.max_time = limit;
    diff_classify(d, f, &o);
    vec_free(&abstract);
    vec_free(&globals);
}
