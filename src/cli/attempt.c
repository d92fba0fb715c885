/* attempt.c - from the answer of a backward search to a run of the machine. */
#include "cli/attempt.h"

enum { RUNS_MOST = 2000 }; /* until a run has used all inputs */

static void set_byte(ExprInput *input, uint32_t at, uint8_t value, bool *changed)
{
    *changed |= expr_input_byte(input, at) != value;
    expr_input_set_byte(input, at, value);
}

/* The next input of a call: the values from `at` on, up to the next that begins one. Returns where that
 * is. */
static uint32_t give_call(const BackwardAnswer *answer, uint32_t at, const ExprObjectInfo *info,
                          ExprInput *input, bool *changed)
{
    uint32_t offset = 0;
    for (uint32_t first = at; at < answer->values.n && (at == first || answer->values.v[at].continues);
         at++) {
        const BackwardValue *v = &answer->values.v[at];
        for (uint32_t k = 0; k < v->bytes && offset < info->size; k++, offset++)
            set_byte(input, info->at + offset, (uint8_t)(v->value >> 8 * k), changed);
    }
    return at;
}

/* An input of the entry: the core names it as the machine does. */
static void give_named(Backward *bw, const BackwardAnswer *answer, const ExprObjectInfo *info,
                       ExprInput *input, bool *changed)
{
    ExprObject object;
    if (!expr_object_find(backward_pool(bw), info->key, info->size, &object))
        return;
    uint32_t from = expr_object_info(backward_pool(bw), object)->at;
    for (uint32_t k = 0; k < info->size; k++)
        set_byte(input, info->at + k, expr_input_byte(&answer->model, from + k), changed);
}

/* Gives the inputs that the run used the values of the answer; true if that changes the input. */
static bool give(Explore *x, Backward *bw, const BackwardAnswer *answer, const VmTrace *trace,
                 ExprInput *input)
{
    const ExprPool *p = explore_pool(x);
    static const char *const lengths[] = {"n_args", "stdin:size"};
    bool changed = false;
    uint32_t next = 0;
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const ExprObjectInfo *info = expr_object_info(p, trace->inputs.v[i].object);
        if (trace->inputs.v[i].origin == VM_INPUT_CALL)
            next = give_call(answer, next, info, input, &changed);
        else
            give_named(bw, answer, info, input, &changed);
    }
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        ExprObject length;
        if (expr_object_find(p, lengths[i], 4, &length))
            give_named(bw, answer, expr_object_info(p, length), input, &changed);
    }
    return changed;
}

VmTrace *attempt_run(Explore *x, Backward *bw, const BackwardAnswer *answer, ExprInput *input, double until)
{
    Vm *vm = explore_vm(x);
    double now = clock_seconds(), end = now + (until - now) / 10;
    vec_clear(input);
    vm_deadline(vm, end);
    VmTrace *trace = vm_run_input(vm, input, NULL);
    for (uint32_t i = 0; i < RUNS_MOST && clock_seconds() < end && give(x, bw, answer, trace, input); i++) {
        vm_trace_free(vm, trace);
        trace = vm_run_input(vm, input, NULL);
    }
    vm_deadline(vm, until);
    return trace;
}
