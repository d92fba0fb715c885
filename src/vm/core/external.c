/* external.c - calls of undefined functions: primitives, libm, and, if the user allows it, whatever
 * this process has and passes numbers only (native.c). */
#include "vm/core/window.h"
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

#include <dlfcn.h>
#include <ffi.h>

typedef struct Pure {
    const char *name, *signature;
    char type, pointer;
} Pure;

static const Pure pures[] = {
#define PURE_AS(name, signature, type, pointer) {#name, signature, type, pointer},
#include "vm/core/pure.def"
#undef PURE_AS
};

enum { ARGS_MOST = 8 };

const void *vm_pure_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(pures); i++)
        if (!strcmp(name, pures[i].name))
            return &pures[i];
    return NULL;
}

bool vm_external_is_known(const char *name)
{
    return text_starts_with(name, "__sheaf_") || vm_pure_find(name);
}

static const char *name_of(const Vm *vm, const FnCode *fn)
{
    return ir_text(vm->program, vm->program->fns.v[fn->index].name);
}

/* Signature letter with T and P resolved. */
static char letter(const Pure *p, unsigned i)
{
    char c = p->signature[i];
    return c == 'T' ? p->type : c == 'P' ? p->pointer : c;
}

static ffi_type *type_of(char c)
{
    switch (c) {
    case 'd': return &ffi_type_double;
    case 'f': return &ffi_type_float;
    case 'l': return &ffi_type_longdouble;
    case 'i': return &ffi_type_sint32;
    case 'L': return &ffi_type_sint64;
    case 'v': return &ffi_type_void;
    default: return &ffi_type_pointer;
    }
}

static unsigned pointed_size(char c) { return c == 'D' ? 8 : c == 'F' || c == 'I' ? 4 : c == 'X' ? 10 : 0; }

static unsigned width_of(char c)
{
    return c == 'd' || c == 'L' ? 64 : c == 'f' || c == 'i' ? 32 : c == 'l' ? 80 : 0;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool argument(Vm *vm, const CallInfo *call, const Reg *regs, uint32_t i, u128 *value)
{
    *value = 0;
    if (i >= call->nargs + call->nvar)
        return true;
    const CallArg *arg = &call->args[i];
    if (arg->is_const) {
        *value = arg->value;
        return true;
    }
    const Reg *r = REG(regs, arg->reg);
    if (vm->shadows && r->shadow && !vm_shadow_use(vm, vm->pc, r->shadow))
        return false;
    *value = arg->width > 64 ? r[0].word | (u128)r[1].word << 64 : r[0].word;
    return true;
}

static void result(const CallInfo *call, Reg *regs, u128 value)
{
    for (uint32_t i = 0; i < call->ndst; i++) {
        u128 part = i ? 0 : value & bits_mask(call->dst[i].width);
        Reg *r = REG(regs, call->dst[i].reg);
        r[0] = (Reg){(uint64_t)part, 0};
        if (call->dst[i].width > 64)
            r[1] = (Reg){(uint64_t)(part >> 64), 0};
    }
}

/* ---- the three kinds ------------------------------------------------------------------------- */

static bool call_prim(Vm *vm, PrimFn prim, const CallInfo *call, Reg *regs)
{
    uint64_t plain;
    if (window_is_plain(vm, prim, call, regs, &plain)) {
        result(call, regs, plain);
        return true;
    }
    if (vm->sym)
        return vm_sym_prim(vm, prim, call, regs);
    PrimCall p = {.vm = vm};
    p.nargs = call->nargs < COUNT_OF(p.args) ? call->nargs : COUNT_OF(p.args);
    for (uint32_t i = 0; i < p.nargs; i++) {
        u128 value;
        if (!argument(vm, call, regs, i, &value))
            return false;
        p.args[i] = (uint64_t)value;
    }
    if (!prim(&p))
        return false;
    result(call, regs, p.result);
    return true;
}

u128 vm_pure_invoke(const void *which, void *function, const u128 *words, u128 *outputs)
{
    const Pure *pure = which;
    unsigned n = (unsigned)strlen(pure->signature) - 1;
    ffi_type *types[ARGS_MOST];
    void *values[ARGS_MOST], *pointers[ARGS_MOST];
    u128 returned = 0;
    ffi_cif cif;
    for (unsigned i = 0; i < n; i++) {
        char c = letter(pure, i + 1);
        types[i] = type_of(c);
        pointers[i] = &outputs[i];
        values[i] = pointed_size(c) ? (void *)&pointers[i] : (void *)&words[i];
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, n, type_of(letter(pure, 0)), types) != FFI_OK)
        bug("signature of %s", pure->name);
    ffi_call(&cif, FFI_FN(function), &returned, values);
    return returned & bits_mask(width_of(letter(pure, 0)));
}

static bool call_pure(Vm *vm, const Pure *pure, void *function, const CallInfo *call, Reg *regs)
{
    unsigned n = (unsigned)strlen(pure->signature) - 1;
    u128 words[ARGS_MOST] = {0}, outputs[ARGS_MOST] = {0};
    for (unsigned i = 0; i < n; i++)
        if (!argument(vm, call, regs, i, &words[i]))
            return false;
    u128 returned = vm_pure_invoke(pure, function, words, outputs);
    for (unsigned i = 0; i < n; i++) {
        unsigned size = pointed_size(letter(pure, i + 1));
        if (size && !vm_mem_write(vm, (uint64_t)words[i], &outputs[i], size))
            return false;
    }
    if (width_of(letter(pure, 0)))
        result(call, regs, returned);
    return true;
}

unsigned vm_pure_width(const void *pure, unsigned i, unsigned *pointed)
{
    bool there = i < strlen(((const Pure *)pure)->signature);
    *pointed = there ? pointed_size(letter(pure, i)) : 0;
    return there ? width_of(letter(pure, i)) : 0;
}

const char *vm_pure_name(const void *pure) { return ((const Pure *)pure)->name; }

/* Functions from double or float to the same are called without ffi's detour. */
static bool call_simple(Vm *vm, const Pure *pure, void *function, const CallInfo *call, Reg *regs)
{
    u128 a, b = 0;
    bool two = pure->signature[2] != 0;
    if (!argument(vm, call, regs, 0, &a) || (two && !argument(vm, call, regs, 1, &b)))
        return false;
    if (pure->type == 'd') {
        double x = bits_to_double(a), y = bits_to_double(b);
        result(call, regs,
               bits_of_double(two ? ((double (*)(double, double))function)(x, y)
                                  : ((double (*)(double))function)(x)));
    } else {
        float x = bits_to_float(a), y = bits_to_float(b);
        result(
            call, regs,
            bits_of_float(two ? ((float (*)(float, float))function)(x, y) : ((float (*)(float))function)(x)));
    }
    return true;
}

static bool is_simple(const Pure *pure)
{
    return pure->type != 'l' && (!strcmp(pure->signature, "TT") || !strcmp(pure->signature, "TTT"));
}

/* Anything else, if the user allows it and it takes numbers only. */
static bool call_native(Vm *vm, FnCode *fn, const CallInfo *call, Reg *regs)
{
    u128 words[ARGS_MOST], returned;
    for (uint32_t i = 0; i < call->nargs + call->nvar; i++)
        if (!argument(vm, call, regs, i, &words[i]))
            return false;
    if (vm->sym)
        vm_sym_native_call(vm, name_of(vm, fn));
    if (!vm_native_call(vm, fn, call, words, &returned))
        return false;
    result(call, regs, returned);
    return true;
}

/* The option is named only where it helps. */
static bool end_undefined(Vm *vm, const FnCode *fn, const CallInfo *call)
{
    const char *obstacle = vm_native_obstacle(vm, fn, call), *name = name_of(vm, fn);
    if (!fn->pure && obstacle)
        return vm_end_unsupported(
            vm, "a call of %s, which is not defined: define it (%s, so it cannot be called natively)", name,
            obstacle);
    if (vm->options.external == VM_EXTERNAL_ALL)
        return vm_end_unsupported(
            vm, "a call of %s, which is not defined, nor is it in Sheaf's process: define it", name);
    return vm_end_external(vm, "external call to %s: define it or allow it with --external", name);
}

static bool call_it(Vm *vm, FnCode *fn, const CallInfo *call, Reg *regs)
{
    const Pure *pure = fn->pure;
    if (fn->prim)
        return call_prim(vm, fn->prim, call, regs);
    bool allowed = pure ? vm->options.external != VM_EXTERNAL_NONE
                        : vm->options.external == VM_EXTERNAL_ALL && !vm_native_obstacle(vm, fn, call);
    if (!allowed)
        return end_undefined(vm, fn, call);
    if (!fn->host)
        fn->host = dlsym(RTLD_DEFAULT, name_of(vm, fn));
    bool ok;
    if (fn->host && pure && vm->sym && vm_sym_pure(vm, fn, call, regs, &ok))
        return ok;
    if (fn->host && pure && is_simple(pure))
        return call_simple(vm, pure, fn->host, call, regs);
    if (fn->host && pure)
        return call_pure(vm, pure, fn->host, call, regs);
    return fn->host ? call_native(vm, fn, call, regs) : end_undefined(vm, fn, call);
}

bool vm_call_external(Vm *vm, FnCode *fn, const CallInfo *call, Reg *regs)
{
    if (vm->lab)
        label_call_begin(vm, fn, call, regs);
    if (!call_it(vm, fn, call, regs))
        return false;
    if (vm->lab)
        label_call_end(vm, fn, regs);
    return true;
}
