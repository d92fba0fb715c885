/* runtime_host.h - lets parts of src/vm and runtime/ run in a test without the machine: modelled memory is
 * the host's own (an address is a pointer), and each primitive of runtime/prim.h calls its handler. */
#ifndef SHEAF_TEST_RUNTIME_HOST_H
#define SHEAF_TEST_RUNTIME_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "vm/files/files.h"

struct Vm {
    VmFiles *files;
    bool ended;
};

static Vm host_vm;

VmFiles *vm_files(Vm *vm) { return vm->files; }

bool vm_mem_read(Vm *vm, uint64_t address, void *out, size_t size)
{
    (void)vm;
    memcpy(out, (const void *)(uintptr_t)address, size);
    return true;
}

bool vm_mem_write(Vm *vm, uint64_t address, const void *data, size_t size)
{
    (void)vm;
    memcpy((void *)(uintptr_t)address, data, size);
    return true;
}

bool vm_mem_string(Vm *vm, uint64_t address, Str *out)
{
    (void)vm;
    str_add(out, (const char *)(uintptr_t)address);
    return true;
}

bool vm_end_limit(Vm *vm, LedgerKind limit, const char *fmt, ...)
{
    (void)fmt, (void)limit;
    vm->ended = true;
    return false;
}

bool vm_end_unsupported(Vm *vm, const char *fmt, ...)
{
    (void)fmt;
    vm->ended = true;
    return false;
}

static inline long host_call(PrimFn handler, unsigned n, const uint64_t *args)
{
    PrimCall call = {.vm = &host_vm, .nargs = n};
    for (unsigned i = 0; i < n; i++)
        call.args[i] = args[i];
    handler(&call);
    return (long)call.result;
}

/* An int or long argument goes to the machine as a word, a pointer as its address. */
#define WORD(x)    (uint64_t)(x)
#define ADDRESS(p) (uint64_t)(uintptr_t)(p)
#define HOST_CALL(handler, ...) \
    host_call(handler, sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), (const uint64_t[]){__VA_ARGS__})

#endif
