/* diff_class.c - in which way a function differs: only where signed arithmetic overflows. A second comparison
 * under a restriction decides. */
#include "versions/diff_int.h"

const char *joint_class_text(JointClass class)
{
    static const char *const texts[] = {"in any way", "only where an argument is NaN",
                                        "only by rounding: in exact arithmetic the results are the same",
                                        "only in bytes after a string's NUL: up to the NUL it is the same",
                                        "only where signed arithmetic overflows"};
    return texts[class];
}

static bool has_signed_arithmetic(const IrFn *fn)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].flags & IR_NSW)
                return true;
    return false;
}

/* Faults and overflow are different things; and where nothing is computed nothing overflows. */
static bool may_be_overflow(const Diff *d, const DiffFn *f)
{
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    bool may = f->verdict == DIFF_DIFFERENT && !(d->options.joint.explore.vm.checks >> VM_FAULT_OVERFLOW & 1);
    for (uint32_t i = 0; may && i < f->findings.n; i++)
        may = f->findings.v[i].kind == DIFF_CHANGE;
    return may && (has_signed_arithmetic(&d->versions->program[0]->fns.v[pair->fn[0]]) ||
                   has_signed_arithmetic(&d->versions->program[1]->fns.v[pair->fn[1]]));
}

static bool overflows(const SignatureEnd *end)
{
    return end->ending == VM_END_FAULT && end->fault == VM_FAULT_OVERFLOW;
}

/* The same partition with overflow as a fault: is every row in which neither version overflows the same? */
static bool same_without_overflow(const Diff *d, const JointOptions *options)
{
    JointOptions o = *options;
    o.explore.vm.checks |= UINT64_C(1) << VM_FAULT_OVERFLOW;
    Joint *j = joint_new(d->versions, &o);
    joint_explore(j);
    bool same = j->certified && !ledger_count(j->ledger[0]) && !ledger_count(j->ledger[1]);
    for (uint32_t i = 0; same && i < j->rows.n; i++) {
        const JointRow *row = &j->rows.v[i];
        same = row->verdict < JOINT_DIFFERENT || overflows(&row->end[0]) || overflows(&row->end[1]);
    }
    joint_free(j);
    return same;
}

void diff_classify(Diff *d, DiffFn *f, const JointOptions *options)
{
    if (may_be_overflow(d, f) && same_without_overflow(d, options))
        for (uint32_t i = 0; i < f->findings.n; i++)
            f->findings.v[i].class = JOINT_OVERFLOW;
}
