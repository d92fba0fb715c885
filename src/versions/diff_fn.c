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

/* For which calls the answer holds, if it does so for some; NULL: for all. */
static const char *shapes_of(Diff *d, const Joint *j)
{
    Ledger *both = ledger_new();
    Str text = {0};
    for (unsigned v = 2; v-- > 0;)
        ledger_add_all(both, j->ledger[v]);
    ledger_shapes_text(both, &text);
    const char *kept = text.n ? arena_strdup(d->arena, str_text(&text)) : NULL;
    ledger_free(both);
    str_free(&text);
    return kept;
}

/* What the rows of one comparison mean. Findings of an earlier one, with a smaller bound, stay. */
static void conclude(Diff *d, Joint *j, DiffFn *f)
{
    memset(f->rows, 0, sizeof f->rows);
    f->padding = false;
    uint32_t known = f->findings.n;
    for (uint32_t i = 0; i < f->findings.n; i++)
        f->findings.v[i].rows = 0;
    for (uint32_t i = 0; i < j->rows.n; i++) {
        JointRow *row = &j->rows.v[i];
        if (row->verdict == JOINT_DIFFERENT)
            diff_take_row(d, j, f, row);
        f->rows[row->verdict]++;
        f->aliased |= row->aliased;
        f->padding |= row->padding && row->verdict < JOINT_DIFFERENT;
    }
    for (uint32_t i = known; i < f->findings.n; i++)
        f->findings.v[i].example = bitset_has(&j->used, f->pair);
    for (uint32_t i = 0; i < f->findings.n; i++)
        f->findings.v[i].more = f->findings.v[i].rows ? f->findings.v[i].rows - 1 : 0;
    diff_add_doubts(d, j, f);
    const char *why = reason(j, f);
    f->why = why ? arena_strdup(d->arena, why) : NULL;
    f->verdict = f->findings.n ? DIFF_DIFFERENT : why ? DIFF_OPEN : DIFF_SAME;
    f->same_for = shapes_of(d, j);
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
    VmInputs *in = &o->explore.symbolic.inputs;
    bool whole = is_main(diff_fn_name(d, f->pair));
    in->environment = joint_environment(in->environment, !whole);
    if (whole)
        return;
    for (unsigned v = 0; v < 2; v++)
        o->entry[v] = ir_text(d->versions->program[v], d->versions->program[v]->fns.v[pair->fn[v]].name);
    for (uint32_t i = 0; i < in->globals.n; i++)
        vec_push(globals, in->globals.v[i]);
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
    in->globals = *globals;
}

/* Several values of a loop are several functions. */
static void note_loop(const IrProgram *p, const IrFn *fn, DiffFn *f)
{
    uint32_t line = fn->site == IR_NONE ? 0 : p->sites.v[fn->site].line;
    for (uint32_t i = 0; i < f->loops.n; i++)
        if (f->loops.v[i] == line)
            return;
    vec_push(&f->loops, line);
}

/* An answer that rests on calls that were not entered says so. */
static void note_abstracted(Diff *d, const Joint *j, DiffFn *f)
{
    const IrProgram *new = d->versions->program[VERSIONS_NEW];
    for (uint32_t i = 0; j->applied && i < j->options.abstract.n; i++) {
        const JointAbstract *a = &j->options.abstract.v[i];
        const VersionsFn *pair = &d->versions->fns.v[a->pair];
        if (!bitset_has(&j->used, a->pair))
            continue;
        if (pair->outlined)
            note_loop(new, &new->fns.v[pair->fn[VERSIONS_NEW]], f);
        else
            vec_push(&f->abstracted, diff_fn_name(d, a->pair));
        f->induction |= a->pair == f->pair;
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
static void compare_shaped(Levels *l, DiffFn *f, JointOptions *o, double limit)
{
    enum { BOUND_FIRST = 4, BOUND_FACTOR = 4 };
    bool done = false;
    Diff *d = l->d;
    JointAbstractVec abstract = {0};
    joint_abstract_find(d->versions, f->pair, &l->same, o->explore.vm.checks, o->rules_off, &abstract);
    double end = limit > 0 ? clock_seconds() + limit : 0;
    uint32_t user = d->options.joint.explore.symbolic.loop_bound, most = user ? user : UINT32_MAX,
             refined = 0;
    for (uint32_t bound = BOUND_FIRST; !done; bound *= BOUND_FACTOR) {
        bool last = bound >= most / BOUND_FACTOR;
        o->explore.symbolic.loop_bound = last ? user : bound;
        done = compare_bounded(d, f, o, last, end, &refined, &abstract);
    }
    o->abstract = abstract;
    o->explore.max_time = end - clock_seconds();
    if (end <= 0)
        o->explore.max_time = 0;
    if (end <= 0 || o->explore.max_time > 0)
        diff_classify(d, f, o);
    vec_free(&abstract);
}

/* Is there a pointer among its parameters? *stream: one is to a FILE, the bytes of which mean nothing. */
static bool takes_pointers(const Diff *d, const DiffFn *f, bool *stream)
{
    const IrProgram *p = d->versions->program[VERSIONS_NEW];
    const IrFn *fn = &p->fns.v[d->versions->fns.v[f->pair].fn[VERSIONS_NEW]];
    bool any = *stream = false;
    for (uint32_t i = 1; i < fn->ctypes.n; i++) {
        const IrCType *t = &p->ctypes.v[fn->ctypes.v[i]];
        any |= t->kind == IR_C_POINTER || t->kind == IR_C_RECORD;
        *stream |= t->kind == IR_C_POINTER && ir_ctype_is_stream(p, t->of);
    }
    return any;
}

/* What was open for objects of any shape may be known for those that callers pass: an answer that names them.
 * If it is not, the first one stands; and so it does if calls with two pointers to one object were among what
 * was open: shapes by types are separate, and would only leave these out. */
static void compare_typed(Levels *l, DiffFn *f, JointOptions *o, double limit)
{
    DiffFn before = *f;
    f->doubts = (StrVec){0};
    f->abstracted = (StrVec){0};
    f->loops = (U32Vec){0};
    f->why = NULL;
    f->bound = 0;
    o->explore.symbolic.inputs.shape = VM_SHAPE_TYPES;
    compare_shaped(l, f, o, limit);
    bool known = f->verdict == DIFF_DIFFERENT || (f->verdict == DIFF_SAME && !before.aliased);
    if (f->verdict == DIFF_SAME && !known)
        before.why = arena_printf(l->d->arena, "the same for: %s; beyond, %s",
                                  f->same_for ? f->same_for : "all calls", before.why);
    vec_free(known ? &before.doubts : &f->doubts);
    vec_free(known ? &before.abstracted : &f->abstracted);
    vec_free(known ? &before.loops : &f->loops);
    if (known)
        return;
    before.runs = f->runs;
    before.queries = f->queries;
    before.seconds = f->seconds;
    before.unconfirmed = f->unconfirmed;
    before.findings = f->findings;
    *f = before;
}

static double left_until(double end) { return end > 0 ? end - clock_seconds() : 0; }

/* For calls of any shape; where that is open, by types. */
static void compare_both(Levels *l, DiffFn *f, JointOptions *o, double end)
{
    compare_shaped(l, f, o, left_until(end) / 2);
    if (f->verdict == DIFF_OPEN && (end <= 0 || left_until(end) > 0))
        compare_typed(l, f, o, left_until(end));
}

void diff_compare(Levels *l, DiffFn *f, double seconds)
{
    Diff *d = l->d;
    JointOptions o = d->options.joint;
    StrVec globals = {0};
    f->explored = true;
    if (d->options.on_progress)
        d->options.on_progress(d->options.context, f);
    find_inputs(l, f, &globals, &o);
    if (diff_is_volatile(l, f->pair))
        vec_push(&f->doubts, "what is volatile may change between two accesses, and that is not tried");
    double limit = o.explore.max_time;
    if (seconds > 0 && (limit <= 0 || seconds < limit))
        limit = seconds;
    bool stream, typed = takes_pointers(d, f, &stream) && d->options.by_types && o.entry[VERSIONS_NEW],
                 first = (d->options.by_bytes && !stream) || !typed;
    double end = limit > 0 ? clock_seconds() + limit : 0;
    o.explore.symbolic.inputs.shape = first ? VM_SHAPE_BYTES : VM_SHAPE_TYPES;
    if (first && typed)
        compare_both(l, f, &o, end);
    else
        compare_shaped(l, f, &o, limit);
    f->partial = is_partial(d, f);
    say_how_far(d, f);
    vec_free(&globals);
}
