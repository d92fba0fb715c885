/* swallowed.c - differences that stay inside: what callers do not show, and functions that only such
 * callers can call. */
#include "versions/versions.h"

/* In its own code, or in a loop of it that became a function. */
static bool fn_calls(const IrProgram *p, uint32_t fn, uint32_t callee)
{
    const IrFn *f = &p->fns.v[fn];
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &f->blocks.v[b].insns.v[i];
            if (insn->op == IR_CALL &&
                (insn->a == callee || (p->fns.v[insn->a].outlined && fn_calls(p, insn->a, callee))))
                return true;
        }
    return false;
}

static bool calls(const Diff *d, unsigned version, uint32_t from, uint32_t to)
{
    const Versions *v = d->versions;
    uint32_t fn = v->fns.v[from].fn[version], callee = v->fns.v[to].fn[version];
    return fn != IR_NONE && callee != IR_NONE && fn_calls(v->program[version], fn, callee);
}

void diff_swallowed(const Diff *d, uint32_t pair, U32Vec *out)
{
    vec_clear(out);
    for (uint32_t i = 0; i < d->fns.n; i++)
        if (i != pair && d->fns.v[i].explored && diff_is_same(&d->fns.v[i]) &&
            calls(d, VERSIONS_NEW, i, pair))
            vec_push(out, i);
}

/* ---- internal functions ---------------------------------------------------------------------- */

static bool names_fn(const IrConst *c, uint32_t fn) { return c->kind == IR_CONST_FN && c->index == fn; }

/* Can it be called without being named in a call? */
static bool is_taken(const IrProgram *p, uint32_t fn)
{
    bool taken = p->init == fn;
    for (uint32_t i = 0; i < p->constructors.n; i++)
        taken |= p->constructors.v[i] == fn;
    for (uint32_t i = 0; i < p->destructors.n; i++)
        taken |= p->destructors.v[i] == fn;
    for (uint32_t f = 0; !taken && f < p->fns.n; f++)
        for (uint32_t i = 0; i < p->fns.v[f].consts.n; i++)
            taken |= names_fn(&p->fns.v[f].consts.v[i], fn);
    for (uint32_t g = 0; !taken && g < p->globals.n; g++)
        for (uint32_t i = 0; i < p->globals.v[g].relocs.n; i++)
            taken |= names_fn(&p->globals.v[g].relocs.v[i].value, fn);
    return taken;
}

/* Is it of its file alone, in each version that has it, and called by name only? */
static bool is_hidden(const Versions *v, uint32_t pair)
{
    for (unsigned version = 0; version < 2; version++) {
        uint32_t fn = v->fns.v[pair].fn[version];
        if (fn != IR_NONE && (!v->program[version]->fns.v[fn].local || is_taken(v->program[version], fn)))
            return false;
    }
    return true;
}

/* Is all that calls it proved the same, be it through functions of one version only or others that are
 * hidden? Calls of either version count. `seen` closes cycles: a caller that enters one from outside decides.
 * *any: there is such a caller. */
static bool callers_same(const Diff *d, uint32_t pair, BitSet *seen, bool *any)
{
    for (uint32_t i = 0; i < d->fns.n; i++) {
        const DiffFn *f = &d->fns.v[i];
        bool calls_it = i != pair && (calls(d, VERSIONS_OLD, i, pair) || calls(d, VERSIONS_NEW, i, pair));
        if (!calls_it)
            continue;
        if (diff_is_same(f)) {
            *any = true;
            continue;
        }
        bool passes = f->verdict == DIFF_ADDED || f->verdict == DIFF_REMOVED || is_hidden(d->versions, i);
        if (!passes || (bitset_add(seen, i) && !callers_same(d, i, seen, any)))
            return false;
    }
    return true;
}

void diff_mark_internal(Diff *d)
{
    for (uint32_t i = 0; i < d->fns.n; i++) {
        DiffFn *f = &d->fns.v[i];
        if ((f->verdict != DIFF_DIFFERENT && f->verdict != DIFF_OPEN) || !is_hidden(d->versions, i))
            continue;
        BitSet seen = {0};
        bool any = false;
        bitset_add(&seen, i);
        f->internal = callers_same(d, i, &seen, &any) && any;
        bitset_free(&seen);
    }
}
