/* initialised.c - does what a run did depend on a value that was not set?
 *
 * Natively such a value may be anything, so one run says nothing about the others. Keeping track of it beside
 * expressions would cost every run and give up expressions where both meet. So the input of each run is run
 * once more, concretely, on a machine that looks for nothing else (--check uninit): copies and computations
 * are free, a branch, an address or an output that depends on such a value ends it. The ledger then knows the
 * place. Of an array that a run reads at a symbolic subscript, only the element that its input selects is
 * looked at. */
#include "explore/explore_int.h"

/* Programs without these have nothing that could be uninitialised. */
static bool has_allocator(const IrProgram *p)
{
    static const char *const names[] = {"malloc",   "realloc",        "reallocarray", "aligned_alloc",
                                        "memalign", "posix_memalign", "valloc",       "pvalloc"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (ir_fn_find(p, names[i]) != IR_NONE)
            return true;
    return false;
}

static bool may_be_uninitialised(const IrFn *fn)
{
    for (uint32_t i = 0; i < fn->consts.n; i++)
        if (fn->consts.v[i].kind == IR_CONST_UNDEF)
            return true;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            uint16_t op = fn->blocks.v[b].insns.v[i].op;
            if (op == IR_ALLOCA || op == IR_UNINIT)
                return true;
        }
    return false;
}

static bool is_needed(const Explore *x)
{
    if (x->options.vm.checks >> VM_FAULT_UNINIT & 1)
        return false; /* the runs themselves look for it */
    bool needed = has_allocator(x->program);
    for (uint32_t i = 0; i < x->program->fns.n && !needed; i++)
        needed = !x->program->fns.v[i].runtime && may_be_uninitialised(&x->program->fns.v[i]);
    return needed;
}

void explore_initialised_begin(Explore *x)
{
    VmSymbolicOptions o = {.inputs = x->options.symbolic.inputs,
                           .size_candidates = 1,
                           .pointer_candidates = x->options.symbolic.pointer_candidates,
                           /* behind an entry's pointers objects are made where expressions lead to them, and
                              arrays of a harness end where expressions say */
                           .concrete = !x->options.symbolic.inputs.entry &&
                                       ir_fn_find(x->program, "sheaf_array") == IR_NONE};
    if (x->checker)
        vm_symbolic(x->checker, x->pool, x->checker_ledger, x->environment, &o);
}

static Vm *checker(Explore *x)
{
    if (!x->checker_known && is_needed(x)) {
        VmOptions o = x->options.vm;
        o.checks = UINT64_C(1) << VM_FAULT_UNINIT;
        x->checker = vm_new(x->program, &o);
        x->checker_ledger = ledger_new();
        explore_initialised_begin(x);
        if (x->options.max_time > 0 && x->started > 0)
            vm_deadline(x->checker, x->started + x->options.max_time);
    }
    x->checker_known = true;
    return x->checker;
}

void explore_initialised(Explore *x, const ExprInput *input, const VmResult *result)
{
    Vm *vm = checker(x);
    if (!vm)
        return;
    double start = clock_seconds();
    vm_step_limit(vm, result->steps + 1); /* where a bound ended the run, nothing ends this one */
    VmTrace *trace = vm_run_input(vm, input, NULL);
    const VmResult *r = &trace->result;
    if (r->ending == VM_END_FAULT && r->fault == VM_FAULT_UNINIT)
        ledger_add(x->lane->ledger, LEDGER_UNINIT, r->message[0] ? IR_NONE : r->site,
                   "%s%s", /* beside "what the program returned" */
                   r->message[0] ? ": " : "", r->message);
    vm_trace_free(vm, trace);
    x->machine_seconds += clock_seconds() - start;
}

void explore_initialised_free(Explore *x)
{
    vm_free(x->checker);
    ledger_free(x->checker_ledger);
}
