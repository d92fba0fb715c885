/* prim.h - private to vm: what the C models in runtime/ ask of the machine.
 *
 * A primitive is a function that runtime/ declares (`__sheaf_read`, ...) and that is not defined in C:
 * prim.def binds its name to a handler. Handlers see words; anything wider than 64 bits (long double) is
 * passed through memory. */
#ifndef SHEAF_VM_PRIM_H
#define SHEAF_VM_PRIM_H

#include "vm/vm.h"

typedef struct PrimCall {
    Vm *vm;
    uint64_t args[8];
    unsigned nargs;
    Expr exprs[8];   /* of arguments that a primitive takes as they are; else none */
    uint64_t result; /* set by the handler; 0 before it runs */
} PrimCall;

/* False: the run ended (the handler has called vm_end_… or a memory helper did). */
typedef bool (*PrimFn)(PrimCall *call);

/* Access to modelled memory with all checks; on a bad access they end the run with the fault and return
 * false. */
bool vm_mem_read(Vm *vm, uint64_t address, void *out, size_t size);
bool vm_mem_write(Vm *vm, uint64_t address, const void *data, size_t size);
bool vm_mem_string(Vm *vm, uint64_t address, Str *out); /* up to the NUL, which is not included */

/* End the run. Always return false, so that handlers can `return vm_end_fault(...)`. */
bool vm_end_fault(Vm *vm, VmFaultKind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool vm_end_exit(Vm *vm, int status);
bool vm_end_limit(Vm *vm, LedgerKind limit, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool vm_end_unsupported(Vm *vm, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* files.c: descriptors, modelled files, streams of output. Owned by the machine; reset at the start of each
 * run. */
typedef struct VmFiles VmFiles;
VmFiles *vm_files(Vm *vm);
VmFiles *vm_files_new(void);
void vm_files_reset(VmFiles *files, const VmEnvironment *environment);
void vm_files_flush(VmFiles *files); /* writes what is buffered for the host's descriptors */
void vm_files_free(VmFiles *files);

#define PRIM(name, handler) bool handler(PrimCall *call);
#include "vm/core/prim.def"
#undef PRIM

#endif
