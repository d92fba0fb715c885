/* diff_interface.c - what other files can call: a function that they no longer find, or have to call in
 * another way, is a difference by itself, whatever it does. */
#include "versions/diff_int.h"

/* A program with main is whole: nothing else calls its functions. */
static bool is_library(const Versions *v)
{
    for (unsigned version = 0; version < 2; version++) {
        uint32_t fn = ir_fn_find(v->program[version], "main");
        if (fn != IR_NONE && v->program[version]->fns.v[fn].defined)
            return false;
    }
    return true;
}

/* How it is now, to other files that could call it before; NULL: as before. */
static const char *seen_outside(const Versions *v, const VersionsFn *f)
{
    const IrFn *old = f->fn[VERSIONS_OLD] == IR_NONE ? NULL : &v->program[0]->fns.v[f->fn[VERSIONS_OLD]];
    const IrFn *new = f->fn[VERSIONS_NEW] == IR_NONE ? NULL : &v->program[1]->fns.v[f->fn[VERSIONS_NEW]];
    if (!old || old->local)
        return NULL;
    return !new         ? "removed"
           : f->renamed ? "it has another name"
           : new->local ? "it is static"
           : !f->shape  ? "its parameters or its result have other types"
           : f->layout  ? "a type that it takes or returns has another layout"
                        : NULL;
}

static void add_finding(Diff *d, DiffFn *f, const char *now)
{
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    const char *before = "other files can call it";
    DiffFinding g = {.kind = DIFF_CHANGE, .when = "always"};
    for (unsigned v = 0; v < 2; v++)
        g.site[v] = pair->fn[v] == IR_NONE ? IR_NONE : d->versions->program[v]->fns.v[pair->fn[v]].site;
    if (pair->renamed)
        before =
            arena_printf(d->arena, "other files can call it %s",
                         ir_text(d->versions->program[VERSIONS_OLD],
                                 d->versions->program[VERSIONS_OLD]->fns.v[pair->fn[VERSIONS_OLD]].name));
    JointChange change = {"interface", {before, now}, {before, now}};
    vec_push(&g.changes, change);
    vec_push(&f->findings, g);
}

void diff_judge_interface(Diff *d)
{
    for (uint32_t i = 0; is_library(d->versions) && i < d->fns.n; i++) {
        DiffFn *f = &d->fns.v[i];
        const VersionsFn *pair = &d->versions->fns.v[i];
        const char *now = seen_outside(d->versions, pair);
        if (!now)
            continue;
        add_finding(d, f, now);
        if (f->verdict == DIFF_OPEN && (!pair->shape || pair->layout))
            f->why = NULL; /* that was in the way of a comparison, and is the answer */
        f->verdict = DIFF_DIFFERENT;
    }
}
