/* ends.c - the primitives that end a run, and those that matter only to symbolic runs. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

static bool leak_checked(Vm *vm) { return !(vm->options.checks >> VM_FAULT_LEAK & 1) || vm_leaks(vm); }

bool prim_exit(PrimCall *call)
{
    return leak_checked(call->vm) && vm_end_exit(call->vm, (int)(uint32_t)call->args[0]);
}

bool prim_abort(PrimCall *call) { return vm_end_fault(call->vm, VM_FAULT_ABORT, "%s", ""); }

static bool end_with_text(PrimCall *call, VmFaultKind kind)
{
    Str text = {0};
    if (vm_mem_string(call->vm, call->args[0], &text))
        vm_end_fault(call->vm, kind, "%s", str_text(&text));
    str_free(&text);
    return false;
}

bool prim_assert_fail(PrimCall *call) { return end_with_text(call, VM_FAULT_ASSERT); }
bool prim_report(PrimCall *call) { return end_with_text(call, VM_FAULT_REPORTED); }

bool prim_fault(PrimCall *call)
{
    Str kind = {0}, text = {0};
    if (vm_mem_string(call->vm, call->args[0], &kind) && vm_mem_string(call->vm, call->args[1], &text)) {
        unsigned k = 0;
        while (k < VM_FAULT_COUNT && strcmp(vm_fault_suffix(k), str_text(&kind)))
            k++;
        vm_end_fault(call->vm, k < VM_FAULT_COUNT ? (VmFaultKind)k : VM_FAULT_REPORTED, "%s",
                     str_text(&text));
    }
    str_free(&kind);
    str_free(&text);
    return false;
}

bool prim_is_symbolic(PrimCall *call)
{
    call->result = call->exprs[0].id != 0; /* seen in symbolic runs only: sym_prim.c */
    return true;
}

bool prim_unsupported(PrimCall *call)
{
    Str text = {0};
    if (vm_mem_string(call->vm, call->args[0], &text))
        vm_end_unsupported(call->vm, "%s", str_text(&text));
    str_free(&text);
    return false;
}

bool prim_differs(PrimCall *call)
{
    Str text = {0};
    bool ok = vm_mem_string(call->vm, call->args[0], &text);
    if (ok && call->vm->sym)
        ledger_add(sym_ledger(call->vm), LEDGER_MODEL, vm_user_site(call->vm), "%s", str_text(&text));
    str_free(&text);
    return ok;
}

bool prim_assume(PrimCall *call) { return call->args[0] ? true : vm_end(call->vm, VM_END_ASSUMPTION); }

bool prim_symbolic(PrimCall *call)
{
    Object *o;
    uint8_t *bytes = vm_bytes(call->vm, call->args[0], call->args[1], true, &o);
    if (!bytes)
        return false;
    if (call->args[1]) {
        memset(bytes, 0, call->args[1]);
        mem_undef_clear(o, call->args[0] - o->base, call->args[1]);
    }
    return true;
}

bool prim_output(PrimCall *call)
{
    return vm_bytes(call->vm, call->args[0], call->args[1], false, NULL) != NULL;
}

/* Objects of a harness on a concrete run are zero, and as long as they can be. */
bool prim_most(PrimCall *call)
{
    call->result = call->args[0] <= SIZE_MAX >> 1 ? call->args[0] : SIZE_MAX >> 1;
    return true;
}

bool prim_bounded(PrimCall *call) { return call != NULL; }
bool prim_given(PrimCall *call) { return call != NULL; }
bool prim_nullness(PrimCall *call) { return call != NULL; }

bool prim_environment(PrimCall *call)
{
    (void)call; /* fixed; sym_input.c has the other case */
    return true;
}

/* Time passes by a microsecond each time the program asks, from a fixed start: runs are reproducible. */
bool prim_clock(PrimCall *call)
{
    Vm *vm = call->vm;
    enum { START = 1700000000 };
    vm->ticks += 1000;
    call->result = vm->ticks + ((int)call->args[0] == 0 ? (uint64_t)START * 1000000000 : 0);
    return true;
}
