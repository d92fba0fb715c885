/* joint_initialised.c - is a value that is shown set in one version only?
 *
 * The machines take a value that was never set as zero, so that a version which forgets to set it may seem
 * the same. Natively it may be anything. So rows that are the same are run once more, on machines that keep
 * track of such values and do nothing else (--check uninit): where only one version shows one, or decides by
 * one, the row is open. What both leave unset, the padding of a structure say, is no difference. */
#include "versions/joint_int.h"

/* A machine that looks for uninitialised values; made when it is first needed. */
static Vm *checker(Joint *j, unsigned version)
{
    struct JointWork *w = j->work;
    if (!w->checker[version]) {
        VmOptions o = j->options.explore.vm;
        o.checks = UINT64_C(1) << VM_FAULT_UNINIT;
        w->checker[version] = vm_new(j->versions->program[version], &o);
        w->checker_ledger[version] = ledger_new();
        joint_initialised_begin(j, version);
        vm_deadline(w->checker[version], j->options.explore.max_time > 0 ? w->until : 0);
    }
    return w->checker[version];
}

void joint_initialised_begin(Joint *j, unsigned version)
{
    VmSymbolicOptions s = joint_symbolic_options(j, version);
    if (j->work->checker[version])
        vm_symbolic(j->work->checker[version], j->pool, j->work->checker_ledger[version],
                    j->options.environment, &s);
}

void joint_initialised_free(Joint *j)
{
    for (unsigned v = 0; v < 2; v++) {
        vm_free(j->work->checker[v]);
        ledger_free(j->work->checker_ledger[v]);
        j->work->checker[v] = NULL;
        j->work->checker_ledger[v] = NULL;
    }
}

/* Programs without these have nothing that could be uninitialised. */
static bool may_be_uninitialised(const IrProgram *p)
{
    for (uint32_t f = 0; f < p->fns.n; f++) {
        const IrFn *fn = &p->fns.v[f];
        for (uint32_t i = 0; !fn->runtime && i < fn->consts.n; i++)
            if (fn->consts.v[i].kind == IR_CONST_UNDEF)
                return true;
        for (uint32_t b = 0; !fn->runtime && b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
                if (fn->blocks.v[b].insns.v[i].op == IR_ALLOCA || fn->blocks.v[b].insns.v[i].op == IR_UNINIT)
                    return true;
    }
    return ir_fn_find(p, "malloc") != IR_NONE || ir_fn_find(p, "realloc") != IR_NONE;
}

static const VmOutput *output_named(const VmTrace *t, const char *name)
{
    for (uint32_t i = 0; i < t->outputs.n; i++)
        if (t->outputs.v[i].stream == VM_OUTPUT_ENTRY && !strcmp(t->outputs.v[i].name, name))
            return &t->outputs.v[i];
    return NULL;
}

static bool is_unset(const VmTrace *t, const VmOutput *out, uint32_t byte)
{
    for (uint32_t i = 0; byte < out->n && i < t->uninitialised.n; i++)
        if (t->uninitialised.v[i] == out->first + byte)
            return true;
    return false;
}

/* An output that this version leaves unset, in part, where the other does not; NULL: there is none. Padding
 * has no value in either: *padding. */
static const char *unset_output(const Joint *j, const VmTrace *const trace[2], unsigned version,
                                bool *padding)
{
    const VmTrace *t = trace[version], *other = trace[!version];
    for (uint32_t i = 0; t->uninitialised.n && i < t->outputs.n; i++) {
        const VmOutput *out = &t->outputs.v[i];
        const VmOutput *same = out->stream == VM_OUTPUT_ENTRY ? output_named(other, out->name) : NULL;
        for (uint32_t k = 0; same && k < out->n; k++)
            if (is_unset(t, out, k) && !is_unset(other, same, k)) {
                if (!joint_is_padding(j, trace, out->name, k))
                    return out->name;
                *padding = true;
            }
    }
    return NULL;
}

const char *joint_initialised(Joint *j, JointRow *row)
{
    static const char *const words[] = {"the old version", "the new version"};
    VmTrace *trace[2];
    bool uses[2];
    const char *why = NULL;
    if (!may_be_uninitialised(j->versions->program[VERSIONS_OLD]) &&
        !may_be_uninitialised(j->versions->program[VERSIONS_NEW]))
        return NULL;
    for (unsigned v = 0; v < 2; v++) {
        trace[v] = vm_run_input(checker(j, v), &row->input, NULL);
        const VmResult *r = &trace[v]->result;
        uses[v] = r->ending == VM_END_FAULT && r->fault == VM_FAULT_UNINIT;
    }
    const VmTrace *const both[2] = {trace[0], trace[1]};
    for (unsigned v = 2; v-- > 0;) {
        const char *output = uses[0] || uses[1] ? NULL : unset_output(j, both, v, &row->padding);
        if (!why && uses[v] && !uses[!v])
            why = arena_printf(j->arena, "%s depends on an uninitialised value", words[v]);
        if (!why && output)
            why = arena_printf(j->arena, "%s leaves %s uninitialised, in part", words[v], output);
    }
    for (unsigned v = 0; v < 2; v++)
        vm_trace_free(j->work->checker[v], trace[v]);
    return why;
}
