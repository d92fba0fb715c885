/* sym_snapshot.c */
#include "vm/sym.h"

struct VmSnapshot {
    uint32_t refs;
};

VmSnapshot *vm_snapshot_hold(VmSnapshot *s)
{
    if (s)
        s->refs++;
    return s;
}

void vm_snapshot_drop(Vm *vm, VmSnapshot *s)
{
    (void)vm;
    if (s)
        s->refs--;
}

size_t vm_snapshot_bytes(const Vm *vm)
{
    (void)vm;
    return 0;
}
