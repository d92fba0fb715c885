/* diff.c - levels: which functions are compared, in which order, and what the answers mean for their
 * callers. */
#include "versions/diff_int.h"

/* Can both be called as entries, with inputs that mean the same? */
static const char *not_comparable(const VersionsFn *f, const Versions *v)
{
    if (!f->shape)
        return "its parameters or its result have other types";
    if (f->layout)
        return "a type that it takes or returns has another layout";
    if (v->program[VERSIONS_NEW]->fns.v[f->fn[VERSIONS_NEW]].variadic)
        return "it takes variable arguments";
    return NULL;
}

/* ---- levels ---------------------------------------------------------------------------------- */

bool diff_is_same(const DiffFn *f)
{
    return f->verdict == DIFF_IDENTICAL || (f->verdict == DIFF_SAME && !f->same_for && !f->padding);
}

/* Does what it calls outside of its cycle of calls leave it as it was? */
static bool others_same(const Levels *l, uint32_t pair)
{
    for (uint32_t i = l->calls.start[pair]; i < l->calls.start[pair + 1]; i++) {
        uint32_t to = l->calls.to[i];
        if (l->component[to] != l->component[pair] && !diff_is_same(&l->d->fns.v[to]))
            return false;
    }
    return true;
}

/* Does what it calls leave it as it was? In a cycle of calls each comes to all the others: they must all have
 * identical code and callees that are the same, or have been found the same. */
static bool callees_same(const Levels *l, uint32_t pair)
{
    const Versions *v = l->d->versions;
    for (uint32_t k = 0; k < v->fns.n; k++)
        if (l->component[k] == l->component[pair] && !bitset_has(&l->same, k) &&
            !((k == pair || v->fns.v[k].identical) && others_same(l, k)))
            return false;
    return true;
}

static void judge(Levels *l, uint32_t pair, double until)
{
    Diff *d = l->d;
    const VersionsFn *p = &d->versions->fns.v[pair];
    DiffFn *f = &d->fns.v[pair];
    f->changed = !p->identical;
    if (p->fn[VERSIONS_OLD] == IR_NONE || p->fn[VERSIONS_NEW] == IR_NONE) {
        f->verdict = p->fn[VERSIONS_OLD] == IR_NONE ? DIFF_ADDED : DIFF_REMOVED;
        return;
    }
    if (p->identical && callees_same(l, pair))
        return; /* DIFF_IDENTICAL */
    if (p->outlined) {
        f->verdict = DIFF_LOOP;
        return;
    }
    const char *why = not_comparable(p, d->versions);
    double left = until > 0 ? until - clock_seconds() : 0;
    if (!why && until > 0 && left <= 0)
        why = "the time for it is over: --max-time";
    if (why) {
        f->verdict = DIFF_OPEN;
        f->why = why;
        return;
    }
    diff_compare(l, f, left);
}

/* What has changed, and all that calls it. */
static void find_affected(const Levels *l, BitSet *affected)
{
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i < l->order.n; i++) {
            uint32_t pair = l->order.v[i];
            bool is = !l->d->versions->fns.v[pair].identical;
            for (uint32_t k = l->calls.start[pair]; k < l->calls.start[pair + 1]; k++)
                is |= bitset_has(affected, l->calls.to[k]);
            grew |= is && bitset_add(affected, pair);
        }
    }
}

/* Time is shared: what is to come has a right to as much. */
static void judge_all(Levels *l)
{
    Diff *d = l->d;
    double end = d->options.max_time > 0 ? clock_seconds() + d->options.max_time : 0;
    BitSet affected = {0};
    find_affected(l, &affected);
    for (uint32_t i = 0; i < l->order.n; i++) {
        uint32_t left = 1;
        for (uint32_t k = i + 1; k < l->order.n; k++)
            left += bitset_has(&affected, l->order.v[k]);
        double now = clock_seconds();
        judge(l, l->order.v[i], end > 0 ? now + (end - now) / left : 0);
        if (diff_is_same(&d->fns.v[l->order.v[i]]))
            bitset_add(&l->same, l->order.v[i]);
    }
    bitset_free(&affected);
}

static uint32_t pair_of(const Versions *v, const char *entry)
{
    uint32_t fn = ir_fn_find(v->program[VERSIONS_NEW], entry);
    return fn == IR_NONE ? IR_NONE : v->fn_of[VERSIONS_NEW].v[fn];
}

const char *diff_entry_lacks(const Versions *v, const char *entry)
{
    uint32_t pair = pair_of(v, entry);
    return pair == IR_NONE ? "the new version has no function"
           : v->fns.v[pair].fn[VERSIONS_OLD] == IR_NONE
               ? "the old version has no function that corresponds to"
               : NULL;
}

static void judge_entry(Levels *l)
{
    Diff *d = l->d;
    const Versions *v = d->versions;
    uint32_t pair = pair_of(v, d->options.entry);
    if (diff_entry_lacks(v, d->options.entry))
        bug("a version has no function %s", d->options.entry);
    for (uint32_t i = 0; i < v->fns.n; i++)
        d->fns.v[i].changed = !v->fns.v[i].identical;
    if (v->identical)
        return;
    versions_unchanged(v, &l->same);
    DiffFn *f = &d->fns.v[pair];
    f->why = not_comparable(&v->fns.v[pair], v);
    f->verdict = DIFF_OPEN;
    if (!f->why)
        diff_compare(l, f, d->options.max_time);
}

Diff *diff_new(Versions *v, const DiffOptions *options)
{
    Diff *d = mem_zalloc(sizeof *d);
    d->versions = v;
    d->options = *options;
    d->arena = arena_new();
    for (uint32_t i = 0; i < v->fns.n; i++)
        vec_push(&d->fns, (DiffFn){.pair = i});
    return d;
}

void diff_all(Diff *d)
{
    Levels l = {.d = d, .arena = arena_new()};
    if (!d->versions->identical) {
        diff_find_calls(&l);
        diff_find_written(&l, VERSIONS_OLD);
        diff_find_written(&l, VERSIONS_NEW);
    }
    if (d->options.entry) {
        judge_entry(&l);
    } else if (!d->versions->identical) {
        judge_all(&l);
        diff_mark_internal(d);
    }
    if (!d->options.entry)
        diff_judge_interface(d); /* last: what callers show does not change by it */
    bitset_free(&l.written);
    bitset_free(&l.same);
    vec_free(&l.order);
    arena_free(l.arena);
}

void diff_free(Diff *d)
{
    for (uint32_t i = 0; i < d->fns.n; i++) {
        diff_drop_findings(&d->fns.v[i]);
        vec_free(&d->fns.v[i].findings);
        vec_free(&d->fns.v[i].doubts);
        vec_free(&d->fns.v[i].abstracted);
        vec_free(&d->fns.v[i].loops);
    }
    vec_free(&d->fns);
    vec_free(&d->assumed);
    arena_free(d->arena);
    mem_free(d);
}

/* ---- the answer ------------------------------------------------------------------------------ */

const char *diff_fn_name(const Diff *d, uint32_t pair)
{
    const VersionsFn *f = &d->versions->fns.v[pair];
    unsigned version = f->fn[VERSIONS_NEW] != IR_NONE ? VERSIONS_NEW : VERSIONS_OLD;
    return ir_text(d->versions->program[version], d->versions->program[version]->fns.v[f->fn[version]].name);
}

uint32_t diff_count(const Diff *d, DiffKind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->fns.n; i++)
        for (uint32_t k = 0; k < d->fns.v[i].findings.n && !d->fns.v[i].internal; k++)
            n += d->fns.v[i].findings.v[k].kind == kind && !d->fns.v[i].findings.v[k].accepted;
    return n;
}

static bool all_accepted(const DiffFn *f)
{
    bool all = f->findings.n > 0;
    for (uint32_t i = 0; i < f->findings.n; i++)
        all &= f->findings.v[i].accepted;
    return all;
}

DiffVerdict diff_verdict(const Diff *d)
{
    DiffVerdict worst = DIFF_IDENTICAL;
    bool open = false;
    for (uint32_t i = 0; i < d->fns.n; i++) {
        const DiffFn *f = &d->fns.v[i];
        if (f->internal)
            continue;
        if (f->verdict == DIFF_DIFFERENT && !all_accepted(f))
            return DIFF_DIFFERENT;
        open |= f->verdict == DIFF_OPEN || (f->verdict == DIFF_DIFFERENT && f->why);
        if (f->verdict == DIFF_SAME)
            worst = DIFF_SAME;
    }
    return open ? DIFF_OPEN : worst;
}
